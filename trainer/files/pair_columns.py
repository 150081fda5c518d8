"""Which columns of a table of pairs are the two terms and the score."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from termexplorer.trainer.errors import Message, TrainerError
from termexplorer.trainer.files.pair_tables import CellTable, number

SCORES = (
    "mean", "average", "avg", "score", "scores", "sim", "sims", "similarity", "relatedness",
    "rating", "gold", "label", "value",
)  # fmt: skip
TERMS = {
    "term", "terms", "name", "label", "word", "source", "target", "text", "concept", "mention",
    "phrase", "entity", "left", "right", "verb", "first", "second",
}  # fmt: skip
OTHERS = {"id", "ids", "cui", "code", "stdev", "std", "sd", "rater", "n", "count", "index", "line"}
_CODE = re.compile(r"[A-Za-z]{0,8}[:_]?\d[\d.]*")
_HALF, _LEAST_NUMBERS = 0.5, 0.7  # of a column's cells
_LARGEST_SCORE = 10_000  # whole numbers all above are ids
_MOST = 5_000  # rows looked at


class Columns(NamedTuple):
    """Columns counted from 0."""

    left: int
    right: int
    score: int


def guess(path: Path, table: CellTable, asked: Sequence[str] | None) -> Columns:
    """Tell the columns of a table by their titles and what is in their first rows.

    Args:
        path: of the file, for messages.
        table: with at least one row.
        asked: titles or numbers from 1 of the two terms and the score; guessed where not given.

    Raises:
        ValueError: where that cannot be done.
    """
    if asked is not None:
        return _columns_asked_for(path, table, asked)
    rows = table.rows[:_MOST]
    width = max(map(len, rows))
    cells = [[row[at] if at < len(row) else "" for row in rows] for at in range(width)]
    words = [words_of(table.titles[at]) if at < len(table.titles) else [] for at in range(width)]
    score = _find_score(path, table, cells, words)
    left, right = _find_terms(path, table, cells, words, [at for at in range(width) if at != score])
    return Columns(left, right, score)


def _columns_asked_for(path: Path, table: CellTable, asked: Sequence[str]) -> Columns:
    if len(asked) != len(Columns._fields):
        raise TrainerError(
            "{asked} columns are given; give those of two terms and a score", asked=len(asked)
        )
    return Columns(*(place_of(path, table, column) for column in asked))


def place_of(path: Path, table: CellTable, column: str) -> int:
    """Return the place of a column, counted from 0, that is told by title or by number from 1.

    Raises:
        ValueError: there is none.
    """
    width = len(table.rows[0])
    lowered = [title.lower() for title in table.titles]
    text = column.strip().lower()
    if text in lowered:
        return lowered.index(text)
    if text.isdecimal() and 1 <= int(text) <= width:
        return int(text) - 1
    if lowered:
        raise TrainerError(
            "{path}: {name} has no column {column!r}; it has {width} columns: {titles}",
            path=path,
            name=table.name,
            column=column,
            width=width,
            titles=", ".join(table.titles),
        )
    raise TrainerError(
        "{path}: {name} has no column {column!r}; it has {width} columns",
        path=path,
        name=table.name,
        column=column,
        width=width,
    )


def words_of(title: str) -> list[str]:
    """Return the words of a title in lower case; its digits are none."""
    return re.findall(r"[a-z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", title).lower())


def _find_score(
    path: Path, table: CellTable, cells: list[list[str]], words: list[list[str]]
) -> int:
    shares = [_share_that(column, _is_number) for column in cells]
    places = [at for at, title_words in enumerate(words) if not OTHERS & set(title_words)]
    for wanted in SCORES:
        titled = [at for at in places if wanted in words[at] and shares[at] >= _HALF]
        if titled:
            return titled[0]
    left = [at for at in places if shares[at] >= _LEAST_NUMBERS]
    if len(left) > 1:
        left = [at for at in left if not counts_up(cells[at])]
    if len(left) == 1:
        return left[0]
    if not left:
        raise TrainerError(
            "{path}, {place}: no column of {name} holds scores; two terms "
            "and a number belong on each line",
            path=path,
            place=_first_lacking(table, _is_number, 1),
            name=table.name,
        )
    several = ", ".join(str(at + 1) for at in left)
    raise TrainerError(
        "{path}: columns {several} of {name} could all be the score; say which "
        "columns are the two terms and the score",
        path=path,
        several=several,
        name=table.name,
    )


def counts_up(cells: list[str]) -> bool:
    """Tell ids and line numbers, which are no scores."""
    values = [value for value in map(number, cells) if value is not None]
    whole = all(value.is_integer() for value in values)
    steps = {after - before for before, after in pairwise(values)}
    return whole and (min(values) > _LARGEST_SCORE or (steps == {1.0} and values[0] in (0, 1)))


def _find_terms(
    path: Path,
    table: CellTable,
    cells: list[list[str]],
    words: list[list[str]],
    places: list[int],
) -> tuple[int, int]:
    """Prefer columns that are titled as terms, then any text that is not codes, then codes."""
    texts = [at for at in places if _share_that(cells[at], _is_text) > _HALF]
    spoken = [at for at in texts if _share_that(cells[at], _is_code) <= _HALF]
    titled = [at for at in spoken if TERMS & set(words[at]) and not OTHERS & set(words[at])]
    for columns in (titled, spoken, texts):
        if len(columns) > 1:
            return columns[0], columns[1]
    raise TrainerError(
        "{path}, {place}: {name} has no two columns of terms; two terms "
        "and a number belong on each line",
        path=path,
        place=_first_lacking(table, _is_text, len(Columns._fields) - 1),
        name=table.name,
    )


def _first_lacking(table: CellTable, of: Callable[[str], bool], needed: int) -> Message:
    """Return the place of the first row with too few cells of a kind, for messages."""
    short = (at for at, row in enumerate(table.rows) if sum(map(of, row)) < needed)
    return table.place_of_row(next(short, 0))


def _share_that(cells: list[str], of: Callable[[str], bool]) -> float:
    return sum(map(of, cells)) / len(cells)


def _is_number(cell: str) -> bool:
    return number(cell) is not None


def _is_text(cell: str) -> bool:
    return bool(cell) and not _is_number(cell)


def _is_code(cell: str) -> bool:
    return bool(_CODE.fullmatch(cell))
