"""Which columns of a table are the ratings of one rater each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from termexplorer.trainer.agreement.ratings import label_of
from termexplorer.trainer.errors import Message, TrainerError
from termexplorer.trainer.files.pair_columns import (
    OTHERS,
    SCORES,
    TERMS,
    counts_up,
    place_of,
    words_of,
)
from termexplorer.trainer.files.pair_tables import CellTable, number

_SERIES = re.compile(
    "(rater|annotator|coder|judge|observer|expert|doctor|physician|reviewer|evaluator|assessor|"
    r"clinician|curator|rating|answer|vote|verdict|judge?ment|annotation)s?[\W_]*\w{0,12}",
    re.IGNORECASE,
)
_SUMMARIES = {
    "mean", "average", "avg", "median", "sum", "n", "count", "number", "id", "ids", "std", "stdev",
    "sd", "majority", "consensus", "gold", "time", "seconds", "comment", "comments", "note",
    "notes",
}  # fmt: skip
_ABOUT_ITEMS = {
    "item", "items", "pair", "unit", "subject", "question", "set", "group", "category", "type",
    "automatic", "adjudicated", "date",
}  # fmt: skip
_UNTITLED = "index"  # a first column that counts the others' rows
_FEWEST = 2  # raters
_LEAST_NUMBERS = 0.7  # of a column's cells
_LONGEST_SCALE = 10  # labels that a rater may have given one after the other


def titled(path: Path, table: CellTable) -> CellTable:
    """Return a table whose columns have titles, each its own, and whose rows are all as wide.

    Raises:
        ValueError: where they have not; only a table of nothing but numbers can go without titles.
    """
    titles = list(table.titles)
    if not titles:
        where = Message("{path}, {place}", path=path, place=table.place_of_row(0))
        cells = table.rows[0] if label_of(table.rows[0][0]) else table.rows[0][1:]
        values = [number(cell) for cell in cells]
        known = [value for value in values if value is not None]
        words = any(map(label_of, (cell for cell in cells if number(cell) is None)))
        if words or (len(known) == len(values) and _is_enumeration(known)):
            raise TrainerError(
                "{where}: it cannot be told whether {cells} are titles or ratings; "
                "give every column a title that is no number",
                where=where,
                cells=", ".join(cells[:4]),
            )
        titles = [""] * len(table.rows[0])
    else:
        titles[0] = titles[0] or _UNTITLED
    titles = [title or f"column {at}" for at, title in enumerate(titles, 1)]
    lowered = [title.lower() for title in titles]
    for at, title in enumerate(lowered):
        if title in lowered[:at]:
            raise TrainerError(
                "{path}: two columns are titled {title!r}; give each a title of its own",
                path=path,
                title=titles[at],
            )
    for at, row in enumerate(table.rows):
        if len(row) != len(titles):
            raise TrainerError(
                "{path}, {place}: it has {columns} columns, not {titles}; a cell is "
                "empty where somebody has not rated, and is not left out",
                path=path,
                place=table.place_of_row(at),
                columns=len(row),
                titles=len(titles),
            )
    return replace(table, titles=titles)


def rater_columns(
    path: Path,
    table: CellTable,
    asked: Sequence[str] | None,
    numeric: bool,
    dont_know: str | None,
    other_columns: Sequence[int],
) -> list[int]:
    """Tell the columns of the raters, counted from 0.

    Args:
        path: of the file, for messages.
        table: with titles.
        asked: titles or numbers from 1; guessed where not given.
        numeric: whether ratings are numbers.
        dont_know: the label that stands for "don't know".
        other_columns: columns that are something else.

    Raises:
        ValueError: a column is not there or asked for twice, or it cannot be told which they are.
    """
    if asked:
        places = [place_of(path, table, column) for column in asked]
        if len(set(places)) < len(places):
            raise TrainerError(
                "{path}: a rater's column is asked for twice; name each once", path=path
            )
        return places
    left = [at for at in range(len(table.titles)) if at not in other_columns]
    columns = _find_series(table, left) or _find_alike_columns(table, left, numeric, dont_know)
    if numeric and not columns:  # words, whose first cell is then told
        columns = _find_alike_columns(table, left, False, dont_know)
    if len(columns) < _FEWEST:
        raise TrainerError(
            "{path}: it cannot be told which columns of {name} are raters; say which of {titles}",
            path=path,
            name=table.name,
            titles=", ".join(table.titles),
        )
    return columns


def _is_enumeration(values: Sequence[float]) -> bool:
    """Tell 0, 1, 2 … and 1, 2, 3 …, which titles may be too."""
    steps = {after - before for before, after in pairwise(values)}
    return not values or (values[0] in (0, 1) and steps <= {1.0})


def _find_series(table: CellTable, columns: Sequence[int]) -> list[int]:
    """Return the most columns with titles such as "rater_A" and "rater_B"."""
    series: dict[str, list[int]] = {}
    for at in columns:
        title = table.titles[at]
        match = _SERIES.fullmatch(title)
        if match and not _SUMMARIES & set(words_of(title)):
            series.setdefault(match[1].lower(), []).append(at)
    longest = max(series.values(), key=len, default=[])
    return longest if len(longest) >= _FEWEST else []


def _find_alike_columns(
    table: CellTable, columns: Sequence[int], numeric: bool, dont_know: str | None
) -> list[int]:
    """Return the columns that are neither terms nor ids nor figures and say alike things."""
    unsure = "" if dont_know is None else label_of(dont_know).casefold()
    cells: dict[int, list[str]] = {}
    for at in columns:
        labels = [label_of(row[at]) for row in table.rows]
        known_labels = [label for label in labels if label.casefold() not in ("", unsure)]
        if known_labels and not _is_something_else(
            table.titles[at], known_labels, numeric, first=at == 0
        ):
            cells[at] = known_labels
    alike = _ranges_meet if numeric else _labels_meet
    return [
        at
        for at, cell_labels in cells.items()
        if any(
            alike(cell_labels, other_labels)
            for column, other_labels in cells.items()
            if column != at
        )
    ]


def _is_something_else(title: str, labels: list[str], numeric: bool, *, first: bool) -> bool:
    words = set(words_of(title))
    if words & (TERMS | OTHERS | set(SCORES) | _SUMMARIES | _ABOUT_ITEMS):
        return True
    numbers = sum(number(label) is not None for label in labels)
    if numeric and numbers < _LEAST_NUMBERS * len(labels):
        return True
    return first and numbers == len(labels) > _LONGEST_SCALE and counts_up(labels)


def _labels_meet(labels: list[str], other_labels: list[str]) -> bool:
    """Tell whether at least half of the labels are among others."""
    distinct_labels = set(labels)
    return 2 * len(distinct_labels & set(other_labels)) >= len(distinct_labels)


def _ranges_meet(labels: list[str], other_labels: list[str]) -> bool:
    """Tell whether the middle of one's numbers is in the range of the other's."""
    values, other_values = (
        sorted(value for value in map(number, column_labels) if value is not None)
        for column_labels in (labels, other_labels)
    )
    return any(
        outer[0] <= inner[len(inner) // 2] <= outer[-1]
        for inner, outer in ((values, other_values), (other_values, values))
    )
