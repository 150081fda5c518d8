"""Encoders compared two by two on the same items."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import isnan
from typing import TYPE_CHECKING

from termexplorer.store.encoders.evaluations import Difference
from termexplorer.texts import mark
from termexplorer.trainer.metrics import MEDIAN_RANK, list_compared_metrics

if TYPE_CHECKING:
    from termexplorer.trainer.evaluation.comparison import Comparison
    from termexplorer.trainer.evaluation.figures import TaskResult

    Compared = Mapping[tuple[int, int], Comparison]

MCNEMAR, PAIRED_BOOTSTRAP, MEDIAN_TEST = (
    "McNemar",
    mark("paired bootstrap"),
    mark("paired median test"),
)


def differences_of(
    results: "Mapping[int, TaskResult]", primary: str, seed: int, tick: Callable[[], None]
) -> tuple[Difference, ...]:
    """Each two encoders by what the same mentions come to.

    By the primary metric and by all that are compared. The p of means is the bootstrap's, but
    McNemar's ([MTS] 5.2) where each mention is right or wrong by both; where it is so in part,
    by ties, it is the bootstrap's as well. That of median ranks is of the paired median test.
    """
    first = next(iter(results.values()))
    metrics = [m for m in dict.fromkeys((primary, *list_compared_metrics())) if m in first.items]
    means = [metric for metric in metrics if metric != MEDIAN_RANK]
    differences = [*_compare_means(results, means, seed, tick)]
    if MEDIAN_RANK in metrics:
        differences += _compare_ranks(results, seed, tick)
    return tuple(differences)


def _compare_means(
    results: "Mapping[int, TaskResult]",
    metrics: Sequence[str],
    seed: int,
    tick: Callable[[], None],
) -> Iterator[Difference]:
    from termexplorer.trainer.evaluation.comparison import compare_all, is_right_or_wrong

    items = {
        (m, encoder_id): result.items[m] for m in metrics for encoder_id, result in results.items()
    }
    couples = [
        ((m, first), (m, second)) for m in metrics for first, second in combinations(results, 2)
    ]
    compared = compare_all(items, couples, seed=seed, tick=tick)
    whole = {key for key, values in items.items() if is_right_or_wrong(values)}
    for metric in metrics:
        comparisons = {
            (a[1], b[1]): comparison for (a, b), comparison in compared.items() if a[0] == metric
        }
        of_whole = {
            couple
            for couple in comparisons
            if {(metric, encoder_id) for encoder_id in couple} <= whole
        }
        comparisons |= {
            couple: replace(comparisons[couple], p=comparisons[couple].p_mcnemar)
            for couple in of_whole
        }
        yield from differences_by(metric, comparisons, dict.fromkeys(of_whole, MCNEMAR))


def _compare_ranks(
    results: "Mapping[int, TaskResult]", seed: int, tick: Callable[[], None]
) -> Iterator[Difference]:
    from termexplorer.trainer.evaluation.medians import compare_all_medians

    ranks = {encoder_id: result.items[MEDIAN_RANK] for encoder_id, result in results.items()}
    comparisons = compare_all_medians(ranks, list(combinations(results, 2)), seed=seed, tick=tick)
    yield from differences_by(MEDIAN_RANK, comparisons, dict.fromkeys(comparisons, MEDIAN_TEST))


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
            comparison.difference,
            comparison.low,
            comparison.high,
            p=comparison.p,
            significant=False,
            n=comparison.n,
            test=(tests or {}).get(couple, PAIRED_BOOTSTRAP),
            raw_p=comparison.p,
            least_p=comparison.least_p,
        )
        for couple, comparison in comparisons.items()
        if not isnan(comparison.p)
    )
