"""[MTS]: Tables 2, 4 and 5 of our own."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from termexplorer.replicate.item_tables import finite
from termexplorer.replicate.page import page
from termexplorer.replicate.pair_figures import COUNTED, mean_spearman
from termexplorer.replicate.report import Report, Shown, Value, paragraph, table
from termexplorer.replicate.results import Record
from termexplorer.replicate.runs import Bench, numbers
from termexplorer.replicate.term_categories import CATEGORIES
from termexplorer.replicate.term_pairs import SETS, methods, of_categories
from termexplorer.services.figures.corrections import ALPHA, correct_p
from termexplorer.services.pairs.sets import SOURCES, STRATEGIES

if TYPE_CHECKING:
    from trainer.evaluation.figures import MetricValue
    from trainer.evaluation.pair_classification import PairClassification

    Found = Mapping[tuple[str, str], PairClassification]  # set, method

_MOST_CLASSES = 8  # with a column of their own
_ACCURACY, _AUC = "accuracy", "AUC"
_HOW = {
    _ACCURACY: "Accuracy at the best threshold of each method in each set; +n and −n: better and "
    "worse than so many others, by McNemar's test at .05 with Holm's correction over all couples "
    "of methods and all sets",
    _AUC: "Area under the ROC curve, 95 % intervals by DeLong",
}


def report(bench: Bench) -> Report:
    """The tables of all ontologies."""
    labels = [each.label for each in bench.request.releases]
    return page(bench, "ontology", {label: _ontology_section(bench, label) for label in labels})


def _ontology_section(bench: Bench, label: str) -> Iterator[tuple[str, list[Record]]]:
    """Pieces of HTML, each with the figures that it shows."""
    made = bench.results[label, SETS]
    found = _classify_pairs(bench, label, made["labels"])
    counts = {name: found[name, methods(bench)[0]].figures[0].n for name in made["labels"]}
    yield _size_table(made["sets"], made["labels"], counts), []
    signs, comparisons = _compare_methods(found)
    yield (
        paragraph(
            "Only pairs that every method can represent count. The correction is over "
            f"{comparisons:,} comparisons."
        ),
        _figure_rows(found, signs),
    )
    for metric in (_ACCURACY, _AUC):
        for strategy in STRATEGIES:
            sets = [each for each in made["sets"] if each["strategy"] == strategy]
            yield _metric_table(bench, metric, strategy, sets, made["labels"], found, signs), []
    yield _category_table(bench, label)
    if bench.benchmarks:
        yield _relatedness_table(bench, label)


def _classify_pairs(bench: Bench, label: str, labels: Mapping[str, Sequence[int]]) -> "Found":
    from trainer.evaluation.pair_classification import pair_classification
    from trainer.evaluation.relatedness import covered_by_all
    from trainer.files.pairs import PairSet

    found = {}
    for name, of_set in labels.items():
        blank = ("",) * len(of_set)
        pairs = PairSet(name, blank, blank, np.array(of_set, np.float64))
        similarities = {
            method: numbers(bench.results[label, method]["similarities"][name])
            for method in methods(bench)
        }
        counted = covered_by_all(similarities.values())
        for method, values in similarities.items():
            found[name, method] = pair_classification(
                pairs, values, counted=counted, tick=bench.tick
            )
    return found


def _compare_methods(found: "Found") -> tuple[dict[tuple[str, str], tuple[int, int]], int]:
    """How many others each method is better and worse than in each set, of so many comparisons."""
    from trainer.evaluation.comparison import mcnemar

    ahead, p = {}, {}
    for (name, one), (of, other) in combinations(found, 2):
        if name == of:
            first, second = (found[name, each].items[_ACCURACY] for each in (one, other))
            better, worse = int((first > second).sum()), int((first < second).sum())
            ahead[name, one, other] = (one, other) if better > worse else (other, one)
            p[name, one, other] = mcnemar(better, worse)
    signs = dict.fromkeys(found, (0, 0))
    for couple, corrected in correct_p(p).items():
        if corrected < ALPHA:
            better_one, worse_one = ((couple[0], each) for each in ahead[couple])
            signs[better_one] = signs[better_one][0] + 1, signs[better_one][1]
            signs[worse_one] = signs[worse_one][0], signs[worse_one][1] + 1
    return signs, len(p)


def _size_table(
    sets: Sequence[Mapping[str, Any]],
    labels: Mapping[str, Sequence[int]],
    counts: Mapping[str, int],
) -> str:
    rows: list[list[Shown]] = [
        [
            each["name"], f"{each['similar'] + each['dissimilar']:,}",
            f"{len(labels[each['name']]):,}", f"{counts[each['name']]:,}",
            f"{each['similar_distance']:.2f}", _distance_text(each["dissimilar_distance"]),
        ]
        for each in sets
    ]  # fmt: skip
    without = [told for name, told in SOURCES.items() if name not in {x["source"] for x in sets}]
    caption = "Pairs of each set, and mean edit distances of similar and of dissimilar ones"
    header = ["set", "pairs", "of them taken", "counted", "similar", "dissimilar"]
    return table(header, rows, caption) + (
        paragraph(f"No similar pairs: {'; '.join(without)}.") if without else ""
    )


def _distance_text(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _metric_table(
    bench: Bench,
    metric: str,
    strategy: str,
    sets: Sequence[Mapping[str, Any]],
    labels: Mapping[str, Sequence[int]],
    found: "Found",
    signs: Mapping[tuple[str, str], tuple[int, int]],
) -> str:
    """Methods by sets, as Table 5."""
    rows: list[list[Shown]] = []
    for method in methods(bench):
        row: list[Shown] = [method]
        for each in sets:
            key = each["name"], method
            figure = next(x for x in found[key].figures if x.metric == metric)
            ahead, behind = signs[key]
            sign = "".join(
                f" {mark}{count}" for mark, count in (("+", ahead), ("−", behind)) if count
            )
            row.append(
                Value(
                    figure.value, figure.low, figure.high, sign if metric == _ACCURACY else "",
                    count=figure.n, of=len(labels[each["name"]]),
                )
            )  # fmt: skip
        rows.append(row)
    header = ["", *(f"{SOURCES[each['source']]}, {each['difficulty']}" for each in sets)]
    return table(header, rows, f"Dissimilar pairs: {strategy}. {_HOW[metric]}")


def _figure_rows(found: "Found", signs: Mapping[tuple[str, str], tuple[int, int]]) -> list[Record]:
    """The same as rows for JSON and CSV."""
    return [
        _figure_row(method, "pairs", name, figure)
        | (
            {
                "threshold": one.threshold if np.isfinite(one.threshold) else None,
                "better": signs[name, method][0],
                "worse": signs[name, method][1],
            }
            if figure.metric == _ACCURACY
            else {}
        )
        for (name, method), one in found.items()
        for figure in one.figures
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


def _category_table(bench: Bench, label: str) -> tuple[str, list[Record]]:
    """How often each method takes a distant term for as near as a close one ([MTS] 5.3)."""
    from trainer.evaluation.bootstrap import mean_figures

    drawn = bench.results[label, CATEGORIES]
    above: Counter[str] = Counter(drawn["above"])
    classes = [name for name, _ in above.most_common()]
    rows: list[list[Shown]] = []
    listed: list[Record] = []
    for method in methods(bench):
        items = numbers(bench.results[label, of_categories(method)]["overlap"])
        row: list[Shown] = [method]
        for name in ("all", *classes):
            own = np.array([name in ("all", each) for each in drawn["above"]], np.bool_)
            if not (~np.isnan(items[own])).any():
                continue
            (figure,) = mean_figures({"overlap": items[own]}, 0).figures
            listed.append(_figure_row(method, CATEGORIES, name, figure))
            row.append(Value(figure.value, figure.low, figure.high))
        rows.append(row[: _MOST_CLASSES + 2])
    header = ["", *(row["data"] for row in listed if row["encoder"] == methods(bench)[0])]
    if len(header) == 1:
        return paragraph("No category of terms has both close and distant ones."), []
    count = len(set(drawn["category"]))
    caption = (
        f"{len(drawn['names']):,} terms of {count:,} categories, each all below one class of level "
        "2, or of SNOMED CT one semantic tag; close are those below the same class of level 1, "
        "distant all others. Overlap: share of triples in which a distant term is at least as "
        "similar as a close one, less is better; 95 % intervals by bootstrap over terms"
    )
    return table(header[: _MOST_CLASSES + 2], rows, caption, contest=False), listed


def _relatedness_table(bench: Bench, label: str) -> tuple[str, list[Record]]:
    """Spearman's correlation of each method with each benchmark, as Table 4."""
    from trainer.evaluation.figures import MetricValue

    rows: list[list[Shown]] = []
    listed = []
    for method in methods(bench):
        row: list[Shown] = [method]
        for pairs in bench.benchmarks:
            values = numbers(bench.results[label, method]["similarities"][pairs.name])
            mean = mean_spearman(pairs, [values], None, bench.tick)
            row.append(mean.shown())
            figure = MetricValue("spearman", mean.value, mean.low, mean.high, mean.pairs, True)
            listed.append(_figure_row(method, "relatedness", pairs.name, figure))
        rows.append(row)
    header = ["", *(each.name for each in bench.benchmarks)]
    caption = f"Spearman, 95 % intervals (BCa) over pairs; {COUNTED}"
    return table(header, rows, caption), listed
