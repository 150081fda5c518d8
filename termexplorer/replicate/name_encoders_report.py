"""[BNE]: Tables 2 to 4 and Figure 4 of our own."""

from collections.abc import Iterator, Mapping
from math import log2

import numpy as np
from numpy.typing import NDArray

from termexplorer.exporters.documents.blocks import Blocks
from termexplorer.replicate.example_words import choice_text, count_right, right_text
from termexplorer.replicate.item_tables import (
    OVER_NAMES,
    UNTRAINED,
    Cells,
    Records,
    cells_chart,
    cells_table,
    item_cells,
    listed,
    pair_cells,
    pair_table,
)
from termexplorer.replicate.mentions import INEXACT, MATCHED, RETRIEVAL
from termexplorer.replicate.name_encoders import BNE, ENCODERS, LEXICAL, PARAPHRASE
from termexplorer.replicate.page import page
from termexplorer.replicate.report import (
    Report,
    make_charts,
    make_paragraph,
    make_rankings,
    make_section,
)
from termexplorer.replicate.runs import Bench, numbers, settings_of
from termexplorer.replicate.work.pieces import Record
from termexplorer.trainer.metrics import ACCURACY, COVERAGE, MAP, SPEARMAN

_OVER_MENTIONS = (
    "95 % intervals over mentions, each with the mean of what it comes to in all splits"
)
_ROWS = (
    "The rows in the paper's words: untrained mean is SGW, own vectors of names are SGS or SGS.C "
    "(means of words for other names), option 2 is BNE + SGW, option 1 is BNE + SGS.C, paraphrase "
    "is Wieting et al. (2015). Training stops by the mAP of validation names, where the paper "
    "stops by the accuracy of normalisation on validation sets. Names of the tenth of concepts "
    "that coverage is measured on are in no training set; they are in the dictionary that "
    "mentions are normalised to. As in the paper, mentions of concepts that the dictionary lacks "
    "do not count; a mention of several concepts counts for retrieval if it has one of them, for "
    "normalisation if it has all. Where no training document is named there is no XM."
)


def report(bench: Bench) -> Report:
    """The tables of all splits."""
    settings = settings_of(bench.request, PARAPHRASE)
    settings_text = ", ".join(f"{name} {value}" for name, value in settings.items())
    note = make_section(
        "How to read it", make_paragraph(_ROWS), make_paragraph(f"Paraphrase: {settings_text}.")
    )
    labels = [release.label for release in bench.request.releases]
    return page(
        bench, "ontology", {label: _release_section(bench, label) for label in labels}, note
    )


def _release_section(bench: Bench, label: str) -> Iterator[tuple[Blocks, list[Record]]]:
    """Pieces of HTML, each with the figures that it shows."""
    everything = {
        encoder: [
            bench.results[label, seed, encoder]
            for seed in range(bench.request.seeds)
            if (label, seed, encoder) in bench.results
        ]
        for encoder in ENCODERS
    }
    records = {
        encoder: encoder_records
        for encoder, encoder_records in everything.items()
        if encoder_records
    }
    sizes = records[UNTRAINED][0]["sizes"]
    yield _describe_sizes(sizes), []
    if sizes["corpora"]:
        yield from _mention_tables(records, list(sizes["corpora"]))
    dense = {
        encoder: encoder_records
        for encoder, encoder_records in records.items()
        if encoder not in LEXICAL
    }
    yield from _coverage_tables(dense)
    if bench.benchmarks:
        cells = pair_cells(dense, bench.benchmarks, bench.tick)
        rows = listed(cells, "relatedness", SPEARMAN)
        yield pair_table(cells, bench.request.seeds), rows
    yield _example_section(records[BNE][0]), []


def _mention_tables(records: Records, corpora: list[str]) -> Iterator[tuple[Blocks, list[Record]]]:
    """Tables 2 and 3."""
    columns = {corpus: (corpus, RETRIEVAL) for corpus in corpora}
    cells = _mention_cells(records, columns, MAP)
    caption = f"Synonym retrieval among the names of 20 concepts by BM25, mAP, {_OVER_MENTIONS}"
    yield cells_table(cells, caption, MAP, times=True), listed(cells, "retrieval", MAP)
    titles = {ACCURACY: "", INEXACT: ", no exact match", MATCHED: ", XM"}
    columns = {
        f"{corpus}{title}": (corpus, figure)
        for corpus in corpora
        for figure, title in titles.items()
    }
    cells = _mention_cells(records, columns, ACCURACY)
    caption = f"Normalisation, accuracy, {_OVER_MENTIONS}"
    table = cells_table(cells, caption, ACCURACY, times=False)
    yield table, listed(cells, "normalisation", ACCURACY)


def _mention_cells(records: Records, columns: Mapping[str, tuple[str, str]], metric: str) -> Cells:
    """Figures over mentions, the same ones in all splits."""

    def items(record: Record, column: str) -> NDArray[np.float64]:
        corpus, figure = columns[column]
        return numbers(record["mentions"][corpus].get(figure, ()))

    def names(record: Record, column: str) -> NDArray[np.int64]:
        return np.arange(len(items(record, column)))

    first = records[UNTRAINED][0]
    counted = [column for column in columns if not np.isnan(items(first, column)).all()]
    return item_cells(records, counted, metric, items, names)


def _coverage_tables(records: Records) -> Iterator[tuple[Blocks, list[Record]]]:
    """Figure 4 (a): every k in the figure and in the files, every second one in a table."""
    at = {k: log2(int(k)) for k in records[UNTRAINED][0]["coverage"]}

    def items(record: Record, column: str) -> NDArray[np.float64]:
        return numbers(record["coverage"][column])

    def names(record: Record, _: str) -> NDArray[np.int64]:
        return np.array(record["names"], np.int64)

    if all(value is None for record in records[UNTRAINED] for value in record["coverage"]["1"]):
        yield make_paragraph("No concept that was kept for coverage has two names."), []
        return
    cells = item_cells(records, list(at), "coverage", items, names)
    some = {key: cell for key, cell in cells.items() if at[key[1]] % 2 == 0}
    caption = f"Mean coverage at k of names of concepts kept out of training, {OVER_NAMES}"
    rows = [
        row | {"metric": f"{COVERAGE}{row['data']}"}
        for row in listed(cells, "coverage", "coverage", some)
    ]
    yield cells_table(some, caption, "coverage", times=False), rows
    title = "Mean coverage at k"
    yield (
        make_charts([cells_chart(cells, title, "log₂ k, from 1 to 1024 neighbours", at)]),
        [],
    )


def _describe_sizes(sizes: Record) -> Blocks:
    """What the first split and the corpora come to."""
    split, removed = (
        ", ".join(f"{count:,} {name}" for name, count in sizes[part].items())
        for part in ("split", "removed")
    )
    corpora = "".join(
        f" {name}: {size['mentions']:,} mentions, {size['counted']:,} of known concepts; of the "
        f"right concepts {size['among candidates']:.0%} are among the 20 by BM25."
        for name, size in sizes["corpora"].items()
    )
    return make_paragraph(
        f"First split: {split}. Names left out of it: {removed}. Dictionary: {sizes['names']:,} "
        f"names of {sizes['concepts']:,} concepts.{corpora}"
    )


def _example_section(record: Record) -> Blocks:
    example = record["example"]
    if example is None:
        return ()
    before, after = example["before"], example["after"]
    choice = choice_text(count_right(before), count_right(after), "test name")
    text = (
        f"By synonyms among the first ten names of {BNE}: {choice} {right_text(before, after)} "
        f"Name: “{example['mention']}”, concept {example['class']}; {example['candidates']:,} "
        "names are ranked."
    )
    return make_paragraph(text) + make_rankings((UNTRAINED, BNE), (before, after))
