"""Relatedness and similarity sets: how similarities of pairs go with what people said ([MTS] 5.1).

The similarities of a set's pairs come from any measure, encoder or lexical encoder; a pair is
covered where they are not NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import Message, TrainerError
from termexplorer.trainer.evaluation.comparison import Comparison, least_p
from termexplorer.trainer.evaluation.figures import BCA, CONCORDANT, MetricValue
from termexplorer.trainer.evaluation.pairs.correlation import (
    is_perfect,
    pearson,
    spearman,
    spearman_with,
    widen_perfect,
)
from termexplorer.trainer.evaluation.resampling import FEWEST, Float64s, Resamples, resamples_of
from termexplorer.trainer.files.pairs import PairSet
from termexplorer.trainer.metrics import PEARSON, SPEARMAN

Bools = NDArray[np.bool_]
Floats = NDArray[np.floating]
Encoder = TypeVar("Encoder", bound=Hashable)

_CORRELATIONS = {SPEARMAN: spearman, PEARSON: pearson}
METRICS = tuple(_CORRELATIONS)
_ROUNDING = 1e-6  # of the largest similarity: what float32 leaves between equal ones


@dataclass(frozen=True)
class Relatedness:
    """What a set of pairs came to.

    Attributes:
        figures: Spearman (primary) and Pearson; ``n`` of each is the number of pairs counted.
        pairs: all pairs of the set, covered or not.
        undefined: why the figures are NaN; "" where they are not.
    """

    figures: tuple[MetricValue, ...]
    pairs: int
    undefined: str


def relatedness(
    pairs: PairSet,
    similarities: Floats,
    *,
    counted: Bools | None = None,
    seed: int = 0,
    resamples: int = 10_000,
    tick: Callable[[], None] = lambda: None,
) -> Relatedness:
    """Correlate the similarities of pairs with their scores, with BCa intervals over pairs.

    Args:
        pairs: p pairs.
        similarities: (p,), NaN for pairs that are not covered.
        counted: (p,) bool, the pairs to count; by default those that are covered.
        seed: of the bootstrap.
        resamples: of the bootstrap.
        tick: called between blocks; may raise to stop.

    Raises:
        ValueError: for similarities that do not fit the pairs, are infinite, or NaN where counted.
    """
    scores, (counted_similarities,), _ = counted_pairs(pairs, [similarities], counted)
    figures = []
    for name, correlation in _CORRELATIONS.items():
        statistic = correlation(scores, counted_similarities)
        (of_all,) = resamples_of([statistic], len(scores), seed, resamples, tick)
        ends = widen_perfect(of_all.whole, len(scores), of_all.interval())
        method = _method_of(of_all.whole, ends)
        figures.append(
            MetricValue(name, of_all.whole, *ends, len(scores), name == SPEARMAN, method)
        )
    return Relatedness(tuple(figures), len(pairs), _why_undefined(scores, counted_similarities))


def _method_of(value: float, ends: tuple[float, float]) -> str:
    if np.isnan(ends[0]):
        return ""
    return CONCORDANT if is_perfect(value) else BCA


def compare_relatedness(
    pairs: PairSet,
    similarities: Mapping[Encoder, Floats],
    couples: Iterable[tuple[Encoder, Encoder]],
    *,
    metric: str = SPEARMAN,
    counted: Bools | None = None,
    seed: int = 0,
    resamples: int = 20_000,
    tick: Callable[[], None] = lambda: None,
) -> dict[tuple[Encoder, Encoder], Comparison]:
    """Compare how similarities of the same pairs correlate with the scores ([MTS] 5.1).

    The BCa bootstrap draws pairs, both correlations are of the pairs drawn, and p is that of the
    interval: under .05 where the 95 % one is beside 0, but no less than ``least_p`` of the pairs.
    There is no single pair on which one of the two is better, so that McNemar's test is left out
    (NaN).

    Args:
        pairs: p pairs.
        similarities: (p,) of each encoder, NaN for pairs that are not covered; at least one.
        couples: the first and second of each comparison.
        metric: ``spearman``, which says how well pairs are ranked, or ``pearson``.
        counted: (p,) bool, the pairs to count; by default those that all encoders cover, on which
            their figures are compared too ([MTS] 5).
        seed: of the bootstrap.
        resamples: of the bootstrap; smaller p than they show are those of the normal tail.
        tick: called between blocks; may raise to stop.

    Returns:
        for each couple a comparison; NaN where one of the two is undefined.

    Raises:
        ValueError: as for ``relatedness``.
    """
    scores, values, _ = counted_pairs(pairs, list(similarities.values()), counted)
    # what Spearman's correlation needs of the scores is computed once for all similarities
    statistic_of = spearman_with(scores) if metric == SPEARMAN else partial(pearson, scores)
    statistics = [statistic_of(encoder_values) for encoder_values in values]
    drawn = resamples_of(statistics, len(scores), seed, resamples, tick)
    of = dict(zip(similarities, drawn, strict=True))
    return {
        (first, second): _compare_resamples(of[first] - of[second]) for first, second in couples
    }


def covered_by_all(similarities: Iterable[Floats]) -> Bools:
    """Return the pairs that every encoder can represent, (p,) bool ([MTS] 5).

    Args:
        similarities: (p,) each, NaN for pairs that are not covered; at least one.
    """
    return np.asarray(np.logical_and.reduce([~np.isnan(column) for column in similarities]))


def counted_pairs(
    pairs: PairSet, similarities: list[Floats], counted: Bools | None
) -> tuple[Float64s, list[Float64s], Bools]:
    """Return the scores and similarities of the pairs that count, and which those are.

    Similarities that are all the same but for rounding are the same here.

    Raises:
        ValueError: for similarities that do not fit the pairs, are infinite, or NaN where counted.
    """
    for column in similarities:
        if column.shape != (len(pairs),) or np.isinf(column).any():
            raise TrainerError(
                "similarities of {shape} are no finite numbers for {pairs} pairs",
                shape=column.shape,
                pairs=len(pairs),
            )
    if counted is None:
        counted = covered_by_all(similarities)
    rounded = [_round_equal(values[counted].astype(np.float64)) for values in similarities]
    if any(np.isnan(values).any() for values in rounded):
        raise TrainerError("a pair is counted that has no similarity; count the covered ones")
    return pairs.scores[counted], rounded, counted


def _round_equal(values: Float64s) -> Float64s:
    """Return similarities that differ by rounding alone, as those of equal terms do, as equal."""
    if len(values) and np.ptp(values) <= _ROUNDING * np.abs(values).max():
        return np.full_like(values, values[0])
    return values


def _compare_resamples(difference: Resamples) -> Comparison:
    nothing, ends = float("nan"), difference.interval()
    least = least_p(difference.items)
    p = float(np.maximum(difference.p_of_nothing(), least))  # NaN stays NaN
    return Comparison(difference.whole, *ends, p, 0, 0, nothing, difference.items, least)


def _why_undefined(scores: Float64s, similarities: Float64s) -> str:
    if len(scores) < FEWEST:
        return Message("too few pairs count for a correlation: {pairs}", pairs=len(scores))
    if (scores == scores[0]).all():
        return Message(
            "all {pairs} scores are equal, so that no correlation is defined", pairs=len(scores)
        )
    if (similarities == similarities[0]).all():
        return Message(
            "all {pairs} similarities are equal, so that no correlation is defined",
            pairs=len(scores),
        )
    return ""
