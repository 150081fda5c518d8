"""The tail of the bootstrap of a mean, which no number of samples that one can draw reaches."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Float64s = NDArray[np.float64]
Int64s = NDArray[np.int64]

_NEAREST = -1e-6  # a saddlepoint; nearer to 0 the formula divides by next to nothing
_FARTHEST = -35.0  # standard deviations; beyond, the normal tail is that of its series


def bootstrap_tail(differences: Float64s) -> float:
    """Return the chance that a sample's mean is 0 or has not the sign of the mean of all items.

    A sample has as many items as there are, drawn with replacement. Its chance is the saddlepoint
    approximation (Davison and Hinkley 1988, *Saddlepoint Approximations in Resampling Methods*,
    with the formula of Lugannani and Rice 1980), whose relative precision holds however small it
    is; where no item has the other sign it is exact.

    Example:
        >>> bootstrap_tail(np.array([1.0, 1.0, 0.0, 0.0]))  # (1/2)^4: only zeros are drawn
        0.0625

    Args:
        differences: (n,) float64, n at least 1.
    """
    from scipy.optimize import brentq

    largest = np.abs(differences).max()
    if not largest or not differences.sum():
        return 1.0
    values, counts = np.unique(
        differences * np.sign(differences.sum()) / largest, return_counts=True
    )
    if values[0] >= 0:
        zeros = counts[0] if values[0] == 0 else 0
        return float((zeros / len(differences)) ** len(differences))
    step = float(np.abs(values[values != 0]).min())

    def excess(point: float) -> float:
        """By how much the tilted sum is above the middle of 0 and the next sum."""
        return _cumulants_at(values, counts, point)[1] - step / 2

    lowest = -1.0
    while excess(lowest) > 0:
        lowest *= 2
    if excess(0.0) <= 0:
        return 0.5
    point = float(brentq(excess, lowest, 0.0))
    return 0.5 if point > _NEAREST else _lugannani_rice(values, counts, point, step)


def _lugannani_rice(values: Float64s, counts: Int64s, point: float, step: float) -> float:
    """Return the lower tail at a saddlepoint, corrected for sums that are ``step`` apart."""
    from scipy.stats import norm

    cumulant, _, variance = _cumulants_at(values, counts, point)
    root = -float(np.sqrt(max(2 * (point * step / 2 - cumulant), 0.0)))
    slope = 2 / step * np.sinh(step / 2 * point) * np.sqrt(variance)
    near = root > _FARTHEST
    mills = norm.cdf(root) / norm.pdf(root) if near else -1 / root + 1 / root**3
    return float(np.clip(norm.pdf(root) * (mills + 1 / root - 1 / slope), 0.0, 1.0))


def _cumulants_at(values: Float64s, counts: Int64s, point: float) -> tuple[float, float, float]:
    """Return the cumulant generating function of a sample's sum, and its two derivatives."""
    shift = float((point * values).max())
    weights = counts * np.exp(point * values - shift)
    total, items = weights.sum(), int(counts.sum())
    mean = float(weights @ values / total)
    variance = float(weights @ (values - mean) ** 2 / total)
    return items * (shift + float(np.log(total / items))), items * mean, items * variance
