"""Vectors of words and n-grams rounded to integers, for an encoder that sums them exactly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.distillation.word_fitting import fit_words
from termexplorer.trainer.representations.static import (
    LARGEST_FACTOR,
    StaticTables,
    hash_grams,
)

Float32s = NDArray[np.float32]

_LARGEST_ROW = 127


def make_tables(
    words: Sequence[str], vectors: Float32s, weights: Float32s, buckets: int
) -> StaticTables:
    """Make the tables of a static encoder.

    Args:
        words: the v words.
        vectors: (v, d), what each word adds to a name, its weight included.
        weights: (v,) of the words, of which the share of a name that is known is told.
        buckets: rows that n-grams of unknown words share by hashing.
    """
    grams = fit_grams(words, vectors, buckets)
    largest = max(float(np.abs(vectors).max()), float(np.abs(grams).max()))
    rows, factors = _round_rows(vectors, largest)
    gram_rows, gram_factors = _round_rows(grams, largest)
    return StaticTables(
        tuple(words), rows, factors, gram_rows, gram_factors,
        weights.astype(np.float32), float(np.float32(weights.max())),
    )  # fmt: skip


def fit_grams(words: Sequence[str], vectors: Float32s, buckets: int) -> Float32s:
    """Fit vectors of character n-grams whose means are the vectors of words, (buckets, d)."""
    from scipy.sparse import csr_matrix

    grams = [hash_grams(word, buckets) for word in words]
    lengths = np.array([len(of_word) for of_word in grams])
    shares = np.repeat(1 / np.maximum(lengths, 1), lengths).astype(np.float32)
    columns = np.fromiter((gram for of_word in grams for gram in of_word), np.int64, lengths.sum())
    at = (np.repeat(np.arange(len(words)), lengths), columns)
    averages = csr_matrix((shares, at), shape=(len(words), buckets))
    start = np.zeros((buckets, vectors.shape[1]), dtype=np.float32)
    return fit_words(averages, vectors, start, ridge=0.02)


def _round_rows(vectors: Float32s, largest: float) -> tuple[NDArray[np.int8], NDArray[np.uint16]]:
    """Return rows of -127 to 127 and factors, whose product is the vectors in one common scale."""
    tops = np.abs(vectors).max(axis=1)
    factors = np.ceil(tops / largest * LARGEST_FACTOR)
    scales = np.maximum(factors, 1)[:, None] * (largest / LARGEST_FACTOR / _LARGEST_ROW)
    rows = np.clip(np.rint(vectors / scales), -_LARGEST_ROW, _LARGEST_ROW)
    return rows.astype(np.int8), factors.astype(np.uint16)
