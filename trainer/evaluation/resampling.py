"""The bootstrap of any statistic of weighted items, and its BCa intervals."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from trainer.evaluation.bootstrap import samples

Float64s = NDArray[np.float64]

Statistic = Callable[[Float64s], Float64s]
"""(b, n) weights, how often each of n items counts, to (b,) values; NaN where it is undefined."""

_LEVEL = 0.95
_WEIGHTS = 500_000  # at a time
_JACKKNIVES = 2000  # items left out in turn, at most; of more, as many at random


def resampled(
    statistic: Statistic,
    items: int,
    seed: int,
    resamples: int,
    tick: Callable[[], None] = lambda: None,
) -> Float64s:
    """Return a statistic of items drawn with replacement, for the samples that define it.

    Args:
        statistic: of the weights of items.
        items: how many there are.
        seed: of the resampling.
        resamples: how many.
        tick: called between blocks; may raise to stop.

    Returns:
        (r,) float64, with r at most ``resamples``.
    """
    values = [np.empty(0)]
    for times in samples(items, seed, resamples):
        tick()
        values.append(statistic(times))
    return _defined(np.concatenate(values))


def bca_interval(
    values: Float64s,
    statistic: Statistic,
    items: int,
    seed: int,
    tick: Callable[[], None] = lambda: None,
) -> tuple[float, float]:
    """Return the bias-corrected and accelerated 95 % interval ([MTS] 5.1; Efron 1987).

    Args:
        values: (r,), what ``resampled`` has returned; (NaN, NaN) comes back for none.
        statistic: of the weights of items.
        items: how many there are.
        seed: of the choice of items to leave out, where there are very many.
        tick: called between blocks; may raise to stop.
    """
    from scipy.special import ndtr, ndtri

    if not len(values):
        return float("nan"), float("nan")
    whole = statistic(np.ones((1, items)))[0]
    below = ((values < whole).mean() + (values <= whole).mean()) / 2
    least = 0.5 / len(values)
    bias = ndtri(np.clip(below, least, 1 - least))
    shifts = bias + ndtri([(1 - _LEVEL) / 2, (1 + _LEVEL) / 2])
    acceleration = _acceleration(statistic, items, seed, tick)
    low, high = np.quantile(values, ndtr(bias + shifts / (1 - acceleration * shifts)))
    return float(low), float(high)


def two_sided(values: Float64s) -> float:
    """Return the p of a difference of 0 from (r,) resampled differences, as ``compare`` has it."""
    tail = int(min(np.count_nonzero(values <= 0), np.count_nonzero(values >= 0)))
    return min(1.0, 2 * (1 + tail) / (1 + len(values)))


def _acceleration(statistic: Statistic, items: int, seed: int, tick: Callable[[], None]) -> float:
    """Return the skewness of the jackknife, by which the interval's ends are moved."""
    left_out = np.arange(items)
    if items > _JACKKNIVES:
        left_out = np.random.default_rng(seed).choice(items, _JACKKNIVES, replace=False)
    values = []
    size = max(1, _WEIGHTS // items)
    for start in range(0, len(left_out), size):
        tick()
        block = left_out[start : start + size]
        weights = np.ones((len(block), items))
        weights[np.arange(len(block)), block] = 0
        values.append(statistic(weights))
    defined = _defined(np.concatenate(values))
    influence = defined.mean() - defined if len(defined) else defined
    scale = items / max(len(defined), 1)  # what those left out stand for
    spread = scale * (influence**2).sum()
    return float(scale * (influence**3).sum() / (6 * spread**1.5)) if spread > 0 else 0.0


def _defined(values: Float64s) -> Float64s:
    return values[~np.isnan(values)]
