"""Intervals of shares, which have a width where all items are right, or none is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.evaluation.normal import TWO_SIDED

Float64s = NDArray[np.float64]

_TAIL = 0.025  # on either side of a 95 % interval
_FEW = 5  # items to one side, of which a bootstrap is too narrow


@dataclass(frozen=True, slots=True)
class ShareFigure:
    """A share with its interval.

    Attributes:
        value: the share; NaN of no items.
        low: lower end of its exact 95 % interval.
        high: upper end.
        n: items that it is a share of.
    """

    value: float
    low: float
    high: float
    n: int

    @classmethod
    def of(cls, hits: float, items: int) -> ShareFigure:
        """Return the share of hits; halves, as ties make them, count as such."""
        value = hits / items if items else float("nan")
        return cls(value, *share_interval(hits, items), items)


def share_interval(hits: float, items: int) -> tuple[float, float]:
    """Return the exact 95 % interval of a share (Clopper and Pearson 1934).

    Example:
        >>> low, high = share_interval(10, 10)
        >>> round(low, 4), high
        (0.6915, 1.0)

    Args:
        hits: how many items are right; halves, as ties make them, count as such.
        items: how many there are; of none the interval is (NaN, NaN).
    """
    from scipy.special import betaincinv

    if not items:
        return float("nan"), float("nan")
    low = float(betaincinv(hits, items - hits + 1, _TAIL)) if hits > 0 else 0.0
    high = float(betaincinv(hits + 1, items - hits, 1 - _TAIL)) if hits < items else 1.0
    return low, high


def is_share(values: Float64s) -> bool:
    """Return whether the mean of some values has the interval of a share.

    So it has where each is right or wrong, and where values from 0 to 1 are all the same, or their
    mean so near to either end that few items lie to one side: no values of that mean differ more
    than rights and wrongs.

    Args:
        values: (n,), none of them NaN.
    """
    if not len(values) or values.min() < 0 or values.max() > 1:
        return False
    whole = np.isin(values, (0, 1)).all() or values.min() == values.max()
    return bool(whole or min(values.sum(), (1 - values).sum()) < _FEW)


def paired_interval(better: int, worse: int, items: int) -> tuple[float, float]:
    """Return the 95 % interval of the difference of two shares of the same items.

    Wald's with half an item more in each of the four cells (Agresti and Min 2005, *Simple Improved
    Confidence Intervals for Comparing Matched Proportions*), cut at -1 and 1.

    Args:
        better: items that are right by the first alone.
        worse: by the second alone.
        items: how many there are; at least one.
    """
    count = items + 2
    middle = (better - worse) / count
    error = np.sqrt((better + worse + 1) - (better - worse) ** 2 / count) / count
    low, high = (float(middle + sign * TWO_SIDED * error) for sign in (-1, 1))
    return max(low, -1.0), min(high, 1.0)
