"""Pair sets of similar and dissimilar terms: how well similarities part the two ([MTS] 5.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from trainer.evaluation.bootstrap import interval, mean_figure
from trainer.evaluation.correlation import value_of, weighted_ranks
from trainer.evaluation.figures import TaskFigure
from trainer.evaluation.relatedness import Bools, Floats, counted_pairs
from trainer.evaluation.resampling import Float64s, Statistic, resampled
from trainer.pairs import PairSet


@dataclass(frozen=True, eq=False)
class PairClassification:
    """What a set of pairs with labels came to.

    Attributes:
        figures: AUC (primary), and accuracy at the best threshold.
        items: the accuracy of each of the p pairs, 0 or 1, for McNemar's test; NaN if not counted.
        threshold: pairs at least so similar are taken as similar ones; chosen on these same pairs.
        false_positives: (t,) float64, rising from 0 to 1: the ROC curve, at each threshold.
        true_positives: (t,) float64, rising from 0 to 1.
        pairs: all pairs of the set, covered or not.
        undefined: why the figures are NaN; "" where they are not.
    """

    figures: tuple[TaskFigure, ...]
    items: Mapping[str, Float64s]
    threshold: float
    false_positives: Float64s
    true_positives: Float64s
    pairs: int
    undefined: str


def pair_classification(
    pairs: PairSet,
    similarities: Floats,
    *,
    counted: Bools | None = None,
    seed: int = 0,
    resamples: int = 2000,
    tick: Callable[[], None] = lambda: None,
) -> PairClassification:
    """Tell similar pairs from dissimilar ones by their similarity; equal ones count half in AUC.

    Args:
        pairs: p pairs, scored 1 for similar and 0 for dissimilar ones.
        similarities: (p,), NaN for pairs that are not covered.
        counted: (p,) bool, the pairs to count; by default those that are covered.
        seed: of the bootstrap over pairs.
        resamples: of the bootstrap, for AUC.
        tick: called between blocks; may raise to stop.

    Raises:
        ValueError: for scores that are neither 0 nor 1, similarities that do not fit the pairs,
            are infinite, or NaN where counted.
    """
    if not np.isin(pairs.scores, (0, 1)).all():
        raise ValueError(f"{pairs.name} has scores other than 0 and 1; correlate them instead")
    labels, (found,), there = counted_pairs(pairs, [similarities], counted)
    thresholds, false, true = _roc(labels, found)
    accuracies = (true + labels.size - labels.sum() - false) / max(labels.size, 1)
    best = int(accuracies.argmax())
    right = np.full(len(pairs), np.nan)
    undefined = _why_undefined(labels)
    if not undefined:
        right[there] = (found >= thresholds[best]) == labels
    statistic = _auc(labels, found)
    value = value_of(statistic, len(labels))
    ends = interval(resampled(statistic, len(labels), seed, resamples, tick))
    tick()
    return PairClassification(
        (
            TaskFigure("AUC", value, *ends, len(labels), True),
            mean_figure("accuracy", right, seed, primary=False),
        ),
        {"accuracy": right},
        float(thresholds[best]),
        false / max(false[-1], 1),
        true / max(true[-1], 1),
        len(pairs),
        undefined,
    )


def _roc(labels: Float64s, similarities: Float64s) -> tuple[Float64s, Float64s, Float64s]:
    """Return falling thresholds, and the false and true positives at each, from none to all."""
    order = np.argsort(-similarities, kind="stable")
    ordered = similarities[order]
    last = np.flatnonzero(np.diff(ordered, append=-np.inf))  # of each run of equal ones
    true = np.cumsum(labels[order])[last]
    return (
        np.concatenate(([np.inf], ordered[last])),
        np.concatenate(([0.0], last + 1 - true)),
        np.concatenate(([0.0], true)),
    )


def _auc(labels: Float64s, similarities: Float64s) -> Statistic:
    """Return the chance that a similar pair is more similar than a dissimilar one."""
    ranks = weighted_ranks(similarities)

    def statistic(weights: Float64s) -> Float64s:
        similar, dissimilar = weights * labels, weights * (1 - labels)
        above = np.einsum("ij,ij->i", similar, ranks(dissimilar))
        combinations = similar.sum(axis=1) * dissimilar.sum(axis=1)
        defined = combinations > 0
        return np.where(defined, 0.5 + above / np.where(defined, combinations, 1), np.nan)

    return statistic


def _why_undefined(labels: Float64s) -> str:
    for label, name in ((1, "similar"), (0, "dissimilar")):
        if not (labels == label).any():
            return f"none of the {len(labels)} covered pairs is a {name} one"
    return ""
