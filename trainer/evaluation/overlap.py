"""How far two encoders agree on rankings, the first places before all others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import TrainerError

Float64s = NDArray[np.float64]

P = 0.9  # the first ten places then have 86 % of the weight

_BLOCK_VALUES = 2_000_000  # ranked names sorted at a time


def rank_biased_overlap(
    first: NDArray[np.integer], second: NDArray[np.integer], p: float = P
) -> Float64s:
    """Return the rank-biased overlap of two rankings of each mention, extrapolated from depth k.

    Webber, Moffat and Zobel 2010, *A Similarity Measure for Indefinite Rankings*, 4.3. With
    ``X_d`` the number of names that both have among their first d,

        ``X_k / k · p^k + (1 - p) / p · Σ_d X_d / d · p^d``

    for d from 1 to k. A name that both have at depth d or above is in all ``X`` from there on, and
    thus adds ``p^k / k + (1 - p) / p · Σ_{e ≥ d} p^e / e``.

    Args:
        first: (m, k) integers, the best first, none of them twice in a row; a row of -1 where an
            encoder ranks nothing.
        second: (m, k), the rankings of the same mentions by another encoder.
        p: how deep one looks, above 0 and below 1; the higher the deeper.

    Returns:
        (m,) float64, from 0 for rankings that share no name to 1 for equal ones; NaN where either
        ranks nothing.

    Raises:
        ValueError: for shapes that differ, rankings of no depth, a name that is twice in a ranking,
            or such a p.
    """
    if first.shape != second.shape or first.ndim != 2 or not first.shape[1]:
        raise TrainerError(
            "rankings of {shape} and {other_shape} cannot be compared",
            shape=first.shape,
            other_shape=second.shape,
        )
    if not 0 < p < 1:
        raise TrainerError("p is {p}; it has to be above 0 and below 1", p=p)
    weights = _depth_weights(first.shape[1], p)
    overlap = np.full(len(first), np.nan)
    known = np.flatnonzero((first >= 0).all(axis=1) & (second >= 0).all(axis=1))
    for block in np.array_split(known, -(-known.size * first.shape[1] // _BLOCK_VALUES) or 1):
        row, depth = _shared_names(first[block], second[block])
        overlap[block] = np.bincount(row, weights[depth], minlength=len(block))
    return overlap


def _depth_weights(depth: int, p: float) -> Float64s:
    """What a name adds that both have at the depths 1 to k, or above, (k,)."""
    depths = np.arange(1, depth + 1)
    terms = p**depths / depths
    return np.asarray(terms[-1] + (1 - p) / p * terms[::-1].cumsum()[::-1])


def _shared_names(
    first: NDArray[np.integer], second: NDArray[np.integer]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The row of each name that is in both rankings, and its lower place there, from 0."""
    places = np.arange(first.shape[1])
    bits = max(first.shape[1] - 1, 1).bit_length()
    keys = [
        (ranking.astype(np.int64) << bits + 1) | (side << bits) | places
        for side, ranking in enumerate((first, second))
    ]
    ordered = np.sort(np.concatenate(keys, axis=1), axis=1)
    apart = (ordered[:, 1:] ^ ordered[:, :-1]) >> bits  # 1 for a name of both, 0 for one twice
    if not apart.all():
        raise TrainerError("a name is twice in a ranking")
    row, at = np.nonzero(apart == 1)
    mask = (1 << bits) - 1
    return row, np.maximum(ordered[row, at] & mask, ordered[row, at + 1] & mask)
