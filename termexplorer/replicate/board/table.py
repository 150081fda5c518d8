"""The tables of the board as Markdown, and the page of the docs that they stand in."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.files import atomic_write
from termexplorer.texts import figure_text, tr

BOARD_FILE = "board.json"
BEGIN, END = "<!-- board: begin -->", "<!-- board: end -->"
LEARNED = "°"
_COLUMNS = 4  # tasks of a table


@dataclass(frozen=True, slots=True)
class BoardTitle:
    """A task as its column is headed.

    Attributes:
        title: what people call it.
        metric: what the figure is.
        learned: whether the built-in encoder learned from the ontology that it is of.
    """

    title: str
    metric: str
    learned: bool


@dataclass(frozen=True, slots=True)
class BoardCell:
    """A figure with its 95 % interval.

    Attributes:
        value: the figure.
        low: the lower end of its interval.
        high: the upper end.
        n: items that it is of.
        seconds: that measuring took, by the clock.
        cpu_seconds: the same, of all cores together.
    """

    value: float
    low: float
    high: float
    n: int
    seconds: float
    cpu_seconds: float


@dataclass(frozen=True, slots=True)
class BoardRow:
    """An encoder and its figures.

    Attributes:
        title: what people call it.
        kind: of encoder.
        over_built_in: whether it has learned what the built-in encoder has.
        note: what its making came to.
        seconds: that opening or training it took, by the clock.
        cpu_seconds: the same, of all cores together.
        cells: by task.
    """

    title: str
    kind: str
    over_built_in: bool
    note: str
    seconds: float
    cpu_seconds: float
    cells: Mapping[str, BoardCell]


@dataclass(frozen=True, slots=True)
class BoardResults:
    """All that a board came to.

    Attributes:
        tasks: by key, in the order of the columns.
        rows: the encoders.
    """

    tasks: Mapping[str, BoardTitle]
    rows: tuple[BoardRow, ...]


def read_board(path: Path) -> BoardResults:
    """Read what `measure_board` has written.

    Raises:
        UserError: the file is not there, or no board.
    """
    try:
        document = json.loads(path.read_text("utf-8"))
        rows = [
            BoardRow(**{**row, "cells": {key: BoardCell(**cell) for key, cell in cells.items()}})
            for row in document["rows"]
            for cells in [row["cells"]]
        ]
        tasks = {key: BoardTitle(**task) for key, task in document["tasks"].items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise UserError(tr("{path} is no board; make one anew", path=path)) from error
    return BoardResults(tasks, tuple(rows))


def render_board(results: BoardResults) -> str:
    """Return the tables as Markdown: an overview, then the figures of four tasks each."""
    keys = list(results.tasks)
    parts: list[Iterable[str]] = [[_describe_time(results)], _render_overview(results)]
    starts = range(0, len(keys), _COLUMNS)
    parts.extend(_render_tasks(results, keys[start : start + _COLUMNS]) for start in starts)
    return "\n\n".join("\n".join(part) for part in parts)


def write_page(page: Path, results: BoardResults) -> None:
    """Replace what stands between the markers of a page by the tables.

    Raises:
        UserError: the page is not there, or has no markers.
    """
    try:
        text = page.read_text("utf-8")
    except OSError as error:
        raise UserError(
            tr("{path}: cannot be read; name a page that is there", path=page)
        ) from error
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise UserError(
            tr(
                "{path} has no place for the board; put the lines {begin} and {end} where it goes",
                path=page,
                begin=BEGIN,
                end=END,
            )
        )
    with atomic_write(page) as fresh:
        fresh.write_text(f"{before}{BEGIN}\n\n{render_board(results)}\n\n{END}{after}", "utf-8")


def rank_encoders(results: BoardResults) -> dict[str, float]:
    """Return the mean rank of each encoder over the tasks that all have figures of, 1 the best.

    Encoders that come to the same share their ranks.
    """
    common = [
        key for key in results.tasks if all(_is_known(row.cells.get(key)) for row in results.rows)
    ]
    ranks: dict[str, list[float]] = {row.title: [] for row in results.rows}
    for key in common:
        values = [row.cells[key].value for row in results.rows]
        for row, value in zip(results.rows, values, strict=True):
            above = sum(other > value for other in values)
            ranks[row.title].append(above + (values.count(value) + 1) / 2)
    return {title: sum(of) / len(of) if of else float("nan") for title, of in ranks.items()}


def _describe_time(results: BoardResults) -> str:
    """Return how many figures there are, and the time that they and the encoders took."""
    parts: list[BoardRow | BoardCell] = [*results.rows]
    parts += [cell for row in results.rows for cell in row.cells.values()]
    cpu = figure_text(sum(part.cpu_seconds for part in parts) / 60, ".0f")
    clock = figure_text(sum(part.seconds for part in parts) / 60, ".0f")
    figures = sum(len(row.cells) for row in results.rows)
    return (
        f"{figures} figures of {len(results.rows)} encoders: {cpu} minutes of CPU, {clock} by the "
        "clock, training included."
    )


def _render_overview(results: BoardResults) -> Iterator[str]:
    ranks = rank_encoders(results)
    yield "| encoder | kind | mean rank | made in, s of CPU | measured in, s of CPU |"
    yield "|---|---|---:|---:|---:|"
    for row in sorted(results.rows, key=lambda row: ranks[row.title]):
        measured = sum(cell.cpu_seconds for cell in row.cells.values())
        title = f"{row.title} ({row.note})" if row.note else row.title
        yield (
            f"| {title} | {row.kind} | {figure_text(ranks[row.title], '.1f')} "
            f"| {figure_text(row.cpu_seconds, ',.0f')} | {figure_text(measured, ',.0f')} |"
        )


def _render_tasks(results: BoardResults, keys: Sequence[str]) -> Iterator[str]:
    heads = []
    for key in keys:
        task = results.tasks[key]
        counts = sorted({row.cells[key].n for row in results.rows if key in row.cells})
        heads.append(f"{task.title}: {task.metric}, n = {counts[-1]:,}" if counts else task.title)
    yield f"| encoder | {' | '.join(heads)} |"
    yield "|---" * (len(keys) + 1) + "|"
    best = {
        key: max(
            (row.cells[key].value for row in results.rows if _is_known(row.cells.get(key))),
            default=None,
        )
        for key in keys
    }
    for row in results.rows:
        cells = [
            _render_cell(
                row.cells.get(key), best[key], row.over_built_in and results.tasks[key].learned
            )
            for key in keys
        ]
        yield f"| {row.title} | {' | '.join(cells)} |"


def _render_cell(cell: BoardCell | None, best: float | None, learned: bool) -> str:
    if cell is None or not _is_known(cell):
        return "–"
    value, low, high = (_shorten_number(number) for number in (cell.value, cell.low, cell.high))
    shown = f"**{value}**" if cell.value == best else value
    return f"{shown}{LEARNED if learned else ''} ({low}–{high})"


def _shorten_number(number: float) -> str:
    """Return three digits behind the point, without the 0 before it."""
    return (
        figure_text(number, ".3f").replace("0.", ".", 1)
        if abs(number) < 1
        else figure_text(number, ".3f")
    )


def _is_known(cell: BoardCell | None) -> bool:
    return cell is not None and not isnan(cell.value)
