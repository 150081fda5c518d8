"""Intervals and chances of what is normally distributed, by its standard error."""

from __future__ import annotations

TWO_SIDED = 1.959963984540054  # standard deviations that hold 95 % of a normal distribution


def normal_interval(value: float, error: float) -> tuple[float, float]:
    """Return the 95 % interval of a value by its standard error."""
    return value - TWO_SIDED * error, value + TWO_SIDED * error


def normal_p(value: float, error: float) -> float:
    """Return the two-sided p of a true value of 0; 1 where it is 0."""
    from scipy.special import ndtr

    if not value:
        return 1.0
    return float(2 * ndtr(-abs(value) / error)) if error else 0.0
