"""[MTS]: Tables 2, 4 and 5 of our own."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from termexplorer.exporters.documents.blocks import Blocks
from termexplorer.replicate.item_tables import finite
from termexplorer.replicate.page import page
from termexplorer.replicate.pair_figures import COUNTED, mean_spearman
from termexplorer.replicate.report import Report, Shown, Value, make_paragraph, make_table
from termexplorer.replicate.runs import Bench, numbers
from termexplorer.replicate.table_conclusions import (
    RawDifference,
    ShownColumn,
    TableConclusion,
    conclude_table,
    make_conclusion,
)
from termexplorer.replicate.term_categories import CATEGORIES
from termexplorer.replicate.term_pairs import SETS, methods, of_categories
from termexplorer.replicate.work.pieces import Record
from termexplorer.services.figures.metric_kinds import find_chance
from termexplorer.services.pairs.sets import SOURCES, STRATEGIES
from termexplorer.trainer.metrics import ACCURACY, AUC, OVERLAP, SPEARMAN

if TYPE_CHECKING:
    from termexplorer.trainer.evaluation.figures import MetricValue
    from termexplorer.trainer.evaluation.pairs.classification import PairClassification
    from termexplorer.trainer.files.pairs import PairSet

    Found = Mapping[tuple[str, str], PairClassification]  # set, method

_MOST_CLASSES = 8  # with a column of their own
_SIGNS = (
    "+n and −n: better and worse than so many others, by {test} at .05 with Holm's correction over "
    "all couples of methods, all sets and both figures"
)
_HOW = {
    ACCURACY: "Accuracy at the best threshold of each method in each set; "
    + _SIGNS.format(test="McNemar's test"),
    AUC: "Area under the ROC curve, 95 % intervals by DeLong; "
    + _SIGNS.format(test="DeLong's test"),
}


@dataclass(frozen=True, slots=True)
class CountedPairs:
    """A set of pairs with what methods say of them.

    Attributes:
        pairs: p pairs, similar or dissimilar.
        similarities: (p,) of each method; NaN where it knows nothing.
        counted: (p,) bool, those that every method knows.
    """

    pairs: "PairSet"
    similarities: Mapping[str, NDArray[np.float64]]
    counted: NDArray[np.bool_]


def report(bench: Bench) -> Report:
    """The tables of all ontologies."""
    labels = [release.label for release in bench.request.releases]
    return page(bench, "ontology", {label: _ontology_section(bench, label) for label in labels})


def _ontology_section(bench: Bench, label: str) -> Iterator[tuple[Blocks, list[Record]]]:
    """Pieces of HTML, each with the figures that it shows."""
    set_record = bench.results[label, SETS]
    similarities = _counted_similarities(bench, label, set_record["labels"])
    classified = _classify_pairs(bench, similarities)
    counts = {
        name: classified[name, methods(bench)[0]].figures[0].n for name in set_record["labels"]
    }
    yield _size_table(set_record["sets"], set_record["labels"], counts), []
    concluded = _conclude_sets(bench, similarities, classified)
    signs = _count_signs(classified, concluded)
    yield (
        make_paragraph(
            "Only pairs that every method can represent count. The correction is over "
            f"{concluded.family:,} comparisons; sets of fewer than 10 pairs are not tested."
        )
        + make_conclusion(concluded),
        _figure_rows(classified, signs),
    )
    for metric in (ACCURACY, AUC):
        for strategy in STRATEGIES:
            sets = [pair_set for pair_set in set_record["sets"] if pair_set["strategy"] == strategy]
            yield (
                _metric_table(
                    bench, metric, strategy, sets, set_record["labels"], classified, signs
                ),
                [],
            )
    yield _category_table(bench, label)
    if bench.benchmarks:
        yield _relatedness_table(bench, label)


def _counted_similarities(
    bench: Bench, label: str, labels: Mapping[str, Sequence[int]]
) -> dict[str, "CountedPairs"]:
    """The pairs of each set, what each method says of them, and which every method knows."""
    from termexplorer.trainer.evaluation.pairs.relatedness import covered_by_all
    from termexplorer.trainer.files.pairs import PairSet

    counted_by_set = {}
    for name, of_set in labels.items():
        blank = ("",) * len(of_set)
        values = {
            method: numbers(bench.results[label, method]["similarities"][name])
            for method in methods(bench)
        }
        pairs = PairSet(name, blank, blank, np.array(of_set, np.float64))
        counted_by_set[name] = CountedPairs(pairs, values, covered_by_all(values.values()))
    return counted_by_set


def _classify_pairs(bench: Bench, similarities: Mapping[str, "CountedPairs"]) -> "Found":
    from termexplorer.trainer.evaluation.pairs.classification import pair_classification

    return {
        (name, method): pair_classification(
            counted.pairs, values, counted=counted.counted, tick=bench.tick
        )
        for name, counted in similarities.items()
        for method, values in counted.similarities.items()
    }


def _conclude_sets(
    bench: Bench, similarities: Mapping[str, "CountedPairs"], classified: "Found"
) -> TableConclusion:
    """What both tables of all sets come to; p is corrected over all of these."""
    columns = []
    for name, counted in similarities.items():
        values = {
            metric: {method: _shown_value(classified[name, method], metric, len(counted.pairs))
                     for method in counted.similarities}
            for metric in (AUC, ACCURACY)
        }  # fmt: skip
        columns.append(ShownColumn(name, values, _compare_methods(bench, counted)))
    return conclude_table(columns)


def _compare_methods(
    bench: Bench, counted: "CountedPairs"
) -> dict[tuple[str, str, str], RawDifference]:
    """Each two methods on a set, by either figure."""
    from termexplorer.trainer.evaluation.pairs.comparison import compare_classifications

    differences = {}
    for first, second in combinations(counted.similarities, 2):
        compared = compare_classifications(
            counted.pairs, counted.similarities[first], counted.similarities[second],
            counted=counted.counted, resamples=1, tick=bench.tick,  # of rights and wrongs: no need
        )  # fmt: skip
        for metric, comparison in compared.items():
            differences[metric, first, second] = RawDifference(
                comparison.difference,
                comparison.low,
                comparison.high,
                comparison.p,
                comparison.n,
                comparison.least_p,
            )
    return differences


def _count_signs(
    classified: "Found", concluded: TableConclusion
) -> dict[tuple[str, str, str], tuple[int, int]]:
    """How many others each method is better and worse than in each set, by either figure."""
    signs = {(*key, metric): (0, 0) for key in classified for metric in (AUC, ACCURACY)}
    for (name, metric, *couple), difference in concluded.differences.items():
        if difference.significant:
            better, worse = couple if difference.value > 0 else reversed(couple)
            ahead, behind = (name, better, metric), (name, worse, metric)
            signs[ahead] = signs[ahead][0] + 1, signs[ahead][1]
            signs[behind] = signs[behind][0], signs[behind][1] + 1
    return signs


def _shown_value(result: "PairClassification", metric: str, of: int, sign: str = "") -> Value:
    figure = next(candidate for candidate in result.figures if candidate.metric == metric)
    return Value(
        figure.value, figure.low, figure.high, sign,
        count=figure.n, of=of, method=figure.method,
    )  # fmt: skip


def _size_table(
    sets: Sequence[Mapping[str, Any]],
    labels: Mapping[str, Sequence[int]],
    counts: Mapping[str, int],
) -> Blocks:
    rows: list[list[Shown]] = [
        [
            pair_set["name"], f"{pair_set['similar'] + pair_set['dissimilar']:,}",
            f"{len(labels[pair_set['name']]):,}", f"{counts[pair_set['name']]:,}",
            f"{pair_set['similar_distance']:.2f}", _distance_text(pair_set["dissimilar_distance"]),
        ]
        for pair_set in sets
    ]  # fmt: skip
    without = [title for name, title in SOURCES.items() if name not in {x["source"] for x in sets}]
    caption = "Pairs of each set, and mean edit distances of similar and of dissimilar ones"
    header = ["set", "pairs", "of them taken", "counted", "similar", "dissimilar"]
    return make_table(header, rows, caption) + (
        make_paragraph(f"No similar pairs: {'; '.join(without)}.") if without else ()
    )


def _distance_text(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _metric_table(
    bench: Bench,
    metric: str,
    strategy: str,
    sets: Sequence[Mapping[str, Any]],
    labels: Mapping[str, Sequence[int]],
    classified: "Found",
    signs: Mapping[tuple[str, str, str], tuple[int, int]],
) -> Blocks:
    """Methods by sets, as Table 5."""
    rows: list[list[Shown]] = []
    for method in methods(bench):
        row: list[Shown] = [method]
        for pair_set in sets:
            key = pair_set["name"], method
            ahead, behind = signs[*key, metric]
            sign = "".join(
                f" {mark}{count}" for mark, count in (("+", ahead), ("−", behind)) if count
            )
            row.append(_shown_value(classified[key], metric, len(labels[pair_set["name"]]), sign))
        rows.append(row)
    header = [
        "",
        *(f"{SOURCES[column_set['source']]}, {column_set['difficulty']}" for column_set in sets),
    ]
    caption = f"Dissimilar pairs: {strategy}. {_HOW[metric]}"
    return make_table(header, rows, caption, chance=find_chance(metric) or 0.0)


def _figure_rows(
    classified: "Found", signs: Mapping[tuple[str, str, str], tuple[int, int]]
) -> list[Record]:
    """The same as rows for JSON and CSV."""
    return [
        _figure_row(method, "pairs", name, figure)
        | (
            {
                "better": signs[name, method, figure.metric][0],
                "worse": signs[name, method, figure.metric][1],
            }
            if (name, method, figure.metric) in signs
            else {}
        )
        | (
            {"threshold": result.threshold if np.isfinite(result.threshold) else None}
            if figure.metric == ACCURACY
            else {}
        )
        for (name, method), result in classified.items()
        for figure in result.figures
    ]


def _figure_row(method: str, task: str, data: str, figure: "MetricValue") -> Record:
    return {
        "encoder": method,
        "task": task,
        "data": data,
        "metric": figure.metric,
        "value": finite(figure.value),
        "low": finite(figure.low),
        "high": finite(figure.high),
        "n": figure.n,
        "threshold": None,
        "better": None,
        "worse": None,
    }


def _category_table(bench: Bench, label: str) -> tuple[Blocks, list[Record]]:
    """How often each method takes a distant term for as near as a close one ([MTS] 5.3)."""
    from termexplorer.trainer.evaluation.bootstrap import mean_figures

    drawn = bench.results[label, CATEGORIES]
    above: Counter[str] = Counter(drawn["above"])
    classes = [name for name, _ in above.most_common()]
    rows: list[list[Shown]] = []
    listed: list[Record] = []
    columns: dict[str, dict[str, Value]] = {}
    for method in methods(bench):
        items = numbers(bench.results[label, of_categories(method)][OVERLAP])
        row: list[Shown] = [method]
        for name in ("all", *classes):
            is_own = np.array([name in ("all", category) for category in drawn["above"]], np.bool_)
            if not (~np.isnan(items[is_own])).any():
                continue
            (figure,) = mean_figures({OVERLAP: items[is_own]}, 0).figures
            listed.append(_figure_row(method, CATEGORIES, name, figure))
            value = Value(
                figure.value, figure.low, figure.high,
                count=figure.n, of=len(items[is_own]), method=figure.method,
            )  # fmt: skip
            columns.setdefault(name, {})[method] = value
            row.append(value)
        rows.append(row[: _MOST_CLASSES + 2])
    header = ["", *(row["data"] for row in listed if row["encoder"] == methods(bench)[0])]
    if len(header) == 1:
        return make_paragraph("No category of terms has both close and distant ones."), []
    count = len(set(drawn["category"]))
    caption = (
        f"{len(drawn['names']):,} terms of {count:,} categories, each all below one class of level "
        "2, or of SNOMED CT one semantic tag; close are those below the same class of level 1, "
        "distant all others. Overlap: share of triples in which a distant term is at least as "
        "similar as a close one, less is better; 95 % intervals by bootstrap over terms"
    )
    shown = list(columns)[: _MOST_CLASSES + 1]
    concluded = conclude_table(
        [ShownColumn(category, {OVERLAP: columns[category]}, {}) for category in shown]
    )
    table = make_table(header[: _MOST_CLASSES + 2], rows, caption, contest=False)
    return table + make_conclusion(concluded), listed


def _relatedness_table(bench: Bench, label: str) -> tuple[Blocks, list[Record]]:
    """Spearman's correlation of each method with each benchmark, as Table 4."""
    from termexplorer.trainer.evaluation.figures import MetricValue

    rows: list[list[Shown]] = []
    listed = []
    columns: dict[str, dict[str, Value]] = {benchmark.name: {} for benchmark in bench.benchmarks}
    for method in methods(bench):
        row: list[Shown] = [method]
        for pairs in bench.benchmarks:
            values = numbers(bench.results[label, method]["similarities"][pairs.name])
            mean = mean_spearman(pairs, [values], None, bench.tick)
            row.append(mean.shown())
            columns[pairs.name][method] = mean.shown()
            figure = MetricValue(SPEARMAN, mean.value, mean.low, mean.high, mean.pairs, True)
            listed.append(_figure_row(method, "relatedness", pairs.name, figure))
        rows.append(row)
    header = ["", *(benchmark.name for benchmark in bench.benchmarks)]
    caption = f"Spearman, 95 % intervals (BCa) over pairs; {COUNTED}"
    concluded = conclude_table(
        [
            ShownColumn(name, {SPEARMAN: column_values}, {})
            for name, column_values in columns.items()
        ]
    )
    return make_table(header, rows, caption) + make_conclusion(concluded), listed
