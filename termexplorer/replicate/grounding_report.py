"""[CG]: Tables 2 to 8 of our own."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from termexplorer.replicate.grounding import BOTH, ENCODERS, METRICS, VARIANTS
from termexplorer.replicate.item_tables import (
    UNTRAINED,
    Records,
    cells_table,
    item_cells,
    listed,
    pair_cells,
)
from termexplorer.replicate.page import page
from termexplorer.replicate.report import Report, paragraph, two_rankings
from termexplorer.replicate.results import Record
from termexplorer.replicate.runs import Bench, numbers

_TITLES = {
    "mAP": "Synonym retrieval, mAP",
    "accuracy": "Concept mapping, accuracy",
    "MRR": "Concept mapping, MRR",
}


def report(bench: Bench) -> Report:
    """The tables of all splits."""
    labels = [each.label for each in bench.request.releases]
    return page(bench, "ontology", {label: _release(bench, label) for label in labels})


def _release(bench: Bench, label: str) -> Iterator[tuple[str, list[Record]]]:
    """Pieces of HTML, each with the figures that it shows."""
    seeds = range(bench.request.seeds)
    records: Records = {
        encoder: [bench.results[label, seed, encoder] for seed in seeds]
        for encoder in (UNTRAINED, *ENCODERS)
    }
    yield _sizes(records[UNTRAINED][0]["sizes"]), []
    for metric in METRICS:

        def items(record: Record, column: str, metric: str = metric) -> NDArray[np.float64]:
            return numbers(record["synonyms"][column][metric])

        cells = item_cells(records, VARIANTS, metric, items)
        caption = f"{_TITLES[metric]}, 95 % intervals over all mentions"
        yield cells_table(cells, caption, times=True), listed(cells, "synonyms", metric)
    if bench.benchmarks:
        cells = pair_cells(records, bench.benchmarks, bench.tick)
        caption = "Spearman, 95 % intervals over pairs"
        yield cells_table(cells, caption, times=False), listed(cells, "relatedness", "spearman")
    example = records[BOTH][0]["example"]
    told = (
        f"The test mention of the first split whose first ten names gained most synonyms (✓) by "
        f"{BOTH}: the best case by choice, as in the paper. Mention: “{example['mention']}”, "
        f"concept {example['class']}; {example['candidates']:,} names are ranked."
    )
    rankings = two_rankings((UNTRAINED, BOTH), example["before"], example["after"])
    yield paragraph(told) + rankings, []


def _sizes(sizes: dict[str, dict[str, int]]) -> str:
    """Table 2: what the first split comes to, and what the filters took away."""
    told = (
        ", ".join(f"{count:,} {name}" for name, count in each.items()) for each in sizes.values()
    )
    split, removed = told
    return paragraph(f"First split: {split}. Names left out: {removed}.")
