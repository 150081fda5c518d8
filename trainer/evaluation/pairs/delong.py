"""The spread of an AUC, and of the difference of two, without resampling.

DeLong, DeLong and Clarke-Pearson 1988, *Comparing the Areas under Two or More Correlated Receiver
Operating Characteristic Curves*; by ranks in O(p log p) as in Sun and Xu 2014.
"""

from __future__ import annotations

import numpy as np

from termexplorer.trainer.evaluation.figures import DELONG, SCORE
from termexplorer.trainer.evaluation.normal import TWO_SIDED, normal_interval
from termexplorer.trainer.evaluation.resampling import Float64s

FEWEST_OF_A_KIND = 2  # pairs, of which there is a spread

_ROUNDING = 1e-9  # at an AUC of 1 itself the equation of its lower end holds as well


def placements(labels: Float64s, similarities: Float64s) -> Float64s:
    """Return the share of pairs of the other kind that each pair lies on the right side of, (p,).

    Equal similarities count half. The mean over the similar pairs is the AUC, and so is that over
    the dissimilar ones.

    Args:
        labels: (p,), 1 for similar pairs and 0 for dissimilar ones; some of both.
        similarities: (p,) float64, finite.
    """
    similar = labels == 1
    fractions = np.empty(len(labels))
    for own_class, other_class, turned in ((similar, ~similar, False), (~similar, similar, True)):
        ordered = np.sort(similarities[other_class])
        ends = [
            np.searchsorted(ordered, similarities[own_class], side) for side in ("left", "right")
        ]
        below = (ends[0] + ends[1]) / 2 / len(ordered)
        fractions[own_class] = 1 - below if turned else below
    return fractions


def spread(labels: Float64s, placed: Float64s) -> float:
    """Return the standard error of an AUC, or of the difference of two.

    Args:
        labels: (p,), with at least two pairs of each kind.
        placed: (p,), the placements of an encoder, or those of one less those of another.
    """
    parts = [placed[labels == label] for label in (0, 1)]
    return float(np.sqrt(sum(part.var(ddof=1) / len(part) for part in parts)))


def area_interval(labels: Float64s, placed: Float64s) -> tuple[float, float]:
    """Return the 95 % interval of an AUC, within 0 and 1.

    It is DeLong's; where that has no spread, as of an AUC of 1, or leaves 0 to 1, it is
    ``score_interval``.

    Args:
        labels: (p,), with pairs of both kinds.
        placed: (p,), the placements of an encoder.
    """
    return area_interval_by(labels, placed)[:2]


def area_interval_by(labels: Float64s, placed: Float64s) -> tuple[float, float, str]:
    """Return `area_interval` and which method made it: `DELONG` or `SCORE`."""
    area, similar = float(placed[labels == 1].mean()), int(labels.sum())
    dissimilar = len(labels) - similar
    if min(similar, dissimilar) >= FEWEST_OF_A_KIND and (error := spread(labels, placed)):
        low, high = normal_interval(area, error)
        if low >= 0 and high <= 1:
            return low, high, DELONG
    return *score_interval(area, similar, dissimilar), SCORE


def score_interval(area: float, similar: int, dissimilar: int) -> tuple[float, float]:
    """Return the 95 % interval of an AUC by what its spread would be at either end.

    Newcombe 2006, *Confidence Intervals for an Effect Size Measure Based on the Mann-Whitney
    Statistic, Part 2*, method 5, with the variance of Hanley and McNeil 1982.

    Args:
        area: the AUC.
        similar: how many pairs are.
        dissimilar: likewise.
    """
    return (
        _lower_end(area, similar * dissimilar, similar + dissimilar),
        1 - _lower_end(1 - area, similar * dissimilar, similar + dissimilar),
    )


def _lower_end(area: float, couples: int, pairs: int) -> float:
    from scipy.optimize import brentq

    def excess(end: float) -> float:
        covariance_terms = (pairs / 2 - 1) * ((1 - end) / (2 - end) + end / (1 + end))
        variance = end * (1 - end) * (1 + covariance_terms) / couples
        return float(area - end - TWO_SIDED * np.sqrt(variance))

    return float(brentq(excess, 0.0, area * (1 - _ROUNDING))) if area > 0 else 0.0
