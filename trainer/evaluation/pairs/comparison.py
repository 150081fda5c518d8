"""Two encoders on the same pair set: how their AUC and their accuracy differ ([MTS] 5.2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from termexplorer.trainer.evaluation.comparison import Comparison, compare, least_p
from termexplorer.trainer.evaluation.normal import normal_interval, normal_p
from termexplorer.trainer.evaluation.pairs.classification import check_labels
from termexplorer.trainer.evaluation.pairs.delong import (
    FEWEST_OF_A_KIND,
    area_interval,
    placements,
    spread,
)
from termexplorer.trainer.evaluation.pairs.relatedness import Bools, Floats, counted_pairs
from termexplorer.trainer.evaluation.pairs.roc import best_threshold
from termexplorer.trainer.evaluation.resampling import Float64s
from termexplorer.trainer.files.pairs import PairSet
from termexplorer.trainer.metrics import ACCURACY, AUC


def compare_classifications(
    pairs: PairSet,
    first: Floats,
    second: Floats,
    *,
    counted: Bools | None = None,
    seed: int = 0,
    resamples: int = 20_000,
    tick: Callable[[], None] = lambda: None,
) -> dict[str, Comparison]:
    """Compare how two similarities part the similar pairs of a set from the dissimilar ones.

    The p of AUC is by DeLong's test, and no less than ``least_p`` of the pairs; 1 where there is
    one pair of a kind alone, of which nothing can be told. That of the accuracies, each at its own
    best threshold, is McNemar's.

    Args:
        pairs: p pairs, scored 1 for similar and 0 for dissimilar ones.
        first: (p,), NaN for pairs that are not covered.
        second: (p,), likewise.
        counted: (p,) bool, the pairs to count; by default those that are covered by both.
        seed: of the bootstrap, by which the difference of accuracies has its interval.
        resamples: of the bootstrap.
        tick: called between steps; may raise to stop.

    Returns:
        a comparison for ``AUC`` and one for ``accuracy``; nothing where they are undefined.

    Raises:
        ValueError: as for ``pair_classification``.
    """
    check_labels(pairs)
    labels, (first_values, second_values), _ = counted_pairs(pairs, [first, second], counted)
    if len(np.unique(labels)) < 2:
        return {}
    right = [
        (values >= best_threshold(labels, values)) == labels
        for values in (first_values, second_values)
    ]
    tick()
    accuracy = compare(
        *(correct.astype(np.float64) for correct in right), seed=seed, resamples=resamples
    )
    areas = _compare_areas(labels, first_values, second_values)
    return {AUC: areas, ACCURACY: replace(accuracy, p=accuracy.p_mcnemar)}


def _compare_areas(labels: Float64s, first: Float64s, second: Float64s) -> Comparison:
    """Compare two AUC; there is no single pair on which one of them is the better one."""
    placed = [placements(labels, similarities) for similarities in (first, second)]
    areas = [float(placement[labels == 1].mean()) for placement in placed]
    value, least = areas[0] - areas[1], 1.0
    if min(labels.sum(), (1 - labels).sum()) >= FEWEST_OF_A_KIND:
        least = least_p(len(labels))
    error = spread(labels, placed[0] - placed[1]) if least < 1 else 0.0
    ends = normal_interval(value, error) if error else _interval_of_both(labels, placed, areas)
    p = max(normal_p(value, error), least)
    return Comparison(value, *ends, p, 0, 0, float("nan"), len(labels), least)


def _interval_of_both(
    labels: Float64s, placed: list[Float64s], areas: list[float]
) -> tuple[float, float]:
    """Return the interval of a difference that has no spread, by those of both AUC.

    Newcombe 1998, *Interval Estimation for the Difference between Independent Proportions*, method
    10: too wide where the two err alike, but never without width.
    """
    (low, high), (other_low, other_high) = (
        area_interval(labels, placement) for placement in placed
    )
    value = areas[0] - areas[1]
    return (
        max(-1.0, value - float(np.hypot(areas[0] - low, other_high - areas[1]))),
        min(1.0, value + float(np.hypot(high - areas[0], areas[1] - other_low))),
    )
