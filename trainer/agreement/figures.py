"""How well raters agree: overall, each two of them, with intervals, and why a figure is missing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from termexplorer.trainer.agreement import coefficients
from termexplorer.trainer.agreement.coefficients import Coefficient, counts_of, weights_of
from termexplorer.trainer.agreement.constant_ends import constant_ends, is_constant
from termexplorer.trainer.agreement.ratings import DONT_KNOW, NOT_RATED, Float64s, Int64s, Ratings
from termexplorer.trainer.errors import Message
from termexplorer.trainer.evaluation.bootstrap import interval, samples
from termexplorer.trainer.evaluation.figures import FROM_EXACT, PERCENTILE
from termexplorer.trainer.evaluation.shares import ShareFigure

_OF_PAIRABLE = {"alpha", "agreement", "cohen"}  # what is of items of two ratings or more alone


@dataclass(frozen=True)
class AgreementFigure:
    """One coefficient.

    Attributes:
        metric: ``alpha``, ``agreement`` (raw), ``cohen``, ``fleiss``, ``ac1`` or ``ac2``.
        value: NaN where it is undefined.
        low: lower end of its 95 % interval, by the bootstrap over the items that it is of; where
            it is the same in every sample, as where all agree, what it would be if raw agreement
            were as low as its exact interval goes.
        high: upper end, likewise.
        n: items of at least two ratings.
        undefined: why, in a sentence; "" where it is defined.
        method: that made the interval, one of ``trainer.evaluation.figures.INTERVAL_METHODS``; ""
            where there is none.
        couples: how many couples of raters a mean over these is of, as ``cohen``; 0 where it is
            none.
        couples_left_out: those for which it is undefined.
    """

    metric: str
    value: float
    low: float
    high: float
    n: int
    undefined: str
    method: str = ""
    couples: int = 0
    couples_left_out: int = 0


@dataclass(frozen=True)
class PairAgreement:
    """How well two raters agree on the items that both have rated."""

    raters: tuple[str, str]
    figures: tuple[AgreementFigure, ...]


@dataclass(frozen=True)
class RaterShares:
    """What one rater has left out.

    Attributes:
        rater: the name.
        ratings: how many labels were given.
        missing: share of the items that were not rated.
        dont_know: share of the answers that were "don't know"; undefined without an answer.
    """

    rater: str
    ratings: int
    missing: ShareFigure
    dont_know: ShareFigure


@dataclass(frozen=True)
class Agreement:
    """How well raters agree; "don't know" counts as not rated in all but its share.

    Attributes:
        figures: overall, alpha first.
        pairs: each two raters.
        shares: for each rater.
        missing: share of all n × r cells that were not rated.
        dont_know: share of the answers that were "don't know".
        ratings: how many labels were given.
    """

    figures: tuple[AgreementFigure, ...]
    pairs: tuple[PairAgreement, ...]
    shares: tuple[RaterShares, ...]
    missing: ShareFigure
    dont_know: ShareFigure
    ratings: int


def measure_agreement(
    ratings: Ratings,
    *,
    seed: int = 0,
    resamples: int = 2000,
    tick: Callable[[], None] = lambda: None,
) -> Agreement:
    """Measure how well all raters agree, and each two of them.

    The labels of the whole table count as the scale in each pair too. Figures of a pair look at
    items that both have rated only; those of all raters take items of one rating for the shares of
    labels by which Fleiss and Gwet reckon chance, as the package ``irrCAC`` does.

    Args:
        ratings: of n items by r raters.
        seed: of the bootstrap over items.
        resamples: of the bootstrap.
        tick: called between blocks; may raise to stop.
    """
    codes = ratings.codes
    pairs = []
    for first, second in combinations(range(len(ratings.raters)), 2):
        two = codes[:, [first, second]]
        both = (two >= 0).all(axis=1)
        figures = figures_of(ratings, two[both], seed=seed, resamples=resamples, tick=tick)
        pairs.append(PairAgreement((ratings.raters[first], ratings.raters[second]), figures))
    return Agreement(
        figures_of(ratings, codes, seed=seed, resamples=resamples, tick=tick),
        tuple(pairs),
        tuple(
            RaterShares(rater, int((column >= 0).sum()), *_missing_shares(column))
            for rater, column in zip(ratings.raters, codes.T, strict=True)
        ),
        *_missing_shares(codes),
        int((codes >= 0).sum()),
    )


def figures_of(
    scale: Ratings,
    codes: Int64s,
    *,
    seed: int,
    resamples: int,
    tick: Callable[[], None] = lambda: None,
) -> tuple[AgreementFigure, ...]:
    """Return all coefficients of a table of codes.

    Alpha, raw agreement and Cohen's kappa are of items of two ratings or more, and these alone are
    drawn for their intervals: items of one rating, which change no value of theirs, change no
    interval either. Fleiss' kappa and Gwet's AC are drawn with the items of one rating, whose
    labels count in their chance.

    Args:
        scale: whose scale and labels the codes are of.
        codes: (n, c), whatever its columns stand for.
        seed: of the bootstrap over items.
        resamples: of the bootstrap.
        tick: called between blocks; may raise to stop.
    """
    codes = codes[(codes >= 0).any(axis=1)]
    coefficient_by_metric = _make_coefficients(scale, codes)
    if np.any((codes >= 0).sum(axis=1) > 1):
        (values,) = _stack_values(coefficient_by_metric, np.ones((1, len(codes))))
        drawn = _draw_values(scale, codes, seed, resamples, tick)
        ends = [(*interval(drawn[metric]), PERCENTILE) for metric in coefficient_by_metric]
        for index, metric in enumerate(coefficient_by_metric):
            if is_constant(ends[index][:2]):
                ends[index] = (*_constant_ends(scale, codes, metric), FROM_EXACT)
    else:
        values, ends = (
            np.full(len(coefficient_by_metric), np.nan),
            [(np.nan, np.nan, "")] * len(coefficient_by_metric),
        )
    return tuple(
        _make_figure(scale, codes, metric, float(value), interval_ends)
        for metric, value, interval_ends in zip(coefficient_by_metric, values, ends, strict=True)
    )


def _make_figure(
    scale: Ratings, codes: Int64s, metric: str, value: float, ends: tuple[float, float, str]
) -> AgreementFigure:
    is_defined = not np.isnan(value)
    low, high, method = ends if is_defined else (np.nan, np.nan, "")
    couples, left_out = _count_couples(codes) if metric == "cohen" and is_defined else (0, 0)
    return AgreementFigure(
        metric,
        value,
        low,
        high,
        int(((codes >= 0).sum(axis=1) > 1).sum()),
        "" if is_defined else _undefined_reason(scale, codes, metric),
        method,
        couples,
        left_out,
    )


def _count_couples(codes: Int64s) -> tuple[int, int]:
    """Return for how many of each two columns Cohen's kappa is defined, and for how many not."""
    pairs = list(combinations(range(codes.shape[1]), 2))
    defined = sum(coefficients.is_told_apart(codes[:, pair]) for pair in pairs)
    return defined, len(pairs) - defined


def _constant_ends(scale: Ratings, codes: Int64s, metric: str) -> tuple[float, float]:
    labels = len(scale.labels)
    agreement = coefficients.agreement(counts_of(codes, labels), np.eye(labels))
    return constant_ends(
        lambda tables: _make_coefficients(scale, tables[0])[metric],
        [codes],
        labels,
        float(agreement(np.ones((1, len(codes))))[0]),
        int(((codes >= 0).sum(axis=1) > 1).sum()),
    )


def _make_coefficients(scale: Ratings, codes: Int64s) -> dict[str, Coefficient]:
    weights = weights_of(scale.scale, scale.values)
    counts = counts_of(codes, len(weights))
    ordinal, nominal = (scale.scale == scale_name for scale_name in ("ordinal", "nominal"))
    return {
        "alpha": coefficients.alpha(counts, weights, ordinal=ordinal),
        "agreement": coefficients.agreement(counts, np.eye(len(weights))),
        "cohen": coefficients.cohen(codes, weights),
        "fleiss": coefficients.fleiss(counts, weights),
        "ac1" if nominal else "ac2": coefficients.gwet(counts, weights),
    }


def _stack_values(coefficient_by_metric: dict[str, Coefficient], times: Float64s) -> Float64s:
    return np.stack([coefficient(times) for coefficient in coefficient_by_metric.values()], axis=1)


def _draw_values(
    scale: Ratings, codes: Int64s, seed: int, resamples: int, tick: Callable[[], None]
) -> dict[str, Float64s]:
    """Return the values of each coefficient in samples of the items that it is of."""
    pairable = codes[(codes >= 0).sum(axis=1) > 1]
    drawn: dict[str, Float64s] = {}
    for table, of_pairable in ((pairable, True), (codes, False)):
        coefficient_by_metric = _make_coefficients(scale, table)
        chosen = {
            metric: coefficient_by_metric[metric]
            for metric in coefficient_by_metric
            if (metric in _OF_PAIRABLE) == of_pairable
        }
        values = _resample_values(chosen, len(table), seed, resamples, tick)
        drawn |= dict(zip(chosen, values.T, strict=True))
    return drawn


def _resample_values(
    coefficient_by_metric: dict[str, Coefficient],
    items: int,
    seed: int,
    resamples: int,
    tick: Callable[[], None],
) -> Float64s:
    blocks = []
    for times in samples(items, seed, resamples):
        tick()
        blocks.append(_stack_values(coefficient_by_metric, times))
    return np.concatenate(blocks)


def _missing_shares(codes: Int64s) -> tuple[ShareFigure, ShareFigure]:
    """Return the share of what was not rated, and of "don't know" in what was answered."""
    answers = int((codes != NOT_RATED).sum())
    unsure = int((codes == DONT_KNOW).sum())
    return ShareFigure.of(codes.size - answers, codes.size), ShareFigure.of(unsure, answers)


def _undefined_reason(scale: Ratings, codes: Int64s, metric: str) -> str:
    """Say why a coefficient of some codes is undefined."""
    if codes.shape[1] == 1:
        return Message("{rater} is the only rater; agreement needs two", rater=scale.raters[0])
    pairable = codes[(codes >= 0).sum(axis=1) > 1]
    if not len(pairable):
        return Message("no item has two ratings; agreement needs some that have")
    used = np.unique(pairable[pairable >= 0])
    if len(used) > 1 and metric == "cohen":
        return Message(
            "of each two, one or both have given one label alone to what both have rated; this "
            "kappa is then the same whatever the other said"
        )
    if len(used) > 1:
        return Message(
            "each two raters have given one label alone to what both have rated; their agreement "
            "cannot be told from chance"
        )
    return Message(
        "all ratings that can be compared are {label!r}; where no other label is used, agreement "
        "cannot be told from chance",
        label=scale.labels[used[0]],
    )
