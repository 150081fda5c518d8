"""What a newer release made of the terms of an older one, for what was mapped to them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from termexplorer.services.curate.mapping_states import (
    MERGED,
    MOVED,
    RENAMED,
    REPLACED,
    RETIRED,
    SPLIT,
)
from termexplorer.taxonomy.above import list_above
from termexplorer.trainer.checking.terms import OntologyTerm


@dataclass(frozen=True, slots=True)
class TermChange:
    """What became of a term.

    Attributes:
        before: in the older release.
        after: in the newer one; None where it is not there or withdrawn.
        reasons: keys of `mapping_states.REASONS`; none where nothing changed.
        stated: ids of what the newer release says takes its place.
    """

    before: OntologyTerm
    after: OntologyTerm | None
    reasons: tuple[str, ...]
    stated: tuple[str, ...]


class ReleaseTerms:
    """The terms of two releases of one terminology."""

    def __init__(self, older: Iterable[OntologyTerm], newer: Sequence[OntologyTerm]) -> None:
        self.older = {term.curie: term for term in older}
        self.newer = {term.curie: term for term in newer}
        self.live = [term for term in newer if not term.obsolete and term.names]
        self.merged = {
            curie: term.curie
            for term in newer
            if not term.obsolete
            for curie in term.alternative_ids
        }

    @cached_property
    def added_by_name(self) -> Mapping[str, OntologyTerm]:
        """Return the live terms that the older release does not have, by their names."""
        return {
            simplify_name(text): term
            for term in self.live
            if term.curie not in self.older
            for text, _ in term.names
        }

    def list_namesakes(self, term: OntologyTerm) -> list[tuple[OntologyTerm, float]]:
        """Return the live terms that share a name with a term, without a probability."""
        names = {simplify_name(text) for text, _ in term.names} - {""}
        return [
            (other, 0.0)
            for other in self.live
            if names.intersection(simplify_name(text) for text, _ in other.names)
        ]

    def describe_change(self, curie: str) -> TermChange | None:
        """Return what became of a term; None if the older release does not have it."""
        before = self.older.get(curie)
        if before is None:
            return None
        after = self.newer.get(curie)
        if after is None or after.obsolete:
            stated = self.list_stated(curie)
            return TermChange(before, None, (self._name_end(stated),), stated)
        reasons = []
        if simplify_name(before.label) != simplify_name(after.label):
            reasons.append(RENAMED)
        if self._is_moved(before, after):
            reasons.append(MOVED)
        return TermChange(before, after, tuple(reasons), ())

    def list_stated(self, curie: str) -> tuple[str, ...]:
        """Return the live terms that the newer release says take the place of a term."""
        after = self.newer.get(curie)
        named = [*(after.replaced_by if after else ())]
        if curie in self.merged:
            named.insert(0, self.merged[curie])
        live = (
            other for other in dict.fromkeys(named)
            if other in self.newer and not self.newer[other].obsolete
        )  # fmt: skip
        return tuple(live)

    def _name_end(self, stated: Sequence[str]) -> str:
        if len(stated) > 1:
            return SPLIT
        if not stated:
            return RETIRED
        return MERGED if stated[0] in self.older else REPLACED

    def _is_moved(self, before: OntologyTerm, after: OntologyTerm) -> bool:
        """Return whether a former parent, or what replaced it, is not above a term any more."""
        above = list_above(after.parents, self._parents_of)
        former = {self.merged.get(parent, parent) for parent in before.parents}
        return bool({parent for parent in former if parent in self.newer} - above)

    def _parents_of(self, curie: str) -> Sequence[str]:
        term = self.newer.get(curie)
        return term.parents if term else ()


def simplify_name(text: str) -> str:
    """Return the letters and digits of a name alone, in lower case."""
    return "".join(filter(str.isalnum, text.lower()))
