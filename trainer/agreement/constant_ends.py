"""Intervals of coefficients that are the same in every sample, so that samples have none."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from termexplorer.trainer.agreement.coefficients import Coefficient
from termexplorer.trainer.agreement.ratings import Float64s, Int64s
from termexplorer.trainer.evaluation.shares import share_interval

_SAME = 1e-9  # what rounding leaves of equal values


def is_constant(ends: tuple[float, float]) -> bool:
    """Return whether an interval has no width; one that is undefined has none either way."""
    return ends[1] - ends[0] < _SAME


def constant_ends(
    kind: Callable[[Sequence[Int64s]], Coefficient],
    tables: Sequence[Int64s],
    labels: int,
    agreement: float,
    items: int,
) -> tuple[float, float]:
    """Return what a coefficient would be at either end of the exact interval of raw agreement.

    For the lower end so many items are added as that interval asks for, half of which every second
    rater has given the commonest label and the others the next one, and half the two exchanged; for
    the upper end items to which all have given the commonest label, and as many with the next one.

    Args:
        kind: makes the coefficient of tables.
        tables: codes, each (n, c), of the same n items.
        labels: on the scale.
        agreement: raw agreement on the tables, from 0 to 1.
        items: that have two ratings at least.
    """
    low, high = share_interval(round(agreement * items, 9), items)
    if labels < 2:
        return low, high
    apart = items * (agreement / low - 1) if low > 0 else 0.0
    alike = items * (high - agreement) / (1 - high) if high < 1 else 0.0
    return (
        _with_items(kind, [np.vstack([table, _two_rows(table, 1)]) for table in tables], apart),
        _with_items(kind, [np.vstack([table, _two_rows(table, 0)]) for table in tables], alike),
    )


def _two_rows(codes: Int64s, step: int) -> Int64s:
    """Return the two commonest labels as items, (2, c), every second rater `step` labels on."""
    used = np.bincount(codes[codes >= 0], minlength=2)
    both = np.argsort(-used, kind="stable")[:2]
    turns = (np.arange(codes.shape[1]) % 2) * step
    rows: Int64s = both[(np.arange(2)[:, None] + turns) % 2]
    return rows


def _with_items(
    kind: Callable[[Sequence[Int64s]], Coefficient], tables: Sequence[Int64s], added: float
) -> float:
    """Return the coefficient of tables whose last two items count half of what is added each."""
    times: Float64s = np.array([[1.0] * (len(tables[0]) - 2) + [added / 2] * 2])
    return float(kind(tables)(times)[0])


def difference_ends(
    first: tuple[float, float, float], second: tuple[float, float, float]
) -> tuple[float, float]:
    """Return the interval of one figure less another, from the interval of each.

    Zou and Donner 2008, *Construction of confidence intervals about effect measures*; as if the two
    were independent, which is on the safe side for figures of the same items.

    Args:
        first: value, low and high.
        second: of what is taken from it.
    """
    (value, low, high), (less, least, most) = first, second
    difference = value - less
    return (
        float(difference - np.hypot(value - low, most - less)),
        float(difference + np.hypot(high - value, less - least)),
    )
