"""Encoders compared two by two on the same items."""

from collections.abc import Mapping
from itertools import combinations
from math import isnan
from typing import TYPE_CHECKING

from termexplorer.store.evaluations import Difference

if TYPE_CHECKING:
    from trainer.evaluation.comparison import Comparison
    from trainer.evaluation.figures import TaskResult

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


def corrected(
    metric: str, comparisons: "Mapping[tuple[int, int], Comparison]"
) -> tuple[Difference, ...]:
    """Comparisons of encoders by their ids, corrected for their number by Holm.

    Those of no items at all are left out.
    """
    from trainer.evaluation.comparison import holm

    defined = {couple: each for couple, each in comparisons.items() if not isnan(each.p)}
    chances = holm([each.p for each in defined.values()])
    return tuple(
        Difference(
            first_id=first,
            second_id=second,
            metric=metric,
            value=each.difference,
            low=each.low,
            high=each.high,
            p=float(p),
            significant=bool(p < _ALPHA),
            n=each.n,
        )
        for ((first, second), each), p in zip(defined.items(), chances, strict=True)
    )
