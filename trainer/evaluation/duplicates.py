"""Pairs of concepts with the most similar names, which may be one and the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from trainer.evaluation.matching import Matches

Int64s = NDArray[np.int64]
Float32s = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class NearPairs:
    """Pairs of different concepts, the most similar first, of equals by their numbers.

    Attributes:
        first: (p,) int64.
        second: (p,) int64, larger than the first.
        similarities: (p,) float32, of their most similar names.
    """

    first: Int64s
    second: Int64s
    similarities: Float32s


def near_pairs(among: Matches) -> NearPairs:
    """Return each pair of which one is among the nearest of the other.

    Args:
        among: what ``match_concepts`` found for concepts among themselves.
    """
    count, k = among.places.shape
    rows = np.repeat(np.arange(count), k)
    others, similarities = among.places.ravel(), among.similarities.ravel()
    low, high = np.minimum(rows, others), np.maximum(rows, others)
    order = np.lexsort((high, low, -similarities))
    order = order[low[order] < high[order]]
    keys = low[order] * count + high[order]
    kept = order[np.sort(np.unique(keys, return_index=True)[1])]
    return NearPairs(low[kept], high[kept], similarities[kept])


def split_concepts(concepts: Int64s, share: float, seed: int) -> tuple[Int64s, Int64s]:
    """Make two concepts of some, each with about half of the names.

    Args:
        concepts: (n,) int64, the concept of each name, from 0 to m - 1.
        share: of the concepts with two names or more, rounded; at least one is split.
        seed: of the draw.

    Returns:
        (n,) int64, in which the new concepts have the numbers from m on, and (s,) int64, the
        concepts that were split, in the order of those numbers.

    Raises:
        ValueError: no concept has two names.
    """
    rng = np.random.default_rng(seed)
    sizes = np.bincount(concepts)
    several = np.flatnonzero(sizes > 1)
    if not len(several):
        raise ValueError("no concept has two names: none can be split")
    chosen = np.sort(rng.permutation(several)[: max(round(share * len(several)), 1)])
    found = concepts.copy()
    order = np.argsort(concepts, kind="stable")
    starts = np.cumsum(sizes) - sizes
    for number, concept in enumerate(chosen.tolist()):
        names = order[starts[concept] : starts[concept] + sizes[concept]]
        found[rng.permutation(names)[: len(names) // 2]] = len(sizes) + number
    return found, chosen
