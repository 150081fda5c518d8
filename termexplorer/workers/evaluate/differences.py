"""Encoders compared two by two on the same items."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import combinations
from math import isnan
from typing import TYPE_CHECKING

from termexplorer.store.encoders.evaluations import Difference
from termexplorer.texts import mark

if TYPE_CHECKING:
    from trainer.evaluation.comparison import Comparison
    from trainer.evaluation.figures import TaskResult

    Compared = Mapping[tuple[int, int], Comparison]

MCNEMAR, PAIRED_BOOTSTRAP = "McNemar", mark("paired bootstrap")
_ACCURACY = "accuracy"  # how the names of such metrics begin


def differences_of(
    results: "Mapping[int, TaskResult]", primary: str, seed: int, tick: Callable[[], None]
) -> tuple[Difference, ...]:
    """Each two encoders by what the same mentions come to.

    By the primary metric, and by accuracies. The p of the latter is McNemar's ([MTS] 5.2) where
    each mention is right or wrong by both; where it is so in part, by ties, the bootstrap's.
    """
    from trainer.evaluation.comparison import compare_all, is_right_or_wrong

    first = next(iter(results.values()))
    accuracies = [each for each in first.items if each.startswith(_ACCURACY)]
    metrics = list(dict.fromkeys((primary, *accuracies)))
    items = {(m, each): result.items[m] for m in metrics for each, result in results.items()}
    couples = [((m, one), (m, two)) for m in metrics for one, two in combinations(results, 2)]
    compared = compare_all(items, couples, seed=seed, tick=tick)
    whole = {each for each, values in items.items() if is_right_or_wrong(values)}
    found: list[Difference] = []
    for metric in metrics:
        own = {(a[1], b[1]): each for (a, b), each in compared.items() if a[0] == metric}
        by_signs = metric.startswith(_ACCURACY)
        of_whole = {c for c in own if by_signs and {(metric, each) for each in c} <= whole}
        own |= {couple: replace(own[couple], p=own[couple].p_mcnemar) for couple in of_whole}
        found += differences_by(metric, own, dict.fromkeys(of_whole, MCNEMAR))
    return tuple(found)


def differences_by(
    metric: str, comparisons: "Compared", tests: "Mapping[tuple[int, int], str] | None" = None
) -> tuple[Difference, ...]:
    """Comparisons of encoders by their ids; their p's are corrected when they are shown.

    Those of no items at all are left out.
    """
    return tuple(
        Difference(
            *couple,
            metric,
            found.difference,
            found.low,
            found.high,
            p=found.p,
            significant=False,
            n=found.n,
            test=(tests or {}).get(couple, PAIRED_BOOTSTRAP),
            raw_p=found.p,
            least_p=found.least_p,
        )
        for couple, found in comparisons.items()
        if not isnan(found.p)
    )
