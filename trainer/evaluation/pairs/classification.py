"""Pair sets of similar and dissimilar terms: how well similarities part the two ([MTS] 5.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from termexplorer.trainer.errors import Message, TrainerError
from termexplorer.trainer.evaluation.bootstrap import mean_figure
from termexplorer.trainer.evaluation.figures import MetricValue
from termexplorer.trainer.evaluation.pairs.delong import area_interval_by, placements
from termexplorer.trainer.evaluation.pairs.relatedness import Bools, Floats, counted_pairs
from termexplorer.trainer.evaluation.pairs.roc import best_threshold, roc
from termexplorer.trainer.evaluation.resampling import Float64s
from termexplorer.trainer.files.pairs import PairSet
from termexplorer.trainer.metrics import ACCURACY, AUC


@dataclass(frozen=True, eq=False)
class PairClassification:
    """What a set of pairs with labels came to.

    Attributes:
        figures: AUC (primary), and accuracy at the best threshold, which is never below the share
            of the commoner label.
        items: the accuracy of each of the p pairs, 0 or 1, for McNemar's test; NaN if not counted.
        threshold: pairs at least so similar are taken as similar ones; chosen on these same pairs.
        false_positives: (t,) float64, rising from 0 to 1: the ROC curve, at each threshold.
        true_positives: (t,) float64, rising from 0 to 1.
        pairs: all pairs of the set, covered or not.
        undefined: why the figures are NaN; "" where they are not.
    """

    figures: tuple[MetricValue, ...]
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
    tick: Callable[[], None] = lambda: None,
) -> PairClassification:
    """Tell similar pairs from dissimilar ones by their similarity; equal ones count half in AUC.

    The AUC's interval is by ``area_interval``.

    Args:
        pairs: p pairs, scored 1 for similar and 0 for dissimilar ones.
        similarities: (p,), NaN for pairs that are not covered.
        counted: (p,) bool, the pairs to count; by default those that are covered.
        seed: of the bootstrap over pairs, for accuracy.
        tick: called between steps; may raise to stop.

    Raises:
        ValueError: for scores that are neither 0 nor 1, similarities that do not fit the pairs,
            are infinite, or NaN where counted.
    """
    check_labels(pairs)
    labels, (counted_similarities,), is_counted = counted_pairs(pairs, [similarities], counted)
    _, false, true = roc(labels, counted_similarities)
    threshold = best_threshold(labels, counted_similarities)
    right = np.full(len(pairs), np.nan)
    undefined = _why_undefined(labels)
    if not undefined:
        right[is_counted] = (counted_similarities >= threshold) == labels
    area = low = high = float("nan")
    method = ""
    if not undefined:
        placed = placements(labels, counted_similarities)
        area = float(placed[labels == 1].mean())
        low, high, method = area_interval_by(labels, placed)
    tick()
    return PairClassification(
        (
            MetricValue(AUC, area, low, high, len(labels), True, method),
            _accuracy_figure(mean_figure(ACCURACY, right, seed, primary=False)),
        ),
        {ACCURACY: right},
        threshold,
        false / max(false[-1], 1),
        true / max(true[-1], 1),
        len(pairs),
        undefined,
    )


def _accuracy_figure(figure: MetricValue) -> MetricValue:
    """Cut the interval at a half, which no best threshold is below whatever the share of labels."""
    return replace(figure, low=max(figure.low, 0.5)) if figure.n else figure


def check_labels(pairs: PairSet) -> None:
    """Refuse pairs that people scored on a scale.

    Raises:
        ValueError: for scores that are neither 0 nor 1.
    """
    if not np.isin(pairs.scores, (0, 1)).all():
        raise TrainerError(
            "{name} has scores other than 0 and 1, which are no labels; take the task relatedness",
            name=pairs.name,
        )


def _why_undefined(labels: Float64s) -> str:
    if not (labels == 1).any():
        return Message("none of the {pairs} covered pairs is a similar one", pairs=len(labels))
    if not (labels == 0).any():
        return Message("none of the {pairs} covered pairs is a dissimilar one", pairs=len(labels))
    return ""
