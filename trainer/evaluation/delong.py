"""The spread of the AUC of very many pairs, and of the difference of two, without resampling.

DeLong, DeLong and Clarke-Pearson 1988, *Comparing the Areas under Two or More Correlated Receiver
Operating Characteristic Curves*; by ranks in O(p log p) as in Sun and Xu 2014.
"""

from __future__ import annotations

import numpy as np

from trainer.evaluation.resampling import Float64s

_TWO_SIDED = 1.959963984540054  # standard deviations that hold 95 % of a normal distribution


def placements(labels: Float64s, similarities: Float64s) -> Float64s:
    """Return the share of pairs of the other kind that each pair lies on the right side of, (p,).

    Equal similarities count half. The mean over the similar pairs is the AUC, and so is that over
    the dissimilar ones.

    Args:
        labels: (p,), 1 for similar pairs and 0 for dissimilar ones; some of both.
        similarities: (p,) float64, finite.
    """
    similar = labels == 1
    found = np.empty(len(labels))
    for own, others, turned in ((similar, ~similar, False), (~similar, similar, True)):
        ordered = np.sort(similarities[others])
        ends = [np.searchsorted(ordered, similarities[own], side) for side in ("left", "right")]
        below = (ends[0] + ends[1]) / 2 / len(ordered)
        found[own] = 1 - below if turned else below
    return found


def spread(labels: Float64s, placed: Float64s) -> float:
    """Return the standard error of an AUC, or of the difference of two.

    Args:
        labels: (p,), with at least two pairs of each kind.
        placed: (p,), the placements of an encoder, or those of one less those of another.
    """
    parts = [placed[labels == label] for label in (0, 1)]
    return float(np.sqrt(sum(part.var(ddof=1) / len(part) for part in parts)))


def normal_interval(value: float, error: float) -> tuple[float, float]:
    """Return the 95 % interval of a value by its standard error."""
    return value - _TWO_SIDED * error, value + _TWO_SIDED * error


def normal_p(value: float, error: float) -> float:
    """Return the two-sided p of a true value of 0; 1 where it is 0."""
    from scipy.special import ndtr

    if not value:
        return 1.0
    return float(2 * ndtr(-abs(value) / error)) if error else 0.0
