"""Percentile bootstrap of a mean over mentions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from trainer.evaluation.figures import TaskFigure

_BLOCK = 4_000_000  # resampled values at a time


def bootstrap_interval(
    values: NDArray[np.float64], seed: int, resamples: int = 2000, level: float = 0.95
) -> tuple[float, float]:
    """Return the percentile interval of the mean of values.

    Args:
        values: (n,), without NaN; (NaN, NaN) comes back for none.
        seed: of the resampling.
        resamples: how many.
        level: of confidence.
    """
    if not len(values):
        return float("nan"), float("nan")
    rng = np.random.default_rng(seed)
    rows = max(1, _BLOCK // len(values))
    means = np.concatenate(
        [
            values[rng.integers(0, len(values), (min(rows, resamples - done), len(values)))].mean(1)
            for done in range(0, resamples, rows)
        ]
    )
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def mean_figure(
    metric: str, values: NDArray[np.float64], seed: int, *, primary: bool
) -> TaskFigure:
    """Return the mean of values with its interval; NaN values are left out and not counted."""
    counted = values[~np.isnan(values)]
    low, high = bootstrap_interval(counted, seed)
    value = float(counted.mean()) if len(counted) else float("nan")
    return TaskFigure(metric, value, low, high, len(counted), primary)
