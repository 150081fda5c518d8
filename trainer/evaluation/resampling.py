"""Bootstrap intervals of any statistic of weighted items: percentile and BCa."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Float64s = NDArray[np.float64]

Statistic = Callable[[Float64s], Float64s]
"""(b, n) weights, how often each of n items counts, to (b,) values; NaN where it is undefined."""

_BLOCK = 500_000  # weights at a time
_JACKKNIVES = 2000  # items left out in turn, at most; of more, as many at random


@dataclass(frozen=True)
class Bootstrap:
    """How items are drawn.

    Attributes:
        seed: of the resampling.
        resamples: how many; those for which a statistic is undefined are left out.
        level: of confidence.
    """

    seed: int = 0
    resamples: int = 2000
    level: float = 0.95

    def percentile(
        self, statistic: Statistic, items: int, tick: Callable[[], None] = lambda: None
    ) -> tuple[float, float]:
        """Return the percentile interval of a statistic; (NaN, NaN) where it is undefined.

        Args:
            statistic: of the weights of items.
            items: how many there are.
            tick: called between blocks; may raise to stop.
        """
        rng = np.random.default_rng(self.seed)
        return _quantiles(_resampled(statistic, items, rng, self.resamples, tick), *self._ends())

    def bca(
        self, statistic: Statistic, items: int, tick: Callable[[], None] = lambda: None
    ) -> tuple[float, float]:
        """Return the bias-corrected and accelerated interval ([MTS] 5.1; Efron 1987).

        The same as ``percentile``, with its ends moved.
        """
        from scipy.special import ndtr, ndtri

        rng = np.random.default_rng(self.seed)
        values = _resampled(statistic, items, rng, self.resamples, tick)
        if not len(values):
            return float("nan"), float("nan")
        whole = statistic(np.ones((1, items)))[0]
        below = ((values < whole).mean() + (values <= whole).mean()) / 2
        least = 0.5 / len(values)
        bias = ndtri(np.clip(below, least, 1 - least))
        shifts = bias + ndtri(self._ends())
        acceleration = _acceleration(statistic, items, rng, tick)
        return _quantiles(values, *ndtr(bias + shifts / (1 - acceleration * shifts)))

    def _ends(self) -> tuple[float, float]:
        return (1 - self.level) / 2, (1 + self.level) / 2


def _quantiles(values: Float64s, *shares: float) -> tuple[float, float]:
    if not len(values):
        return float("nan"), float("nan")
    low, high = np.quantile(values, shares)
    return float(low), float(high)


def _resampled(
    statistic: Statistic,
    items: int,
    rng: np.random.Generator,
    resamples: int,
    tick: Callable[[], None],
) -> Float64s:
    """Return the statistic of items drawn with replacement, where it is defined."""
    if not items:
        return np.empty(0)
    values = []
    for rows in _blocks(resamples, items, tick):
        drawn = rng.integers(0, items, (rows, items)) + items * np.arange(rows)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=rows * items)
        values.append(statistic(counts.reshape(rows, items).astype(np.float64)))
    return _defined(np.concatenate(values))


def _acceleration(
    statistic: Statistic, items: int, rng: np.random.Generator, tick: Callable[[], None]
) -> float:
    """Return the skewness of the jackknife, by which the interval's ends are moved."""
    left_out = np.arange(items)
    if items > _JACKKNIVES:
        left_out = rng.choice(items, _JACKKNIVES, replace=False)
    values, done = [], 0
    for rows in _blocks(len(left_out), items, tick):
        weights = np.ones((rows, items))
        weights[np.arange(rows), left_out[done : done + rows]] = 0
        values.append(statistic(weights))
        done += rows
    defined = _defined(np.concatenate(values))
    if not len(defined):
        return 0.0
    influence = defined.mean() - defined
    scale = items / len(defined)  # what those left out stand for
    spread = scale * (influence**2).sum()
    return float(scale * (influence**3).sum() / (6 * spread**1.5)) if spread > 0 else 0.0


def _blocks(rows: int, columns: int, tick: Callable[[], None]) -> Iterator[int]:
    """Yield how many rows to take at a time, with a tick before each."""
    size = max(1, _BLOCK // columns)
    for start in range(0, rows, size):
        tick()
        yield min(size, rows - start)


def _defined(values: Float64s) -> Float64s:
    return values[~np.isnan(values)]
