"""Which pairs of concepts are looked at: near by an encoder, equal by a form, or beside such."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.evaluation.matching import match_concepts
from termexplorer.trainer.evaluation.scores import Scores
from termexplorer.trainer.mapping.sides import MappingSide, binary_matrix

Int64s = NDArray[np.int64]

NEAREST = 10  # concepts by each encoder
_MOST_EQUAL = 30  # concepts that share a form; a form of more tells nothing
_SEED_EQUAL = 5
_FORMS = ("letters", "bags", "cores")


def find_candidates(
    source: MappingSide,
    target: MappingSide,
    encoders: Sequence[Scores],
    tick: Callable[[], None],
    begin: Callable[[int], None] = lambda encoder: None,
) -> Int64s:
    """Return pairs of concepts that may be matches of any kind, (p, 2) int64, sorted.

    Args:
        source: whose concepts are mapped.
        target: what they are mapped to.
        encoders: similarities of the names of both.
        tick: called often; may raise to stop.
        begin: called with the number of each encoder before it is asked.
    """
    parts: list[Int64s] = []
    for number, scores in enumerate(encoders):
        begin(number)
        parts.append(_find_nearest(source, target, scores, tick))
    parts.extend(find_equal(source, target, form) for form in _FORMS)
    parts.extend(_list_neighbours(source, target, find_equal(source, target, "bags", _SEED_EQUAL)))
    return merge_pairs(parts)


def merge_pairs(parts: Iterable[Int64s]) -> Int64s:
    """Return the different pairs of several tables, sorted."""
    return np.unique(np.concatenate([np.zeros((0, 2), np.int64), *parts]), axis=0)


def find_equal(
    source: MappingSide, target: MappingSide, form: str, most: int = _MOST_EQUAL
) -> Int64s:
    """Return the pairs of concepts with a name of the same form, (p, 2) int64.

    Args:
        source: whose concepts come first.
        target: whose concepts come second.
        form: a field of `NameForms`.
        most: concepts of the target that share it; a form of more is left out.
    """
    concepts: dict[object, set[int]] = defaultdict(set)
    for text, concept in zip(getattr(target.forms, form), target.concepts.tolist(), strict=True):
        concepts[text].add(concept)
    pairs = {
        (concept, other)
        for text, concept in zip(getattr(source.forms, form), source.concepts.tolist(), strict=True)
        if text and 0 < len(concepts.get(text, ())) <= most
        for other in concepts[text]
    }
    return np.array(sorted(pairs), np.int64).reshape(-1, 2)


def _find_nearest(
    source: MappingSide, target: MappingSide, scores: Scores, tick: Callable[[], None]
) -> Int64s:
    nothing = np.zeros(0, np.int64)
    truth = binary_matrix(nothing, nothing, (source.count, target.count)).astype(np.bool_)
    matches = match_concepts(
        scores, source.concepts, target.concepts, truth, k=NEAREST, first=(1,), tick=tick
    )
    rows = np.repeat(np.arange(source.count), matches.places.shape[1])
    pairs = np.stack([rows, matches.places.ravel()], axis=1)
    return pairs[matches.similarities.ravel() > 0]


def _list_neighbours(source: MappingSide, target: MappingSide, pairs: Int64s) -> Iterator[Int64s]:
    """Yield pairs of one concept of each pair with a parent or child of the other."""
    matched = binary_matrix(pairs[:, 0], pairs[:, 1], (source.count, target.count))
    for beside in (
        source.up.T @ matched,
        source.up @ matched,
        matched @ target.up,
        matched @ target.up.T,
    ):
        yield np.stack(beside.tocoo().coords, axis=1).astype(np.int64)
