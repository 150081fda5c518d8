"""Two encoders on the same pair set: how their AUC and their accuracy differ ([MTS] 5.2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from trainer.evaluation.comparison import Comparison, compare, least_p
from trainer.evaluation.delong import FEWEST_OF_A_KIND, placements, spread
from trainer.evaluation.normal import normal_interval, normal_p
from trainer.evaluation.pair_classification import check_labels
from trainer.evaluation.relatedness import Bools, Floats, counted_pairs
from trainer.evaluation.resampling import Float64s
from trainer.evaluation.roc import best_threshold
from trainer.pairs import PairSet


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

    The p of AUC is by DeLong's test, and no less than ``least_p`` of the pairs; NaN where there is
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
    labels, (one, other), _ = counted_pairs(pairs, [first, second], counted)
    if len(np.unique(labels)) < 2:
        return {}
    right = [(each >= best_threshold(labels, each)) == labels for each in (one, other)]
    tick()
    accuracy = compare(*(each.astype(np.float64) for each in right), seed=seed, resamples=resamples)
    areas = _compare_areas(labels, one, other)
    return {"AUC": areas, "accuracy": replace(accuracy, p=accuracy.p_mcnemar)}


def _compare_areas(labels: Float64s, one: Float64s, other: Float64s) -> Comparison:
    """Compare two AUC; there is no single pair on which one of them is the better one."""
    placed = placements(labels, one) - placements(labels, other)
    value, ends, p = float(placed[labels == 1].mean()), (float("nan"),) * 2, float("nan")
    if min(labels.sum(), (1 - labels).sum()) >= FEWEST_OF_A_KIND:
        error = spread(labels, placed)
        ends, p = normal_interval(value, error), normal_p(value, error)
        p = max(p, least_p(len(labels)))
    return Comparison(value, *ends, p, 0, 0, float("nan"), len(labels))
