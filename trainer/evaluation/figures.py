"""A figure with its interval."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TaskFigure:
    """What a task came to.

    Attributes:
        metric: its name.
        value: the mean over mentions; NaN where there is none.
        low: lower end of its 95 % interval.
        high: upper end.
        n: mentions counted.
        primary: whether it is the task's main figure.
    """

    metric: str
    value: float
    low: float
    high: float
    n: int
    primary: bool
