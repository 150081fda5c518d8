"""ROC curves of pairs with labels: the points, fewer of them to draw, and the area."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.evaluation.pairs.correlation import weighted_ranks
from termexplorer.trainer.evaluation.resampling import Float64s, Statistic
from termexplorer.trainer.search.ties import order_shown

_DRAWN = 200  # points


def roc(labels: Float64s, similarities: Float64s) -> tuple[Float64s, Float64s, Float64s]:
    """Return falling thresholds, and the false and true positives at each, from none to all.

    Args:
        labels: (p,), 1 for similar pairs and 0 for dissimilar ones.
        similarities: (p,) float64, finite.
    """
    order = order_shown(similarities)
    ordered = similarities[order]
    last = np.flatnonzero(np.diff(ordered, append=-np.inf))  # of each run of equal ones
    true = np.cumsum(labels[order])[last]
    return (
        np.concatenate(([np.inf], ordered[last])),
        np.concatenate(([0.0], last + 1 - true)),
        np.concatenate(([0.0], true)),
    )


def best_threshold(labels: Float64s, similarities: Float64s) -> float:
    """Return the highest threshold of the best accuracy; infinite where no pair is to pass it."""
    thresholds, false, true = roc(labels, similarities)
    return float(thresholds[(true - false).argmax()])


def middle_threshold(labels: Float64s, similarities: Float64s) -> float:
    """Return what lies midway between ``best_threshold`` and the next lower similarity.

    It is the better one for other pairs than those that it was chosen on.
    """
    thresholds, false, true = roc(labels, similarities)
    best = int((true - false).argmax())
    return float(thresholds[best : best + 2].mean())


def auc(labels: Float64s, similarities: Float64s) -> Statistic:
    """Return the chance that a similar pair is more similar than a dissimilar one.

    Equal similarities count half; NaN where the weights leave pairs of one kind alone.
    """
    ranks = weighted_ranks(similarities)

    def statistic(weights: Float64s) -> Float64s:
        similar, dissimilar = weights * labels, weights * (1 - labels)
        above = np.einsum("ij,ij->i", similar, ranks(dissimilar))
        combinations = similar.sum(axis=1) * dissimilar.sum(axis=1)
        defined = combinations > 0
        return np.where(defined, 0.5 + above / np.where(defined, combinations, 1), np.nan)

    return statistic


def drawn_points(false: Float64s, true: Float64s, most: int = _DRAWN) -> NDArray[np.int64]:
    """Return which points of a ROC curve are enough to draw it, the first and last among them.

    They lie evenly along the curve, so that nothing of it is further than 2 / ``most`` from one.

    Args:
        false: (t,) rising from 0 to 1.
        true: (t,) likewise.
        most: how many points at most, about.
    """
    if len(false) <= most:
        return np.arange(len(false))
    along = false + true
    indices = np.searchsorted(along, np.linspace(0, along[-1], most))
    return np.unique(np.concatenate(([0], indices, [len(false) - 1])))
