"""Max and fuzzy Jaccard of two names as fuzzy sets (Zhelezniak et al. 2019b; [MTS] 4.2)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from termexplorer.trainer.measures.base import (
    PAIRS_AT_A_TIME,
    WordBags,
    blocks,
    by_shape,
    ratio,
    where_covered,
)
from termexplorer.trainer.representations.base import Float32s, Int64s


def max_jaccard(
    bags: WordBags, left: Int64s, right: Int64s, tick: Callable[[], None] = lambda: None
) -> Float32s:
    """Return ``sum(min(m_x, m_y)) / sum(max(m_x, m_y))`` over the dimensions.

    ``m_x`` is the largest of 0 and the word vectors of x, dimension by dimension.
    """

    def similarities(left: Int64s, right: Int64s) -> Float32s:
        values = np.empty(len(left), dtype=np.float32)
        for block in blocks(len(left), PAIRS_AT_A_TIME, tick):
            first, second = _pool_largest(bags, left[block]), _pool_largest(bags, right[block])
            values[block] = _weighted_jaccard(first, second)
        return values

    return where_covered(bags, left, right, similarities)


def fuzzy_jaccard(
    bags: WordBags, left: Int64s, right: Int64s, tick: Callable[[], None] = lambda: None
) -> Float32s:
    """Return DynaMax Jaccard: ``sum(min(m_x, m_y)) / sum(max(m_x, m_y))`` over a universe U.

    U is the word vectors of both names stacked, and ``m_x = max(0, max over words of X U')``.
    """

    def similarities(left: Int64s, right: Int64s) -> Float32s:
        values = np.empty(len(left), dtype=np.float32)
        for pairs, *words in by_shape(bags, left, right, tick):
            values[pairs] = _fuzzy_jaccard(*words)
        return values

    return where_covered(bags, left, right, similarities)


def _pool_largest(bags: WordBags, names: Int64s) -> Float32s:
    """Return the largest of 0 and the word vectors of each name, (n, d)."""
    sizes = bags.sizes()[names]
    starts = np.cumsum(sizes) - sizes
    position = np.arange(sizes.sum()) + np.repeat(bags.starts[names] - starts, sizes)
    return np.maximum(np.maximum.reduceat(bags.matrix[bags.rows[position]], starts, axis=0), 0)


def _fuzzy_jaccard(first: Float32s, second: Float32s) -> Float32s:
    """Return fuzzy Jaccard of (b, n, d) and (b, m, d) word vectors, (b,)."""
    with np.errstate(invalid="ignore"):  # products raise it now and then for finite numbers
        across = first @ second.swapaxes(1, 2)  # (b, n, m)
        of_first = np.concatenate(
            (_own_memberships(first), across.max(axis=1)), axis=1
        )  # (b, n + m)
        of_second = np.concatenate((across.max(axis=2), _own_memberships(second)), axis=1)
    return _weighted_jaccard(np.maximum(of_first, 0), np.maximum(of_second, 0))


def _own_memberships(words: Float32s) -> Float32s:
    """Return how much each word of a name belongs to that name, (b, n)."""
    return np.asarray((words @ words.swapaxes(1, 2)).max(axis=2))


def _weighted_jaccard(first: Float32s, second: Float32s) -> Float32s:
    """Return the Jaccard index of memberships of at least 0, row by row."""
    both = np.minimum(first, second).sum(axis=1, dtype=np.float64)
    return ratio(both, np.maximum(first, second).sum(axis=1, dtype=np.float64))
