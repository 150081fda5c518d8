"""[HLS]: Tables 3 to 7 of our own."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from termexplorer.exporters.documents.blocks import Blocks
from termexplorer.replicate.example_words import choice_text, first_right
from termexplorer.replicate.item_tables import (
    OVER_NAMES,
    UNTRAINED,
    Records,
    cells_chart,
    cells_table,
    item_cells,
    listed,
    pair_cells,
    pair_table,
)
from termexplorer.replicate.levels import EXAMPLE, LEVELS, TASKS
from termexplorer.replicate.page import page
from termexplorer.replicate.report import Report, make_charts, make_paragraph, make_rankings
from termexplorer.replicate.request import hierarchies
from termexplorer.replicate.runs import Bench, numbers
from termexplorer.replicate.work.pieces import Record
from termexplorer.trainer.metrics import SPEARMAN

_TITLES = {"ranking": "Semantic similarity ranking, mAP", "hypernyms": "Hypernym detection, MRR"}
_ITEMS = f"trained on (rows) and evaluated on (columns), test names, {OVER_NAMES}"
_COLUMNS = {f"level {level}": level for level in LEVELS}


def report(bench: Bench) -> Report:
    """The tables of all splits."""
    labels = [hierarchy.label for hierarchy in hierarchies(bench.request)]
    return page(bench, "root", {label: _hierarchy_section(bench, label) for label in labels})


def _hierarchy_section(bench: Bench, label: str) -> Iterator[tuple[Blocks, list[Record]]]:
    """Pieces of HTML, each with the figures that it shows."""
    seeds = range(bench.request.seeds)
    records: Records = {
        f"level {level}" if level else UNTRAINED: [
            bench.results[label, seed, level] for seed in seeds
        ]
        for level in (0, *LEVELS)
    }
    yield _describe_sizes(records[UNTRAINED][0]["sizes"]), []
    charts = []
    for task, metric in TASKS.items():

        def items(record: Record, column: str, task: str = task) -> NDArray[np.float64]:
            return numbers(record[task][str(_COLUMNS[column])])

        title, cells = (
            _TITLES[task],
            item_cells(records, list(_COLUMNS), metric, items, _mention_names),
        )
        table = cells_table(cells, f"{title}: {_ITEMS}", metric, times=True)
        yield table, listed(cells, task, metric)
        charts.append(cells_chart(cells, title, "level evaluated", _COLUMNS))
    yield make_charts(charts), []
    if bench.benchmarks:
        cells = pair_cells(records, bench.benchmarks, bench.tick)
        rows = listed(cells, "relatedness", SPEARMAN)
        yield pair_table(cells, bench.request.seeds), rows
    yield _example_table(records[f"level {EXAMPLE[0]}"][0]["example"]), []


def _mention_names(record: Record, column: str) -> NDArray[np.int64]:
    return np.array(record["names"][str(_COLUMNS[column])], np.int64)


def _describe_sizes(sizes: dict[str, list[int]]) -> Blocks:
    train, test, validation = sizes["parts"]
    classes = " / ".join(f"{count:,}" for count in sizes["classes"])
    return make_paragraph(
        f"Classes on levels 1 to 4: {classes}. Names below level 4, in the first split: "
        f"{train:,} train, {test:,} test, {validation:,} validation."
    )


def _example_table(example: Record) -> Blocks:
    """Table 6: hypernyms of a mention, before and after."""
    ranks = [first_right(example[at]) for at in ("before", "after")]
    shown = [1 / rank if rank else 0.0 for rank in ranks]
    before, after = example.get("reciprocal", shown)
    text = choice_text(before, after, "test mention")
    return make_paragraph(
        f"Hypernyms on level {EXAMPLE[1]}, of the encoder trained on level {EXAMPLE[0]}: {text} "
        f"The first right one is {_describe_rank(ranks[0], example)} before and "
        f"{_describe_rank(ranks[1], example)} after. "
        f"Mention: “{example['mention']}”, right (✓): {'; '.join(example['right'])}; "
        f"{example['candidates']:,} names are ranked."
    ) + make_rankings(("before", "after"), (example["before"], example["after"]))


def _describe_rank(rank: int, example: Record) -> str:
    shown = len(example["before"])
    return f"at rank {rank}" if rank else f"below the first {shown}"
