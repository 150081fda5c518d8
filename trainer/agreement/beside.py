"""Labels beside raters: do they agree with them as well as these do with each other?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np

from termexplorer.trainer.agreement.coefficients import (
    Coefficient,
    agreement,
    alpha,
    cohen,
    counts_of,
    mean_of,
    weights_of,
)
from termexplorer.trainer.agreement.constant_ends import constant_ends, difference_ends, is_constant
from termexplorer.trainer.agreement.figures import AgreementFigure
from termexplorer.trainer.agreement.ratings import Float64s, Int64s, Ratings
from termexplorer.trainer.evaluation.bootstrap import interval, samples
from termexplorer.trainer.evaluation.figures import FROM_BOTH, FROM_EXACT, PERCENTILE

_WHY_NOT = "no two of them have used different labels on items that both have labelled"
_NO_KAPPA = (
    "of each two of them, one or both have given one label alone to what both have labelled; this "
    "kappa is then the same whatever the other said"
)


@dataclass(frozen=True)
class BesideRaters:
    """One coefficient, as a mean over couples, on the items that have a label.

    Attributes:
        raters: of each two raters.
        labels: of the labels with each rater.
        difference: how much more the labels agree with the raters than these with each other.
    """

    raters: AgreementFigure
    labels: AgreementFigure
    difference: AgreementFigure


def agreement_beside(
    ratings: Ratings,
    labels: Int64s,
    *,
    seed: int = 0,
    resamples: int = 2000,
    tick: Callable[[], None] = lambda: None,
) -> tuple[BesideRaters, ...]:
    """Measure alpha, raw agreement and Cohen's kappa of couples; the same items are drawn for both.

    A coefficient that is the same in every sample, as where all agree, has the ends that the exact
    interval of raw agreement gives it; the difference then has those of the two as if independent.

    Args:
        ratings: of n items by r raters.
        labels: (n,) places of labels, below 0 where there is none.
        seed: of the bootstrap over items.
        resamples: of the bootstrap.
        tick: called between blocks; may raise to stop.
    """
    known = labels >= 0
    codes, known_labels = ratings.codes[known], labels[known]
    couples = (
        [codes[:, pair] for pair in combinations(range(codes.shape[1]), 2)],
        [np.stack([column, known_labels], axis=1) for column in codes.T],
    )
    counts = [_labelled_twice(couple) for couple in couples]
    kinds = _coefficient_makers(ratings)
    once = np.ones((1, len(codes)))
    raw = [float(_mean_coefficient(kinds["agreement"], couple)(once)[0]) for couple in couples]
    results = []
    for metric, kind in kinds.items():
        means = [_mean_coefficient(kind, couple) for couple in couples]
        (values,) = _join_means(means, once)
        blocks = [np.empty((0, 3))]
        for times in samples(len(codes), seed, resamples):
            tick()
            blocks.append(_join_means(means, times))
        ends = [(*interval(column), PERCENTILE) for column in np.concatenate(blocks).T]
        constant = [
            index
            for index in range(2)
            if not np.isnan(values[index]) and is_constant(ends[index][:2])
        ]
        for index in constant:
            ends[index] = (
                *constant_ends(
                    partial(_mean_coefficient, kind),
                    couples[index],
                    len(ratings.labels),
                    raw[index],
                    counts[index],
                ),
                FROM_EXACT,
            )
        if constant and not np.isnan(values).any():
            both = [(values[end], *ends[end][:2]) for end in (1, 0)]
            ends[2] = (*difference_ends(*both), FROM_BOTH)
        defined = [_count_defined(kind, couple) for couple in couples]
        figures = zip(values, ends, [*counts, min(counts)], [*defined, (0, 0)], strict=True)
        results.append(BesideRaters(*(_make_figure(metric, *figure) for figure in figures)))
    return tuple(results)


def _mean_coefficient(
    kind: Callable[[Int64s], Coefficient], couples: Sequence[Int64s]
) -> Coefficient:
    return mean_of(list(map(kind, couples))) if couples else _undefined_mean


def _coefficient_makers(ratings: Ratings) -> dict[str, Callable[[Int64s], Coefficient]]:
    """Return what makes each coefficient of (n, 2) codes."""
    weights = weights_of(ratings.scale, ratings.values)
    labels, ordinal = len(weights), ratings.scale == "ordinal"
    return {
        "alpha": lambda two: alpha(counts_of(two, labels), weights, ordinal=ordinal),
        "agreement": lambda two: agreement(counts_of(two, labels), np.eye(labels)),
        "cohen": lambda two: cohen(two, weights),
    }


def _count_defined(
    kind: Callable[[Int64s], Coefficient], couples: Sequence[Int64s]
) -> tuple[int, int]:
    """Return for how many couples a coefficient is defined, and for how many not."""
    values = [kind(couple)(np.ones((1, len(couple))))[0] for couple in couples]
    left_out = int(np.isnan(values).sum())
    return len(couples) - left_out, left_out


def _make_figure(
    metric: str,
    value: float,
    ends: tuple[float, float, str],
    n: int,
    couples: tuple[int, int],
) -> AgreementFigure:
    if np.isnan(value):
        why = _NO_KAPPA if metric == "cohen" else _WHY_NOT
        return AgreementFigure(metric, float("nan"), float("nan"), float("nan"), n, why)
    low, high, method = ends
    return AgreementFigure(metric, float(value), low, high, n, "", method, *couples)


def _join_means(means: list[Coefficient], times: Float64s) -> Float64s:
    """Return the raters', the labels', and their difference: (b, 3)."""
    raters, labels = (mean(times) for mean in means)
    return np.stack([raters, labels, labels - raters], axis=1)


def _undefined_mean(times: Float64s) -> Float64s:
    return np.full(len(times), np.nan)


def _labelled_twice(couples: list[Int64s]) -> int:
    """Return how many items both of any couple have labelled."""
    both = [(couple >= 0).all(axis=1) for couple in couples]
    return int(np.any(both, axis=0).sum()) if both else 0
