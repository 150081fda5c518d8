"""Kendall's tau-b over the dimensions of vectors, exact, by counting bits.

Which of two dimensions is larger is one bit; the concordant and discordant pairs of dimensions of
two vectors are then counted 64 at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.measures.base import WordBags, blocks, ratio, where_covered
from termexplorer.trainer.representations.base import Float32s, Int64s

_PAIRS, _ROWS = 64, 32  # at a time: what caches hold
_PLANES_BYTES = 256_000_000
_WORD_PAIRS = 2_000_000  # at a time


class _Planes(NamedTuple):
    """For each vector and pair of dimensions one bit.

    Attributes:
        rises: (r, w) uint64, set where the second dimension is larger.
        differs: (r, w) uint64, set where the two are not equal.
        untied: (r,) int64, the number of those.
    """

    rises: NDArray[np.uint64]
    differs: NDArray[np.uint64]
    untied: Int64s


def avg_kendall(
    bags: WordBags, left: Int64s, right: Int64s, tick: Callable[[], None] = lambda: None
) -> Float32s:
    """Return tau-b over the dimensions of the mean word vectors of each pair ([MTS] 4.2)."""
    means = bags.means()
    return where_covered(bags, left, right, lambda first, second: taus(means, first, second, tick))


def pair_kendall(
    bags: WordBags, left: Int64s, right: Int64s, tick: Callable[[], None] = lambda: None
) -> Float32s:
    """Return the mean of tau-b over all word pairs of each pair of names ([MTS] 4.2)."""

    def similarities(left: Int64s, right: Int64s) -> Float32s:
        counts = bags.sizes()[left] * bags.sizes()[right]
        part = np.cumsum(counts) // _WORD_PAIRS
        ends = np.flatnonzero(np.diff(part)) + 1
        values = np.empty(len(left), dtype=np.float32)
        for some in np.split(np.arange(len(left)), ends):
            values[some] = _mean_taus(bags, left[some], right[some], counts[some], tick)
        return values

    return where_covered(bags, left, right, similarities)


def _mean_taus(
    bags: WordBags, left: Int64s, right: Int64s, counts: Int64s, tick: Callable[[], None]
) -> Float32s:
    """Return the mean tau-b of the word pairs of each pair, of which there are ``counts``."""
    first, second = _word_pairs(bags, left, right)
    key = np.minimum(first, second) * len(bags.matrix) + np.maximum(first, second)
    distinct, inverse = np.unique(key, return_inverse=True)
    pair_taus = taus(bags.matrix, *np.divmod(distinct, len(bags.matrix)), tick)[inverse]
    sums = np.add.reduceat(pair_taus, np.cumsum(counts) - counts, dtype=np.float64)
    return np.asarray(sums / counts, dtype=np.float32)


def _word_pairs(bags: WordBags, left: Int64s, right: Int64s) -> tuple[Int64s, Int64s]:
    """Return rows of the matrix: every word of a pair's first name with every one of its second.

    Returns:
        (s,) int64 and (s,) int64, the word pairs of all pairs one after the other.
    """
    sizes = bags.sizes()
    counts = sizes[left] * sizes[right]
    owner = np.repeat(np.arange(len(left)), counts)
    offset = np.arange(len(owner)) - (np.cumsum(counts) - counts)[owner]
    first, second = np.divmod(offset, sizes[right][owner])
    return bags.rows[bags.starts[left][owner] + first], bags.rows[
        bags.starts[right][owner] + second
    ]


def taus(
    matrix: Float32s, left: Int64s, right: Int64s, tick: Callable[[], None] = lambda: None
) -> Float32s:
    """Return Kendall's tau-b of pairs of rows, 0 for a constant row.

    Args:
        matrix: (r, d) float32.
        left: (p,) int64, rows.
        right: (p,) int64, rows.
        tick: called between blocks; may raise to stop.

    Returns:
        (p,) float32.
    """
    coefficients = np.empty(len(left), dtype=np.float32)
    for part in _split_pairs(left, right, _PLANES_BYTES // max(1, matrix.shape[1] ** 2 // 8)):
        rows, inverse = np.unique(np.concatenate((left[part], right[part])), return_inverse=True)
        planes = _make_planes(matrix[rows], tick)
        first, second = np.split(inverse, 2)
        part_taus = np.empty(len(first), dtype=np.float32)
        for block in blocks(len(first), _PAIRS, tick):
            part_taus[block] = _kendall_taus(planes, first[block], second[block])
        coefficients[part] = part_taus
    return coefficients


def _split_pairs(left: Int64s, right: Int64s, most: int) -> Iterator[slice]:
    """Yield parts of the pairs that have at most about ``most`` distinct rows each."""
    distinct = len(np.unique(np.concatenate((left, right))))
    size = len(left) if distinct <= most else max(1, most // 2)
    return blocks(len(left), size, lambda: None)


def _make_planes(vectors: Float32s, tick: Callable[[], None]) -> _Planes:
    rises, differs = zip(
        *(_compare_dimensions(vectors[block]) for block in blocks(len(vectors), _ROWS, tick)),
        strict=True,
    )
    together = np.concatenate(differs)
    return _Planes(np.concatenate(rises), together, _count_bits(together))


def _compare_dimensions(vectors: Float32s) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Compare each dimension with those up to half the width after it, around the end."""
    width = vectors.shape[1]
    half = width // 2
    around = np.concatenate((vectors, vectors[:, :half]), axis=1)
    windows = np.lib.stride_tricks.sliding_window_view(around, width, axis=1)
    later, current = windows[:, 1 : half + 1], vectors[:, None, :]  # (r, half, d), (r, 1, d)
    rises, differs = later > current, later != current
    if width % 2 == 0:  # at exactly half the width every pair comes twice
        rises[:, -1:, half:] = differs[:, -1:, half:] = False
    return _pack_bits(rises), _pack_bits(differs)


def _pack_bits(bits: NDArray[np.bool_]) -> NDArray[np.uint64]:
    packed = np.packbits(bits.reshape(len(bits), -1), axis=1)
    return np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8))).view(np.uint64)


def _kendall_taus(planes: _Planes, left: Int64s, right: Int64s) -> Float32s:
    both = planes.differs[left] & planes.differs[right]
    discordant = (planes.rises[left] ^ planes.rises[right]) & both
    untied = planes.untied.astype(np.float64)
    concordance = (_count_bits(both) - 2 * _count_bits(discordant)).astype(np.float64)
    return ratio(concordance, np.sqrt(untied[left] * untied[right]))


def _count_bits(bits: NDArray[np.uint64]) -> Int64s:
    bit_counts: Int64s = np.bitwise_count(bits).sum(axis=1, dtype=np.int64)
    return bit_counts
