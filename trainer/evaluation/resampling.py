"""The bootstrap of any statistic of weighted items, and its BCa intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.evaluation.bootstrap import samples
from termexplorer.trainer.evaluation.normal import normal_p

Float64s = NDArray[np.float64]

Statistic = Callable[[Float64s], Float64s]
"""(b, n) weights, how often each of n items counts, to (b,) values; NaN where it is undefined."""

_LEVEL = 0.95
_BEYOND = 10  # samples beyond 0 that a p is counted from
_WEIGHTS = 500_000  # at a time
FEWEST = 3  # items that a correlation is of: of two it is 1 or -1, whatever they are
_JACKKNIVES = 2000  # items left out in turn, at most; of more, as many at random


@dataclass(frozen=True, slots=True)
class Resamples:
    """What a statistic is of all items, of samples of them, and with items left out in turn.

    The difference of two such is that of their statistics: both have the same samples.

    Attributes:
        whole: of all items once; NaN where it is undefined.
        drawn: (r,) of samples drawn with replacement; 0 where a sample does not define it, and so
            below: what does not vary has no relation to anything. Without such samples the
            interval of similarities that are mostly the same would be far too narrow.
        left_out: (j,) with one item left out; of very many items, as many at random.
        items: how many there are.
    """

    whole: float
    drawn: Float64s
    left_out: Float64s
    items: int

    def __sub__(self, other: Resamples) -> Resamples:
        return Resamples(
            self.whole - other.whole,
            self.drawn - other.drawn,
            self.left_out - other.left_out,
            self.items,
        )

    @property
    def defined(self) -> Float64s:
        """What it is of the samples; none where that of all items is undefined."""
        return np.empty(0) if np.isnan(self.whole) else self.drawn

    def interval(self) -> tuple[float, float]:
        """Return the bias-corrected and accelerated 95 % interval ([MTS] 5.1; Efron 1987).

        (NaN, NaN) comes back where the statistic is undefined.
        """
        from scipy.special import ndtr, ndtri

        values = self.defined
        if not len(values):
            return float("nan"), float("nan")
        bias, acceleration = self._corrections()
        shifts = bias + ndtri([(1 - _LEVEL) / 2, (1 + _LEVEL) / 2])
        low, high = np.quantile(values, ndtr(bias + shifts / (1 - acceleration * shifts)))
        return float(low), float(high)

    def p_of_nothing(self) -> float:
        """Return the two-sided p of a true value of 0, by which that interval would end at 0.

        Where fewer than ten samples lie beyond 0, it is that of a normal distribution that spreads
        as the samples do: no p is too small to be shown by so many samples. NaN comes back where
        the statistic is undefined.
        """
        from scipy.special import ndtr, ndtri

        values, count = self.defined, len(self.defined)
        if not count:
            return float("nan")
        below = ((values < 0).mean() + (values <= 0).mean()) / 2
        if min(below, 1 - below) * count < _BEYOND:
            return normal_p(self.whole, float(values.std()))
        bias, acceleration = self._corrections()
        shift = ndtri(below) - bias
        turned = 1 + acceleration * shift
        tail = ndtr(shift / turned - bias) if turned > 0 else float(shift > 0)
        return float(2 * min(tail, 1 - tail))

    def _corrections(self) -> tuple[float, float]:
        """Return the bias z_0 and the acceleration a of (Efron 1987)."""
        from scipy.special import ndtri

        values = self.defined
        below = ((values < self.whole).mean() + (values <= self.whole).mean()) / 2
        least = 0.5 / len(values)
        bias = float(ndtri(np.clip(below, least, 1 - least)))
        return bias, _acceleration_of(self.left_out, self.items)


def resamples_of(
    statistics: Sequence[Statistic],
    items: int,
    seed: int,
    resamples: int,
    tick: Callable[[], None] = lambda: None,
) -> list[Resamples]:
    """Return what each of several correlations is of the same samples of the same items.

    Of fewer than three items none is defined.

    Args:
        statistics: of the weights of items, 0 being that of no relation.
        items: how many there are.
        seed: of the samples, and of the choice of items to leave out, where there are very many.
        resamples: how many samples.
        tick: called between blocks; may raise to stop.
    """
    if items < FEWEST:
        return [Resamples(float("nan"), np.empty(0), np.empty(0), items) for _ in statistics]

    def values(blocks: Iterable[Float64s]) -> Float64s:
        parts = []
        for weights in blocks:
            tick()
            parts.append([statistic(weights) for statistic in statistics])
        return np.concatenate(parts, axis=1)  # (statistics, weights)

    whole = values([np.ones((1, items))])[:, 0]
    drawn, left_out = (
        np.nan_to_num(values(blocks))
        for blocks in (samples(items, seed, resamples), _left_out(items, seed))
    )
    return [
        Resamples(float(value), of_samples, without, items)
        for value, of_samples, without in zip(whole, drawn, left_out, strict=True)
    ]


def _left_out(items: int, seed: int) -> Iterator[Float64s]:
    """Yield weights of blocks of the jackknife: each item once, but for one of them."""
    chosen = np.arange(items)
    if items > _JACKKNIVES:
        chosen = np.random.default_rng(seed).choice(items, _JACKKNIVES, replace=False)
    size = max(1, _WEIGHTS // items)
    for start in range(0, len(chosen), size):
        block = chosen[start : start + size]
        weights = np.ones((len(block), items))
        weights[np.arange(len(block)), block] = 0
        yield weights


def _acceleration_of(left_out: Float64s, items: int) -> float:
    """Return the skewness of the jackknife, by which the interval's ends are moved."""
    influence = left_out.mean() - left_out if len(left_out) else left_out
    scale = items / max(len(left_out), 1)  # what those left out stand for
    spread = scale * (influence**2).sum()
    return float(scale * (influence**3).sum() / (6 * spread**1.5)) if spread > 0 else 0.0
