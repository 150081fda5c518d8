"""A change of a concept from one release to another."""

from dataclasses import dataclass

from termexplorer.texts import mark

KINDS = ("added", "retired", "moved", "renamed")
KIND_WORDS = {
    "added": mark("added"),
    "retired": mark("retired"),
    "moved": mark("moved"),
    "renamed": mark("renamed"),
}


@dataclass(frozen=True, slots=True)
class Change:
    """One change of one concept; a concept that moved and was renamed has two.

    Attributes:
        kind: one of `KINDS`.
        concept: CURIE.
        name: preferred name, in the newer release if it is live there.
        before: parents it had and lost; the old name if it was renamed.
        after: parents it gained; the new name; of a retired concept what stands in its place.
        old_id: the concept in the older release, None if it is not there.
        new_id: the concept in the newer release, None if it is not there.
    """

    kind: str
    concept: str
    name: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    old_id: int | None
    new_id: int | None
