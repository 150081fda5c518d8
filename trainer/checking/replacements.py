"""What takes the place of terms that a newer release does not have any more."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from termexplorer.trainer.checking.duplicate_model import DuplicateModel
from termexplorer.trainer.checking.pair_features import TermComparison
from termexplorer.trainer.checking.terms import OntologyTerm, TermTable
from termexplorer.trainer.representations.base import Representation

_MOST = 5  # candidates of a term


class Replacement(NamedTuple):
    """A term that may take the place of another.

    Attributes:
        term: of the newer release.
        probability: that the two are one, as `DuplicateModel` has it.
    """

    term: OntologyTerm
    probability: float


def rank_replacements(
    live: Sequence[OntologyTerm],
    retired: Sequence[OntologyTerm],
    encoder: Representation,
    stands_for: Mapping[str, str] | None = None,
    seed: int = 0,
    tick: Callable[[], None] = lambda: None,
) -> list[list[Replacement]]:
    """Return the likeliest replacements of each retired term, the best first.

    Args:
        live: terms of the newer release.
        retired: terms of the older one, as they were there.
        encoder: of names.
        stands_for: ids of parents that are retired too, to what takes their place.
        seed: of what is learned from.
        tick: called often; may raise to stop.

    Raises:
        ValueError: too few terms are live to learn from.
    """
    if not any(term.names for term in retired):
        return [[] for _ in retired]
    new_ids = stands_for or {}
    moved = [
        replace(term, parents=tuple(new_ids.get(parent, parent) for parent in term.parents))
        for term in retired
    ]
    table = TermTable.build(live, [term for term in moved if term.names])
    model = DuplicateModel.fit(TermComparison(table, encoder.encode), seed, tick)
    likely = model.judge(table.new, tick)
    new = set(table.new.tolist())
    candidates: dict[str, list[Replacement]] = {term.curie: [] for term in retired}
    for (number, row), probability in zip(
        likely.pairs.tolist(), likely.probabilities.tolist(), strict=True
    ):
        if row not in new:
            curie = table.terms[int(table.new[number])].curie
            candidates[curie].append(Replacement(table.terms[row], probability))
    return [
        sorted(candidates[term.curie], key=lambda candidate: -candidate.probability)[:_MOST]
        for term in retired
    ]
