"""A study's report: what its blocks are made of figures, and the files that it is written to."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

from termexplorer.exporters.documents.blocks import (
    Blocks,
    BulletList,
    Chart,
    ChartGroup,
    Heading,
    ListedName,
    Paragraph,
    RankingLists,
    ReportDocument,
    ReportTable,
    Section,
    TableCell,
)
from termexplorer.exporters.documents.html_page import write_html
from termexplorer.exporters.tables import Cell, write_table
from termexplorer.replicate.interval_words import describe_method
from termexplorer.services.figures.metric_kinds import LEAST_ITEMS
from termexplorer.texts import figure_text

PAGE = "report.html"
_LETTERS = "abcdefghi"  # of methods in a table


@dataclass(frozen=True, slots=True)
class Value:
    """A figure with its interval, a sign behind it, its spread over samples, or why it is none.

    Attributes:
        count: of what it is a figure of; shown where it differs among the rows of a column, or
            is fewer than all.
        of: how many there are in all; 0 where that is not told.
        method: that made the interval, one of ``trainer.evaluation.figures.INTERVAL_METHODS``; the
            table says it below.
    """

    value: float
    low: float = float("nan")
    high: float = float("nan")
    sign: str = ""
    spread: float = float("nan")
    digits: int = 3
    undefined: str = ""
    count: int = 0
    of: int = 0
    method: str = ""


Shown: TypeAlias = str | Value


@dataclass(frozen=True, slots=True)
class Report:
    """What a study came to.

    Attributes:
        title: of the page.
        sections: in their order.
        tables: by the name of their file, header and rows.
        figures: for `--json`.
    """

    title: str
    sections: tuple[Section, ...]
    tables: dict[str, tuple[Sequence[str], Sequence[Sequence[Cell]]]]
    figures: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def of_rows(
        cls, title: str, sections: Sequence[Section], rows: list[dict[str, Any]]
    ) -> "Report":
        """With its figures as the one table; all rows have the columns of the first."""
        header = list(rows[0])
        cells = [[row[name] for name in header] for row in rows]
        return cls(title, tuple(sections), {"figures.csv": (header, cells)}, rows)


def make_section(heading: str, *parts: Blocks) -> Section:
    """Return a section of a heading and what stands below it."""
    return Section(heading, tuple(chain.from_iterable(parts)))


def make_heading(text: str) -> Blocks:
    """Return a heading within a section."""
    return (Heading(text),)


def make_paragraph(text: str) -> Blocks:
    """Return a paragraph of plain text."""
    return (Paragraph(text),)


def make_bullets(texts: Sequence[str]) -> Blocks:
    """Return a list of sentences; nothing of none."""
    return (BulletList(tuple(texts)),) if texts else ()


def make_table(
    header: Sequence[str],
    rows: Sequence[Sequence[Shown]],
    caption: str = "",
    *,
    contest: bool = True,
    chance: float = 0.0,
) -> Blocks:
    """Return a table, and below it how intervals were made, and why figures are undefined.

    Args:
        header: the titles of the columns.
        rows: their cells.
        caption: over it.
        contest: whether the best value of each column is bold, where there are several, each of
            as many items.
        chance: what knows nothing comes to; no value is bold that is not above it.
    """
    columns = [[row[at] for row in rows] for at in range(len(header))]
    best = [_best_value(column, chance) if contest else None for column in columns]
    counts = [_item_counts(column) for column in columns]
    reasons = {cell.undefined: f"{n}" for n, cell in enumerate(_first_undefined(rows), 1)}
    methods = _method_letters(rows)
    titles = [
        TableCell(title, _count_of_all(counts[at]), numeric=_has_values(columns[at]))
        for at, title in enumerate(header)
    ]
    cells = [
        tuple(
            _make_cell(cell, best[at], reasons, methods, counted=len(counts[at]) > 1)
            for at, cell in enumerate(row)
        )
        for row in rows
    ]
    undefined = [f"{number} undefined: {reason}" for reason, number in reasons.items()]
    notes = (*_method_notes(methods), *undefined)
    return (ReportTable(tuple(titles), tuple(cells), caption, notes),)


def make_rankings(titles: Sequence[str], ranked: Sequence[Sequence[Sequence[Any]]]) -> Blocks:
    """Return rankings side by side: names, each with whether it is right, and more if any."""
    lists = [
        tuple(ListedName(name, bool(right), tuple(notes)) for name, right, *notes in names)
        for names in ranked
    ]
    return (RankingLists(tuple(titles), tuple(lists)),)


def make_charts(charts: Sequence[Chart | None]) -> Blocks:
    """Return charts side by side, without those that have nothing to draw."""
    drawn = tuple(chart for chart in charts if chart is not None)
    return (ChartGroup(drawn),) if drawn else ()


def write_report(folder: Path, report: Report) -> None:
    """Write the page and the tables.

    Raises:
        UserError: the folder cannot be written to.
    """
    write_html(folder / PAGE, ReportDocument(report.title, report.sections))
    for name, (header, rows) in report.tables.items():
        write_table(folder / name, header, rows)


def _best_value(column: Sequence[Shown], chance: float) -> float | None:
    """The greatest of several; none where they are of other or too few items, or by chance."""
    defined = [value for value in column if isinstance(value, Value) and value.value == value.value]
    counts = {value.count for value in defined}
    if len(defined) < 2 or len(counts) > 1 or 0 < min(counts) < LEAST_ITEMS:
        return None
    best = max(value.value for value in defined)
    return best if best > chance else None


def _item_counts(column: Sequence[Shown]) -> set[tuple[int, int]]:
    """Of how many items the figures are, and of how many in all."""
    return {(value.count, value.of) for value in column if isinstance(value, Value)}


def _count_of_all(counts: Set[tuple[int, int]]) -> tuple[str, ...]:
    """Return what stands below a title where all figures are of the same part of all."""
    if len(counts) != 1:
        return ()
    ((count, of),) = counts
    return (_count_text(count, of),) if count < of else ()


def _count_text(count: int, of: int) -> str:
    return f"n = {count:,} of {of:,}" if count < of else f"n = {count:,}"


def _has_values(column: Sequence[Shown]) -> bool:
    """Return whether a column has figures, so that its title is aligned right."""
    return any(isinstance(cell, Value) for cell in column)


def _first_undefined(rows: Sequence[Sequence[Shown]]) -> Iterator[Value]:
    """The first cell that is undefined for each reason."""
    seen: set[str] = {""}
    for cell in chain.from_iterable(rows):
        if isinstance(cell, Value) and cell.value != cell.value and cell.undefined not in seen:
            seen.add(cell.undefined)
            yield cell


def _method_letters(rows: Sequence[Sequence[Shown]]) -> dict[str, str]:
    """Return a letter for each method of the intervals of a table; "" where all have the same."""
    shown = (cell for cell in chain.from_iterable(rows) if isinstance(cell, Value))
    methods = list(dict.fromkeys(value.method for value in shown if _has_interval(value)))
    if len(methods) < 2:
        return dict.fromkeys(methods, "")
    return {method: f"({_LETTERS[at]})" if method else "" for at, method in enumerate(methods)}


def _has_interval(value: Value) -> bool:
    return value.value == value.value and value.low == value.low


def _method_notes(methods: Mapping[str, str]) -> list[str]:
    """Return how the intervals of a table were made, as far as its figures say."""
    return [
        f"{letter + ' ' if letter else ''}95 % intervals: {describe_method(method)}"
        for method, letter in methods.items()
        if method
    ]


def _make_cell(
    cell: Shown,
    best: float | None,
    reasons: Mapping[str, str],
    methods: Mapping[str, str],
    *,
    counted: bool,
) -> TableCell:
    if not isinstance(cell, Value):
        return TableCell(cell)
    count = (_count_text(cell.count, cell.of),) if counted else ()
    if cell.value != cell.value:
        reference = reasons.get(cell.undefined, "")
        return TableCell("undefined", count, numeric=True, reference=reference)
    number = f"{figure_text(cell.value, f',.{cell.digits}f')}{cell.sign}"
    if cell.spread == cell.spread:
        number += f" ± {figure_text(cell.spread, '.3f')}"
    between: tuple[str, ...] = ()
    if _has_interval(cell):
        letter = methods.get(cell.method, "")
        ends = f"{figure_text(cell.low, '.3f')} – {figure_text(cell.high, '.3f')}"
        between = (" ".join(filter(None, (ends, letter))),)
    return TableCell(number, (*between, *count), numeric=True, bold=cell.value == best)
