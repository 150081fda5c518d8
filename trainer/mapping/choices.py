"""One match for each concept, out of the likelihoods of its candidates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.mapping.assignment import assign_pairs
from termexplorer.trainer.mapping.made_pairs import (
    BROAD_MATCH,
    EXACT_MATCH,
    NARROW_MATCH,
    NO_MATCH,
)
from termexplorer.trainer.mapping.repair import repair_matches
from termexplorer.trainer.mapping.sides import MappingSide

Int64s = NDArray[np.int64]
Float32s = NDArray[np.float32]
Bools = NDArray[np.bool_]

EXACT, BROAD, NARROW, RELATED, NONE = PREDICATES = ("exact", "broad", "narrow", "related", "none")
_LIKELY = 0.5
_FOUND = {EXACT_MATCH: EXACT, BROAD_MATCH: BROAD, NARROW_MATCH: NARROW}


@dataclass(frozen=True, eq=False)
class MappingChoices:
    """One choice for each of c concepts of the source.

    Attributes:
        predicates: of `PREDICATES`.
        candidates: (c,) int64, which of the pairs is chosen; of none the nearest one, and -1 where
            there is no candidate.
        likelihoods: (c,) float32, how likely the choice is right.
        repaired: how many exact matches were taken back, as both hierarchies contradict them.
    """

    predicates: tuple[str, ...]
    candidates: Int64s
    likelihoods: Float32s
    repaired: int


def choose_matches(
    source: MappingSide,
    target: MappingSide,
    pairs: Int64s,
    likelihoods: Float32s,
    one_to_one: bool,
) -> MappingChoices:
    """Choose for each concept the likeliest exact match, or else what is likeliest of all.

    Args:
        source: of the first concepts.
        target: of the second ones.
        pairs: (p, 2) int64, sorted.
        likelihoods: (p, 4) float32.
        one_to_one: whether each concept of the target is in one exact match at most.
    """
    exact = likelihoods[:, EXACT_MATCH]
    best = assign_pairs(pairs, exact) if one_to_one else _find_first(pairs[:, 0], exact)
    matches = np.flatnonzero(best & (exact >= _LIKELY))
    stays = repair_matches(source, target, pairs[matches], exact[matches])
    predicates = [NONE] * source.count
    candidates = np.full(source.count, -1, np.int64)
    chances = np.ones(source.count, np.float32)
    value = 1 - likelihoods[:, NO_MATCH] if source.is_list else _rate_inexact(likelihoods)
    choose = _choose_of_list if source.is_list else _choose_predicate
    for row in np.flatnonzero(_find_first(pairs[:, 0], value)).tolist():
        concept = int(pairs[row, 0])
        predicates[concept], chances[concept] = choose(likelihoods[row])
        candidates[concept] = row
    for row in matches[stays].tolist():
        concept = int(pairs[row, 0])
        predicates[concept], candidates[concept], chances[concept] = EXACT, row, exact[row]
    return MappingChoices(tuple(predicates), candidates, chances, int((~stays).sum()))


def _find_first(groups: Int64s, values: Float32s) -> Bools:
    """Return the largest of each group, the first of equals, (p,) bool."""
    order = np.lexsort((np.arange(len(values)), -values, groups))
    is_first = np.append(True, np.diff(groups[order]) > 0)[: len(order)]
    largest = np.zeros(len(values), np.bool_)
    largest[order[is_first]] = True
    return largest


def _rate_inexact(likelihoods: Float32s) -> Float32s:
    """Return how likely each pair is broad or narrow, or else anything but exact, (p,).

    An exact match that was not chosen is none: another one is, or something contradicts it.
    """
    value = likelihoods[:, [BROAD_MATCH, NARROW_MATCH]].max(axis=1)
    any_match = 1 - likelihoods[:, NO_MATCH] - likelihoods[:, EXACT_MATCH]
    return np.asarray(value + np.float32(1e-3) * any_match)


def _choose_predicate(likelihoods: Float32s) -> tuple[str, float]:
    """Return what a pair is that is no exact match, and how likely that is."""
    best = BROAD_MATCH if likelihoods[BROAD_MATCH] >= likelihoods[NARROW_MATCH] else NARROW_MATCH
    if likelihoods[best] >= _LIKELY:
        return _FOUND[best], float(likelihoods[best])
    related = 1 - float(likelihoods[NO_MATCH])
    return (RELATED, related) if related >= _LIKELY else (NONE, 1 - related)


def _choose_of_list(likelihoods: Float32s) -> tuple[str, float]:
    """Return what a pair is if it is a match, be it a little likelier than any other match.

    A row of a list has nothing around it that would contradict an exact one.
    """
    none = float(likelihoods[NO_MATCH])
    best = int(likelihoods[:NO_MATCH].argmax())
    return (_FOUND[best], float(likelihoods[best])) if none < _LIKELY else (NONE, none)


def name_likeliest(likelihoods: Float32s) -> tuple[str, float]:
    """Return which match a pair most probably is if it is any, and how likely that is."""
    matches = (EXACT_MATCH, BROAD_MATCH, NARROW_MATCH)
    best = max(matches, key=lambda match: float(likelihoods[match]))
    if likelihoods[best] < _LIKELY <= 1 - likelihoods[NO_MATCH]:
        return RELATED, 1 - float(likelihoods[NO_MATCH])
    return _FOUND[best], float(likelihoods[best])
