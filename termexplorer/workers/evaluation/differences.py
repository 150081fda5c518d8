"""Encoders compared two by two on the same items."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import isnan
from typing import TYPE_CHECKING, NamedTuple

from termexplorer.store.evaluations import Difference

if TYPE_CHECKING:
    from trainer.evaluation.comparison import Comparison
    from trainer.evaluation.figures import TaskResult

    Compared = Mapping[tuple[int, int], Comparison]

_ALPHA = 0.05


def differences_of(
    results: "Mapping[int, TaskResult]", metric: str, seed: int
) -> tuple[Difference, ...]:
    """Each two encoders by what the same mentions come to."""
    from trainer.evaluation.comparison import compare

    items = {encoder_id: result.items[metric] for encoder_id, result in results.items()}
    comparisons = {
        (first, second): compare(items[first], items[second], seed=seed)
        for first, second in combinations(items, 2)
    }
    return corrected(metric, comparisons)


def corrected(metric: str, comparisons: "Compared") -> tuple[Difference, ...]:
    """Comparisons of encoders by their ids, corrected for their number by Holm.

    Those of no items at all are left out.
    """
    from trainer.evaluation.comparison import holm

    defined = {couple: each for couple, each in comparisons.items() if not isnan(each.p)}
    chances = holm([each.p for each in defined.values()])
    return tuple(
        _difference(couple, metric, each, float(p))
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
