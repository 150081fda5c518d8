"""Means and medians over mentions; all but shares have the interval of a percentile bootstrap."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.evaluation.figures import (
    EXACT,
    ORDER,
    PERCENTILE,
    MetricValue,
    TaskResult,
)
from termexplorer.trainer.evaluation.shares import is_share, share_interval

Float64s = NDArray[np.float64]

_RESAMPLES = 2000
_BLOCK = 1_000_000  # draws at a time
_MANY = 2_000  # items; of more that have few values among them, the values are drawn
_FEW = 8


def mean_figure(metric: str, values: Float64s, seed: int, *, primary: bool) -> MetricValue:
    """Return the mean of (m,) values with its interval; NaN values are left out and not counted."""
    (figure,) = mean_figures({metric: values}, seed).figures
    return replace(figure, primary=primary)


def mean_figures(items: Mapping[str, Float64s], seed: int) -> TaskResult:
    """Return the means of several values of the same (m,) mentions, the first metric primary.

    Mentions are drawn with all their values; those for which every value is NaN are not drawn. A
    mean of rights and wrongs has the exact interval of a share.
    """
    table = np.stack(list(items.values()), axis=1)  # (m, k)
    table = table[~np.isnan(table).all(axis=1)]
    (means,) = _weighted_means(np.ones((1, len(table))), table)
    counts = (~np.isnan(table)).sum(axis=0)
    resampled = resampled_means(table, seed)
    figures = tuple(
        MetricValue(
            metric,
            float(means[at]),
            *_mean_interval(table[:, at], resampled[:, at]),
            int(counts[at]),
            at == 0,
            _mean_method(table[:, at]),
        )
        for at, metric in enumerate(items)
    )
    return TaskResult(figures, items)


def _mean_interval(values: Float64s, resampled: Float64s) -> tuple[float, float]:
    if _mean_method(values) == EXACT:
        known = values[~np.isnan(values)]
        return share_interval(float(known.sum()), len(known))
    return interval(resampled)


def _mean_method(values: Float64s) -> str:
    known = values[~np.isnan(values)]
    if not len(known):
        return ""
    return EXACT if is_share(known) else PERCENTILE


def median_figure(metric: str, values: Float64s, seed: int) -> MetricValue:
    """Return the median of (m,) values with its interval, no primary figure; NaN as in a mean.

    Where each sample has the same median, the interval is that of the order statistics, which has
    no width either where enough values are equal; fewer than six have none of 95 %: NaN.
    """
    ordered = np.sort(values[~np.isnan(values)])
    places = (len(ordered) + 1) // 2, len(ordered) // 2 + 1  # from 1; two if they are even
    resampled = [np.empty(0)]
    for times in samples(len(ordered), seed):
        up_to = times.cumsum(axis=1)
        middle = [ordered[(up_to < position).sum(axis=1)] for position in places]
        resampled.append((middle[0] + middle[1]) / 2)
    median = np.median(ordered) if len(ordered) else np.nan
    ends = interval(np.concatenate(resampled))
    method = PERCENTILE if len(ordered) else ""
    if ends[0] == ends[1]:
        ends = _order_interval(ordered)
        method = "" if np.isnan(ends[0]) else ORDER
    return MetricValue(metric, float(median), *ends, len(ordered), primary=False, method=method)


def _order_interval(ordered: Float64s, level: float = 0.95) -> tuple[float, float]:
    """Return the values between which the median is, by the sign test; NaN of too few values."""
    from scipy.stats import binom  # takes long to import

    rank = int(binom.ppf((1 - level) / 2, len(ordered), 0.5))  # from 0; one less is left out
    if rank < 1:
        return float("nan"), float("nan")
    return float(ordered[rank - 1]), float(ordered[len(ordered) - rank])


def resampled_means(
    values: Float64s,
    seed: int,
    resamples: int = _RESAMPLES,
    tick: Callable[[], None] = lambda: None,
) -> Float64s:
    """Return the means of samples of (n, k) values, NaN ones left out: (resamples, k).

    ``tick`` is called between blocks of samples, and may raise to stop.

    How often each of a few values comes in a sample of very many items, such as 0 and 1, is drawn
    at once, from the multinomial distribution that drawing the items one by one comes to.
    """
    if len(values) > _MANY and values.shape[1] == 1:
        few, counts = np.unique(values, return_counts=True)
        if len(few) <= _FEW:
            rng = np.random.default_rng(seed)
            times = rng.multinomial(len(values), counts / len(values), resamples)
            return _weighted_means(times.astype(np.float64), few[:, None])
    means = [np.empty((0, values.shape[1]))]
    for drawn in samples(len(values), seed, resamples):
        tick()
        means.append(_weighted_means(drawn, values))
    return np.concatenate(means)


def interval(values: Float64s, level: float = 0.95) -> tuple[float, float]:
    """Return the percentile interval of resampled values; (NaN, NaN) if there is none."""
    known = values[~np.isnan(values)]
    if not len(known):
        return float("nan"), float("nan")
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def samples(count: int, seed: int, resamples: int = _RESAMPLES) -> Iterator[Float64s]:
    """Yield how often each of some items is drawn, with replacement, as many as there are.

    Yields:
        (b, count) float64, ``resamples`` rows in all; nothing if there are no items.
    """
    rng = np.random.default_rng(seed)
    rows = max(1, _BLOCK // max(count, 1))
    for done in range(0, resamples if count else 0, rows):
        some = min(rows, resamples - done)
        drawn = rng.integers(0, count, (some, count)) + count * np.arange(some)[:, None]
        times = np.bincount(drawn.ravel(), minlength=some * count)
        yield times.reshape(some, count).astype(np.float64)


def _weighted_means(times: Float64s, values: Float64s) -> Float64s:
    """Return the means of (n, k) values, each so many times as (b, n) tells: (b, k)."""
    known = ~np.isnan(values)
    counts = times @ known
    sums = times @ np.where(known, values, 0)
    return np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)
