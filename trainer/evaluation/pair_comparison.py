"""Two encoders on the same pair set: how their AUC and their accuracy differ ([MTS] 5.2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from trainer.evaluation.bootstrap import interval
from trainer.evaluation.comparison import Comparison, compare, least_p
from trainer.evaluation.correlation import value_of
from trainer.evaluation.delong import normal_interval, normal_p, placements, spread
from trainer.evaluation.pair_classification import RESAMPLED, check_labels
from trainer.evaluation.relatedness import Bools, Floats, counted_pairs
from trainer.evaluation.resampling import Float64s, resampled, two_sided
from trainer.evaluation.roc import auc, best_threshold
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

    The p of AUC is by paired bootstrap for up to ``RESAMPLED`` pairs, and no less than ``least_p``
    of them, by DeLong's test for more; that of the accuracies, each at its own best threshold, is
    McNemar's.

    Args:
        pairs: p pairs, scored 1 for similar and 0 for dissimilar ones.
        first: (p,), NaN for pairs that are not covered.
        second: (p,), likewise.
        counted: (p,) bool, the pairs to count; by default those that are covered by both.
        seed: of the bootstrap.
        resamples: of the bootstrap; the least p they show is about one in as many.
        tick: called between blocks; may raise to stop.

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
    if len(labels) > RESAMPLED:
        area = _by_delong(labels, one, other)
    else:
        area = _by_bootstrap(labels, one, other, seed, resamples, tick)
    return {"AUC": area, "accuracy": replace(accuracy, p=accuracy.p_mcnemar)}


def _by_delong(labels: Float64s, one: Float64s, other: Float64s) -> Comparison:
    placed = placements(labels, one) - placements(labels, other)
    value, error = float(placed[labels == 1].mean()), spread(labels, placed)
    return _of_areas(value, normal_interval(value, error), normal_p(value, error), len(labels))


def _by_bootstrap(
    labels: Float64s,
    one: Float64s,
    other: Float64s,
    seed: int,
    resamples: int,
    tick: Callable[[], None],
) -> Comparison:
    first, second = auc(labels, one), auc(labels, other)

    def difference(weights: Float64s) -> Float64s:
        return first(weights) - second(weights)

    values = resampled(difference, len(labels), seed, resamples, tick)
    value = value_of(difference, len(labels))
    p = max(two_sided(values), least_p(len(labels)))
    return _of_areas(value, interval(values), p, len(labels))


def _of_areas(value: float, ends: tuple[float, float], p: float, count: int) -> Comparison:
    """There is no single pair on which one AUC is the better one."""
    return Comparison(value, *ends, p, 0, 0, float("nan"), count)
