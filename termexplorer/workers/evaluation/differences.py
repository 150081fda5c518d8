"""Encoders compared two by two on the same items."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations
from math import isnan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from termexplorer.store.evaluations import Difference
from termexplorer.texts import mark

if TYPE_CHECKING:
    from trainer.evaluation.bootstrap import Float64s
    from trainer.evaluation.comparison import Comparison
    from trainer.evaluation.figures import TaskResult

    Compared = Mapping[tuple[int, int], Comparison]

MCNEMAR, PAIRED_BOOTSTRAP = "McNemar", mark("paired bootstrap")
_ACCURACY = "accuracy"  # how the names of such metrics begin
_RIGHT_OR_WRONG = (0.0, 1.0, np.nan)  # the last of mentions that do not count
_ALPHA = 0.05


def differences_of(
    results: "Mapping[int, TaskResult]", primary: str, seed: int
) -> tuple[Difference, ...]:
    """Each two encoders by what the same mentions come to.

    By the primary metric, and by accuracies. The p of the latter is McNemar's ([MTS] 5.2) where
    each mention is right or wrong by both; where it is so in part, by ties, the bootstrap's.
    """
    first = next(iter(results.values()))
    accuracies = [each for each in first.items if each.startswith(_ACCURACY)]
    found = (
        _by(metric, {each: result.items[metric] for each, result in results.items()}, seed)
        for metric in dict.fromkeys((primary, *accuracies))
    )
    return tuple(chain.from_iterable(found))


def _by(metric: str, items: "Mapping[int, Float64s]", seed: int) -> tuple[Difference, ...]:
    from trainer.evaluation.comparison import compare

    compared = {
        (first, second): compare(items[first], items[second], seed=seed)
        for first, second in combinations(items, 2)
    }
    whole = {each for each, values in items.items() if np.isin(values, _RIGHT_OR_WRONG).all()}
    by_signs = {each for each in compared if metric.startswith(_ACCURACY) and {*each} <= whole}
    for couple in by_signs:
        compared[couple] = replace(compared[couple], p=compared[couple].p_mcnemar)
    return corrected(metric, compared, dict.fromkeys(by_signs, MCNEMAR))


def corrected(
    metric: str, comparisons: "Compared", tests: "Mapping[tuple[int, int], str] | None" = None
) -> tuple[Difference, ...]:
    """Comparisons of encoders by their ids, corrected for their number by Holm.

    Those of no items at all are left out.
    """
    from trainer.evaluation.comparison import holm

    defined = {couple: each for couple, each in comparisons.items() if not isnan(each.p)}
    chances = holm([each.p for each in defined.values()])
    return tuple(
        _difference(couple, metric, each, float(p), (tests or {}).get(couple, PAIRED_BOOTSTRAP))
        for (couple, each), p in zip(defined.items(), chances, strict=True)
    )


class Tested(NamedTuple):
    """Each two encoders, by their ids, compared by a metric.

    Attributes:
        test: which p comes of.
    """

    metric: str
    test: str
    comparisons: "Compared"


def corrected_together(sets: Sequence[Sequence[Tested]]) -> list[tuple[Difference, ...]]:
    """What was tested on each of several sets, corrected by Bonferroni for all that is there."""
    from trainer.evaluation.comparison import bonferroni

    chances = bonferroni([c.p for one in sets for of in one for c in of.comparisons.values()])
    rest = iter(chances.tolist())
    correction = f"Bonferroni × {len(chances):,}"
    return [
        tuple(
            _difference(couple, each.metric, found, next(rest), each.test, correction)
            for each in one
            for couple, found in each.comparisons.items()
        )
        for one in sets
    ]


def _difference(
    couple: tuple[int, int], metric: str, found: "Comparison", p: float, *how: str
) -> Difference:
    return Difference(
        *couple,
        metric,
        found.difference,
        found.low,
        found.high,
        p,
        bool(p < _ALPHA),
        found.n,
        *how,
    )
