"""[CG]: Tables 2 to 8 of our own."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from termexplorer.exporters.documents.blocks import Blocks
from termexplorer.replicate.example_words import choice_text, count_right, right_text
from termexplorer.replicate.grounding import BOTH, ENCODERS, METRICS, VARIANTS, View, views
from termexplorer.replicate.item_tables import (
    OVER_NAMES,
    UNTRAINED,
    Records,
    cells_table,
    item_cells,
    listed,
    pair_cells,
    pair_table,
)
from termexplorer.replicate.page import page
from termexplorer.replicate.report import Report, make_paragraph, make_rankings, make_table
from termexplorer.replicate.request import hierarchies
from termexplorer.replicate.runs import Bench, numbers
from termexplorer.replicate.work.pieces import Record
from termexplorer.trainer.metrics import ACCURACY, MAP, MRR, SPEARMAN

_TITLES = {
    MAP: "Synonym retrieval, mAP",
    ACCURACY: "Concept mapping, accuracy",
    MRR: "Concept mapping, MRR",
}


def report(bench: Bench) -> Report:
    """The tables of all splits, those of all views of a hierarchy beside each other."""
    places = {
        hierarchy.label: _make_report_parts(bench, views(hierarchy))
        for hierarchy in hierarchies(bench.request)
    }
    return page(bench, "ontology", places)


def _make_report_parts(
    bench: Bench, shown: Sequence[View]
) -> Iterator[tuple[Blocks, list[Record]]]:
    """Pieces of HTML, each with the figures that it shows."""
    seeds, encoders = range(bench.request.seeds), (UNTRAINED, *ENCODERS)
    records_by_view: dict[View, Records] = {
        view: {
            encoder: [bench.results[view.label, seed, encoder] for seed in seeds]
            for encoder in encoders
        }
        for view in shown
    }
    sizes = {view: records[UNTRAINED][0]["sizes"] for view, records in records_by_view.items()}
    yield _size_table(sizes), []
    for view, records in records_by_view.items():
        yield from _synonym_tables(view, records, alone=len(records_by_view) == 1)
    if bench.benchmarks:
        yield _relatedness_table(bench, records_by_view)
    for view, records in records_by_view.items():
        if records[BOTH][0]["example"]:
            yield _example_table(view, records[BOTH][0]["example"]), []


def _view_title(view: View) -> str:
    groups = view.choice.groups
    return f"Grouped by {groups}" if groups else "Synonym sets"


def _synonym_tables(
    view: View, records: Records, *, alone: bool
) -> Iterator[tuple[Blocks, list[Record]]]:
    """Tables 3 to 5: one for each metric."""
    for metric in METRICS:

        def items(record: Record, column: str, metric: str = metric) -> NDArray[np.float64]:
            return numbers(record["synonyms"][column][metric])

        def names(record: Record, column: str) -> NDArray[np.int64]:
            return np.array(record["names"][column], np.int64)

        cells = item_cells(records, VARIANTS, metric, items, names)
        of = "" if alone else f"{_view_title(view)}: "
        caption = f"{of}{_TITLES[metric]}, {OVER_NAMES}"
        rows = listed(cells, "synonyms", metric)
        table = cells_table(cells, caption, metric, times=True)
        yield table, [_with_groups(view, row) for row in rows]


def _with_groups(view: View, row: Record) -> Record:
    return {"groups": view.choice.groups, **row}


def _relatedness_table(
    bench: Bench, records_by_view: Mapping[View, Records]
) -> tuple[Blocks, list[Record]]:
    """Table 8: the encoders of all views, which share the untrained mean."""
    whose = {UNTRAINED: (next(iter(records_by_view)), UNTRAINED)}
    for view in records_by_view:
        of = f", {view.choice.groups} groups" if view.choice.groups else ""
        whose |= {f"{encoder}{of}": (view, encoder) for encoder in ENCODERS}
    records = {title: records_by_view[view][encoder] for title, (view, encoder) in whose.items()}
    cells = pair_cells(records, bench.benchmarks, bench.tick)
    rows = [
        _with_groups(view, row) | {"encoder": encoder}
        for row in listed(cells, "relatedness", SPEARMAN)
        for view, encoder in [whose[row["encoder"]]]
    ]
    return pair_table(cells, bench.request.seeds), rows


def _example_table(view: View, example: Record) -> Blocks:
    """Tables 6 and 7: the names that a mention ranks first."""
    class_kind = "code" if view.choice.groups else "concept"
    before, after = example["before"], example["after"]
    choice = choice_text(count_right(before), count_right(after), "test mention")
    text = (
        f"{_view_title(view)}, by synonyms among the first ten names of {BOTH}: {choice} "
        f"{right_text(before, after)} Mention: “{example['mention']}”, {class_kind} "
        f"{example['class']}; "
        f"{example['candidates']:,} names are ranked."
    )
    return make_paragraph(text) + make_rankings((UNTRAINED, BOTH), (before, after))


def _size_table(sizes: Mapping[View, Mapping[str, Mapping[str, int]]]) -> Blocks:
    """Table 2: what the first split comes to, and what filters and grouping took away."""
    counts = next(iter(sizes.values()))["split"]
    rows = [[name, *(f"{size['split'][name]:,}" for size in sizes.values())] for name in counts]
    counts_told = (
        make_paragraph(
            f"{_view_title(view)}: {_describe_counts(size.get('groups', {}), size['removed'])}."
        )
        for view, size in sizes.items()
    )
    table = make_table(["", *map(_view_title, sizes)], rows, "The first split")
    return table + tuple(chain.from_iterable(counts_told))


def _describe_counts(groups: Mapping[str, int], removed: Mapping[str, int]) -> str:
    """What grouping came to, and the names that were left out."""
    left_out = ", ".join(f"{count:,} {name}" for name, count in removed.items())
    grouped = "".join(f"{name} {count:,}; " for name, count in groups.items())
    return f"{grouped}names left out: {left_out}"
