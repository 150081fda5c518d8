"""Cosine, Pearson and Spearman: products of vectors that were brought to unit length.

The mean of such a similarity over all word pairs of two names is the product of the two means
of the words' unit vectors, so that no word pair is ever formed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from termexplorer.trainer.measures.base import (
    PAIRS_AT_A_TIME,
    Measure,
    WordBags,
    blocks,
    where_covered,
)
from termexplorer.trainer.representations.base import Float32s, Int64s, bag_means

Transform = Callable[[Float32s], Float32s]
_ROWS = 4096  # at a time


def units(vectors: Float32s) -> Float32s:
    """Bring rows to unit length; a zero row stays zero."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))
    return (vectors / np.where(lengths > 0, lengths, 1)[:, None]).astype(np.float32)


def centred(vectors: Float32s) -> Float32s:
    """Return unit rows of mean 0, whose products are Pearson's r; zero for a constant row."""
    # The shift keeps a constant row exactly zero, whatever its mean is rounded to.
    shifted = vectors - vectors[:, :1].astype(np.float64)
    return units((shifted - shifted.mean(axis=1, keepdims=True)).astype(np.float32))


def ranked(vectors: Float32s) -> Float32s:
    """Return unit rows of centred ranks, whose products are Spearman's rho."""
    from scipy.stats import rankdata

    return centred(rankdata(vectors, axis=1).astype(np.float32))


def _row_by_row(transform: Transform, vectors: Float32s, tick: Callable[[], None]) -> Float32s:
    transformed = np.empty_like(vectors)
    for block in blocks(len(vectors), _ROWS, tick):
        transformed[block] = transform(vectors[block])
    return transformed


def _measure_of_means(transform: Transform) -> Measure:
    def measure(
        bags: WordBags, left: Int64s, right: Int64s, tick: Callable[[], None] = lambda: None
    ) -> Float32s:
        return _multiply_pairs(_row_by_row(transform, bags.means(), tick), bags, left, right, tick)

    return measure


def _measure_of_pairs(transform: Transform) -> Measure:
    def measure(
        bags: WordBags, left: Int64s, right: Int64s, tick: Callable[[], None] = lambda: None
    ) -> Float32s:
        used, rows = np.unique(bags.rows, return_inverse=True)
        means = bag_means(_row_by_row(transform, bags.matrix[used], tick), rows, bags.starts)
        return _multiply_pairs(means, bags, left, right, tick)

    return measure


def _multiply_pairs(
    vectors: Float32s, bags: WordBags, left: Int64s, right: Int64s, tick: Callable[[], None]
) -> Float32s:
    def products(left: Int64s, right: Int64s) -> Float32s:
        cosines = np.empty(len(left), dtype=np.float32)
        for block in blocks(len(left), PAIRS_AT_A_TIME, tick):
            pairs = vectors[left[block]], vectors[right[block]]
            cosines[block] = np.einsum("ij,ij->i", *pairs, dtype=np.float64)
        return np.clip(cosines, -1, 1)

    return where_covered(bags, left, right, products)


avg_cosine = _measure_of_means(units)
avg_pearson = _measure_of_means(centred)
avg_spearman = _measure_of_means(ranked)
pair_cosine = _measure_of_pairs(units)
pair_pearson = _measure_of_pairs(centred)
pair_spearman = _measure_of_pairs(ranked)
