"""Pearson's and Spearman's correlation of items that count more or less than once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from termexplorer.trainer.evaluation.resampling import Float64s, Statistic
from termexplorer.trainer.evaluation.shares import share_interval

_NO_SPREAD = 1e-12  # a variance, where that of all items is 1 or more


def pearson(first: Float64s, second: Float64s) -> Statistic:
    """Return Pearson's r as a statistic of the weights of n pairs.

    Args:
        first: (n,) float64.
        second: (n,) float64.

    Returns:
        a function of (b, n) weights; NaN where the first or second values do not differ.
    """
    left, right = _standardise_values(first), _standardise_values(second)
    moments = np.stack((left, right, left * left, right * right, left * right), axis=1)

    def statistic(weights: Float64s) -> Float64s:
        sums = (weights @ moments) / weights.sum(axis=1, keepdims=True)
        of_one, of_other = (sums[:, at + 2] - sums[:, at] ** 2 for at in (0, 1))
        return _correlations_of(sums[:, 4] - sums[:, 0] * sums[:, 1], of_one, of_other)

    return statistic


def spearman(first: Float64s, second: Float64s) -> Statistic:
    """Return Spearman's rho as a statistic of the weights of n pairs, with mean ranks for ties.

    The same as ``pearson``, of ranks; an item of weight 2 is there twice, tied with itself.
    """
    return spearman_with(first)(second)


def spearman_with(first: Float64s) -> Callable[[Float64s], Statistic]:
    """Return ``spearman`` of the same first values and any second ones.

    What is computed of the first for a block of weights is kept for the next statistic of it.
    """
    ranked = _for_same_weights(weighted_ranks(first))

    def with_second(second: Float64s) -> Statistic:
        ranks = weighted_ranks(second)

        def statistic(weights: Float64s) -> Float64s:
            weighted, of_first = ranked(weights)
            other = ranks(weights)
            covariance = np.einsum("ij,ij->i", weighted, other)
            of_second = np.einsum("ij,ij,ij->i", weights, other, other)
            return _correlations_of(covariance, of_first, of_second)

        return statistic

    return with_second


def value_of(statistic: Statistic, items: int) -> float:
    """Return the statistic of all items once; NaN where there are none."""
    return float(statistic(np.ones((1, items)))[0]) if items else float("nan")


def is_perfect(value: float) -> bool:
    """Return whether a correlation is 1 or -1 but for rounding."""
    return abs(value) >= 1 - _NO_SPREAD


def widen_perfect(value: float, items: int, ends: tuple[float, float]) -> tuple[float, float]:
    """Return the 95 % interval of a correlation, with a width where it is 1 or -1.

    No sample of a bootstrap is anything else there. Items taken two by two, each once, are then all
    in the same order by both, and the share of such couples is at least the lower end of its exact
    interval. That is a Kendall's tau of twice the share less 1, and of normal values a correlation
    of the sine of tau times half of pi (Greiner 1909).

    Example:
        >>> low, high = widen_perfect(1.0, 40, (1.0, 1.0))
        >>> round(low, 3), high
        (0.863, 1.0)

    Args:
        value: the correlation.
        items: that it is of.
        ends: of its interval by bootstrap.
    """
    if not is_perfect(value):
        return ends
    couples = items // 2
    tau = 2 * share_interval(couples, couples)[0] - 1
    least = float(np.sin(np.pi / 2 * tau))
    return (min(ends[0], least), 1.0) if value > 0 else (-1.0, max(ends[1], -least))


def _standardise_values(values: Float64s) -> Float64s:
    largest = np.abs(values).max(initial=0)  # or squares of it might overflow
    scaled = values / largest if largest > 0 else values
    shifted = scaled - scaled[:1]  # exactly 0 where all are equal
    centred = shifted - shifted.mean() if len(shifted) else shifted
    spread = np.sqrt((centred**2).mean()) if len(centred) else 0
    return np.asarray(centred / spread if spread > 0 else np.zeros_like(centred))


def weighted_ranks(values: Float64s) -> Callable[[Float64s], Float64s]:
    """Return a function of (b, n) weights to (b, n) ranks, less their mean."""
    order = np.argsort(values, kind="stable")
    _, group, sizes = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(sizes) - 1

    def ranks(weights: Float64s) -> Float64s:
        up_to = np.cumsum(weights[:, order], axis=1)
        ends = up_to[:, last] if len(last) < len(order) else up_to  # (b, g), for g distinct values
        middle = ends.copy()
        middle[:, 1:] += ends[:, :-1]
        middle -= up_to[:, -1:]
        middle /= 2
        return np.asarray(middle[:, group])

    return ranks


def _for_same_weights(
    ranks: Callable[[Float64s], Float64s],
) -> Callable[[Float64s], tuple[Float64s, Float64s]]:
    """Return a function of weights to weighted ranks and their variance; it keeps the last ones."""
    cache: list[tuple[Float64s, tuple[Float64s, Float64s]]] = []

    def ranked(weights: Float64s) -> tuple[Float64s, Float64s]:
        if not cache or cache[0][0] is not weights:
            own_ranks = ranks(weights)
            weighted = weights * own_ranks
            cache[:] = [(weights, (weighted, np.einsum("ij,ij->i", weighted, own_ranks)))]
        return cache[0][1]

    return ranked


def _correlations_of(covariance: Float64s, of_first: Float64s, of_second: Float64s) -> Float64s:
    defined = np.minimum(of_first, of_second) > _NO_SPREAD
    scale = np.sqrt(np.where(defined, of_first * of_second, 1))
    return np.where(defined, np.clip(covariance / scale, -1, 1), np.nan)
