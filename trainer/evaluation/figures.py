"""A figure with its interval, and what it is a figure of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

PERCENTILE = "percentile bootstrap"
BCA = "BCa bootstrap"
CONCORDANT = "concordant couples"
"""Of a correlation of 1 or -1, from the exact interval of concordant couples."""
EXACT = "exact"
"""Of a share, by Clopper and Pearson 1934."""
ORDER = "order statistics"
"""Of a median that is the same in every sample, exact, after Thompson 1936; of 6 items or more."""
DELONG = "DeLong"
SCORE = "score"
"""Of an AUC, by Newcombe 2006."""
FROM_EXACT = "from exact agreement"
"""Of a coefficient, at the ends of the exact interval of raw agreement."""
FROM_BOTH = "from both"
"""Of a difference, from the interval of either figure, by Zou and Donner 2008."""
INTERVAL_METHODS = (PERCENTILE, BCA, CONCORDANT, EXACT, ORDER, DELONG, SCORE, FROM_EXACT, FROM_BOTH)


@dataclass(frozen=True)
class MetricValue:
    """What a task came to.

    Attributes:
        metric: its name.
        value: the mean over mentions; NaN where there is none.
        low: lower end of its 95 % interval.
        high: upper end.
        n: mentions counted.
        primary: whether it is the task's main figure.
        method: that made the interval, one of `INTERVAL_METHODS`; "" where there is none.
    """

    metric: str
    value: float
    low: float
    high: float
    n: int
    primary: bool
    method: str = ""


@dataclass(frozen=True, eq=False)
class TaskResult:
    """The figures of a task, and the values that two encoders are compared by.

    Attributes:
        figures: the primary one first.
        items: for each metric the (m,) float64 values of the mentions, in the order in which they
            were given; NaN for those that do not count.
    """

    figures: tuple[MetricValue, ...]
    items: Mapping[str, NDArray[np.float64]]
