"""What commands print: tables for people or one JSON object, and progress on standard error."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from termexplorer.texts import figure_text
from termexplorer.workers.process import protocol

_NARROWEST, _ENDLESS = 16, 100_000  # characters
_NO_HEADING: Mapping[str, object] = {}
_ITSELF = ""  # what is added to a column's title for its own values
_console = Console(highlight=False)


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell that people see as one text, and that a file has as values.

    Attributes:
        text: for people.
        values: for files, by what is added to the title of the column; "" for the column itself.
    """

    text: str
    values: Mapping[str, object]

    def __str__(self) -> str:
        return self.text


def number_cell(value: float | None, text: str) -> ShownCell:
    """Return a cell whose number a file has as such."""
    return ShownCell(text, {_ITSELF: value})


def figure_cell(value: float, low: float, high: float, text: str) -> ShownCell:
    """Return a cell of a figure with its 95 % interval, which is three columns of a file."""
    return ShownCell(text, {_ITSELF: value, " low": low, " high": high})


def encoder_cell(encoder_id: int, label: str) -> ShownCell:
    """Return a cell that names an encoder, of which a file has id and title."""
    return ShownCell(label, {_ITSELF: encoder_id, " title": label})


@dataclass
class Printed:
    """What a command printed: tables of columns and rows, and JSON objects."""

    tables: list[tuple[list[str], list[list[Any]]]] = field(default_factory=list)
    objects: list[object] = field(default_factory=list)
    hold_json: bool = False

    def add_table(
        self,
        columns: Sequence[str],
        rows: Sequence[Sequence[object]],
        heading: Mapping[str, object],
    ) -> None:
        """Add a table, below one that has the same columns if there is one."""
        titles, cells = _spread_cells(
            [*heading, *columns], [[*heading.values(), *row] for row in rows]
        )
        for known, below in self.tables:
            if known == titles:
                below += cells
                return
        self.tables.append((titles, cells))


_printed: ContextVar[Printed | None] = ContextVar("printed", default=None)


@contextmanager
def collect_printed(*, hold_json: bool) -> Iterator[Printed]:
    """Collect what is printed meanwhile.

    Args:
        hold_json: print no JSON.
    """
    printed = Printed(hold_json=hold_json)
    token = _printed.set(printed)
    try:
        yield printed
    finally:
        _printed.reset(token)


def print_json(value: object) -> None:
    """Prints one JSON object on standard output."""
    printed = _printed.get()
    if printed is not None:
        printed.objects.append(value)
        if printed.hold_json:
            return
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


def print_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    heading: Mapping[str, object] = _NO_HEADING,
) -> None:
    """Print a table; numbers stand at the right. In a file or a pipe a row is one line.

    Args:
        columns: their titles.
        rows: their cells.
        heading: what the lines above it say of all its rows, by the titles of the columns that say
            it in a file.
    """
    printed = _printed.get()
    if printed is not None:
        printed.add_table(columns, rows, heading)
    table = Table(box=None, header_style="bold", pad_edge=False)
    for number, column in enumerate(columns):
        numeric = bool(rows) and all(isinstance(row[number], int | float) for row in rows)
        longest = max(len(_format_cell(row[number])) for row in rows) if rows else 0
        table.add_column(
            Text(column),
            justify="right" if numeric else "left",
            overflow="fold",
            no_wrap=numeric,
            min_width=None if numeric else min(longest, _NARROWEST),
        )
    for row in rows:
        table.add_row(
            *(Text(_format_cell(value)) for value in row)
        )  # no markup, whatever a name has
    Console(highlight=False, width=None if sys.stdout.isatty() else _ENDLESS).print(table)


def print_line(text: str) -> None:
    """Prints a line for people."""
    _console.print(text, markup=False, soft_wrap=True)


def count_text(count: int, singular: str, many: str) -> str:
    """Return `1 row is` or `2 rows are`, of a number and what follows it."""
    return f"{count:,} {singular if count == 1 else many}"


def _spread_cells(
    columns: Sequence[str], rows: Sequence[Sequence[object]]
) -> tuple[list[str], list[list[object]]]:
    """Return titles and rows of a file: a column that shows several values becomes as many."""
    titles: list[str] = []
    spread: list[list[object]] = [[] for _row in rows]
    for number, column in enumerate(columns):
        cells = [_file_values(row[number]) for row in rows]
        added = list(dict.fromkeys(key for values in cells for key in values)) or [_ITSELF]
        titles += [f"{column}{key}" for key in added]
        for row, values in zip(spread, cells, strict=True):
            row += [values.get(key) for key in added]
    return titles, spread


def _file_values(value: object) -> Mapping[str, object]:
    """Return what a file has of a cell: numbers as they are, NaN as none, all else as text."""
    if isinstance(value, ShownCell):
        return {key: _file_values(part)[_ITSELF] for key, part in value.values.items()}
    if isinstance(value, float) and value != value:
        return {_ITSELF: None}
    return {_ITSELF: value if value is None or isinstance(value, int | float) else str(value)}


def _format_cell(value: object) -> str:
    if isinstance(value, float):
        return figure_text(value, ".3f")
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


@contextmanager
def progress_bar() -> Iterator[Callable[[object], None]]:
    """A progress bar on standard error; yields what takes the messages of a job."""
    description_column = TextColumn("{task.description}", markup=False)
    columns = (description_column, BarColumn(), TimeElapsedColumn())
    left = TextColumn("{task.fields[left]}", markup=False)
    console = Console(stderr=True)
    hidden = not console.is_terminal  # a pipe gets the one line of an error, nothing else
    with Progress(*columns, left, console=console, transient=True, disable=hidden) as bar:
        task = bar.add_task("", total=None, left="")

        def show(message: object) -> None:
            if isinstance(message, protocol.JobProgress):
                seconds, least = message.seconds_left, "at least " if message.at_least else ""
                bar.update(
                    task,
                    description=message.text,
                    completed=message.fraction or 0,
                    total=None if message.fraction is None else 1,
                    left="" if seconds is None else f"{least}{seconds:.0f} s left",
                )

        yield show
