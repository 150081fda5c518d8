"""Coefficients of agreement as functions of how often each item counts, for the bootstrap.

Krippendorff 2011, *Computing Krippendorff's Alpha-Reliability*; Gwet 2014, *Handbook of Inter-Rater
Reliability*, chapters 2 to 5, on tables with gaps: an item of one rating counts in the shares of
labels by which Fleiss and Gwet reckon chance, and in no agreement.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np

from termexplorer.trainer.agreement.ratings import Float64s, Int64s

Coefficient = Callable[[Float64s], Float64s]
"""(b, n) times that each of n items counts, to (b,) values; NaN where it is undefined."""

_LEAST = 1e-12  # of disagreement by chance; what is less is rounding


def weights_of(scale: str, values: Float64s) -> Float64s:
    """Return how much two labels agree, (q, q) from 0 to 1: Gwet's weights for each scale.

    Args:
        scale: identity weights on a nominal one, ordinal, quadratic (interval) or ratio weights.
        values: (q,), rising.
    """
    places = values if scale in ("interval", "ratio") else np.arange(float(len(values)))
    apart = np.abs(places[:, None] - places)
    if scale == "nominal":
        apart = np.sign(apart)
    elif scale == "ordinal":
        apart = apart * (apart + 1) / 2
    elif scale == "interval":
        apart = apart**2
    else:
        apart = _divide_defined(apart, places[:, None] + places, 0) ** 2
    return 1 - apart / (apart.max(initial=0) or 1)


def counts_of(codes: Int64s, labels: int) -> Float64s:
    """Return how many of (n, r) codes are each of q labels: (n, q)."""
    items, raters = np.nonzero(codes >= 0)
    places = items * labels + codes[items, raters]
    counts = np.bincount(places, minlength=len(codes) * labels)
    return counts.reshape(len(codes), labels).astype(np.float64)


def alpha(counts: Float64s, weights: Float64s, *, ordinal: bool) -> Coefficient:
    """Krippendorff's alpha; its ordinal differences are those of the ranks of what is drawn."""
    pairable = counts.sum(axis=1) > 1
    counts = counts[pairable]
    ratings = counts.sum(axis=1)
    apart = 1 - weights
    disagreement = _dot_rows(counts @ apart, counts) / (ratings - 1)

    def fixed(times: Float64s) -> Float64s:
        times = times[:, pairable]
        labels = times @ counts
        total = labels.sum(axis=1)
        by_chance = _dot_rows(labels @ apart, labels)
        return 1 - _divide_defined((times @ disagreement) * (total - 1), by_chance)

    def ranked(times: Float64s) -> Float64s:
        times = times[:, pairable]
        labels = times @ counts
        total = labels.sum(axis=1, keepdims=True)
        ranks = _divide_defined(labels.cumsum(axis=1) - labels / 2, total) - 0.5  # their mean is 0
        by_chance = 2 * total[:, 0] * (labels * ranks**2).sum(axis=1)
        squares = (times @ (counts * (ratings / (ratings - 1))[:, None]) * ranks**2).sum(axis=1)
        sums = np.einsum("bi,ib->b", times / (ratings - 1), (counts @ ranks.T) ** 2)
        return 1 - _divide_defined(2 * (squares - sums) * (total[:, 0] - 1), by_chance)

    return ranked if ordinal else fixed


def agreement(counts: Float64s, weights: Float64s) -> Coefficient:
    """The mean over items of how much two of its ratings agree; items of one do not count."""
    ratings = counts.sum(axis=1)
    pairable = (ratings > 1).astype(float)
    agreeing = _dot_rows(counts @ weights, counts) - ratings
    shares = _divide_defined(agreeing, ratings * (ratings - 1) * pairable, 0)
    return lambda times: _divide_defined(times @ shares, times @ pairable)


def fleiss(counts: Float64s, weights: Float64s) -> Coefficient:
    """Fleiss' kappa, generalised to gaps and weights: chance by the labels' shares."""
    shares_of = _mean_shares(counts)

    def by_chance(times: Float64s) -> Float64s:
        shares = shares_of(times)
        return _dot_rows(shares @ weights, shares)

    return _correct_for_chance(agreement(counts, weights), by_chance)


def gwet(counts: Float64s, weights: Float64s) -> Coefficient:
    """Gwet's AC1, or AC2 with weights: chance by how many items are hard to rate."""
    shares_of = _mean_shares(counts)
    labels = len(weights)
    hard = float(weights.sum()) / (labels * (labels - 1)) if labels > 1 else np.nan

    def by_chance(times: Float64s) -> Float64s:
        shares = shares_of(times)
        return hard * _dot_rows(shares, 1 - shares)

    return _correct_for_chance(agreement(counts, weights), by_chance)


def cohen(codes: Int64s, weights: Float64s) -> Coefficient:
    """Cohen's kappa of two raters, weighted; of more, the mean over their pairs (Light 1971).

    Undefined for two of whom one has given one label alone: what they agree on is then what they
    agree on by chance, whatever the other said. Where items drawn from those of two who gave
    several come to that it is 0, so that an interval is of all samples.

    Args:
        codes: (n, r); a pair is looked at on the items that both have rated.
        weights: (q, q).
    """
    pairs = combinations(range(codes.shape[1]), 2)
    return mean_of([_cohen_coefficient(codes[:, pair], weights) for pair in pairs])


def mean_of(several: Sequence[Coefficient]) -> Coefficient:
    """The mean of those coefficients that are defined."""

    def mean(times: Float64s) -> Float64s:
        values = np.stack([coefficient(times) for coefficient in several])  # (coefficients, b)
        defined = ~np.isnan(values)
        return _divide_defined(np.where(defined, values, 0).sum(axis=0), defined.sum(axis=0))

    return mean


def is_told_apart(two: Int64s) -> bool:
    """Return whether each of two raters has given several labels to what both have rated.

    Args:
        two: (n, 2) codes.
    """
    both = two[(two >= 0).all(axis=1)]
    return bool(len(both)) and all(len(np.unique(column)) > 1 for column in both.T)


def _cohen_coefficient(codes: Int64s, weights: Float64s) -> Coefficient:
    if not is_told_apart(codes):
        return lambda times: np.full(len(times), np.nan)
    both = (codes >= 0).all(axis=1)
    first, second = codes[both].T
    labels = np.eye(len(weights))
    agreeing = weights[first, second]

    def agree(times: Float64s) -> Float64s:
        return _divide_defined(times[:, both] @ agreeing, times[:, both].sum(axis=1))

    def by_chance(times: Float64s) -> Float64s:
        drawn = times[:, both]
        product = _dot_rows(drawn @ labels[first] @ weights, drawn @ labels[second])
        return _divide_defined(product, drawn.sum(axis=1) ** 2)

    return _correct_for_chance(agree, by_chance)


def _mean_shares(counts: Float64s) -> Coefficient:
    """The mean over rated items of the share of each label: (b, q)."""
    ratings = counts.sum(axis=1, keepdims=True)
    shares = _divide_defined(counts, ratings, 0)
    rated = (ratings > 0).astype(float)
    return lambda times: _divide_defined(times @ shares, times @ rated)


def _correct_for_chance(agree: Coefficient, by_chance: Coefficient) -> Coefficient:
    def corrected(times: Float64s) -> Float64s:
        left = 1 - by_chance(times)
        return 1 - _divide_defined(1 - agree(times), np.where(left > _LEAST, left, 0))

    return corrected


def _dot_rows(left: Float64s, right: Float64s) -> Float64s:
    """Return the products of (b, k) rows: (b,)."""
    products: Float64s = np.einsum("ij,ij->i", left, right)
    return products


def _divide_defined(above: Float64s, below: Float64s, otherwise: float = np.nan) -> Float64s:
    """Divide; where there is nothing to divide by, it is undefined."""
    above, below = np.broadcast_arrays(above, below)
    out = np.full(below.shape, otherwise, np.float64)
    np.divide(above, below, out=out, where=below != 0)
    return out
