"""Which pairs are worth judging: those that encoders see differently, and some at random.

Figures on the part at random are unbiased; those on the others tell of the hardest pairs alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from termexplorer.trainer.evaluation.pairs.roc import best_threshold
from termexplorer.trainer.search.ties import order_shown

Float64s = NDArray[np.float64]
Int64s = NDArray[np.int64]


def disagreement(similarities: Sequence[NDArray[np.floating]]) -> Float64s:
    """Return how far apart the ranks are that encoders give each pair of a set, (p,), 0 to 1.

    Ranks are among the pairs that all of them know; those of equal similarities are the mean over
    all their orders.

    Args:
        similarities: (p,) of each of several encoders; NaN for pairs that one cannot represent.

    Returns:
        the greatest less the least rank, as a share of the pairs; NaN for pairs that one does not
        know.
    """
    values = np.stack(similarities).astype(np.float64)
    known = ~np.isnan(values).any(axis=0)
    ranges = np.full(values.shape[1], np.nan)
    if known.any():
        ranks = rankdata(values[:, known], axis=1) / known.sum()
        ranges[known] = ranks.max(axis=0) - ranks.min(axis=0)
    return ranges


def uncertainty(labels: Float64s, similarities: NDArray[np.floating]) -> Float64s:
    """Return how near each pair of a set is to an encoder's best threshold, (p,), at most 0.

    Args:
        labels: (p,), 1 for similar pairs and 0 for dissimilar ones.
        similarities: (p,); NaN for pairs that the encoder cannot represent.

    Returns:
        the distance from the threshold of the best accuracy, below 0; NaN for unknown pairs.
    """
    values = similarities.astype(np.float64)
    known = ~np.isnan(values)
    if not known.any():
        return values
    threshold = min(best_threshold(labels[known], values[known]), values[known].max())
    return np.asarray(-np.abs(values - threshold))


def queued(scores: Float64s, number: int, share: float, seed: int) -> tuple[Int64s, Int64s]:
    """Choose pairs: first some at random from all of them, then the highest scores of the rest.

    Args:
        scores: (p,), the higher the more worth judging; NaN for pairs that are no candidates.
        number: how many are chosen; fewer where there are fewer.
        share: of them at random, 0 to 1.
        seed: of the draw, and of the order of equal scores.

    Returns:
        (q,) places of those with the highest scores, falling, and (r,) of those at random.
    """
    order = np.random.default_rng(seed).permutation(np.flatnonzero(~np.isnan(scores)))
    number = min(number, len(order))
    at_random, ranked = np.split(order, [round(share * number)])
    best = ranked[order_shown(scores[ranked])]
    return best[: number - len(at_random)], at_random
