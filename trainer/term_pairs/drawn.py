"""Pairs that are to be judged: files as those of pair sets, where not every pair has a label."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from sys import intern

from rapidfuzz.distance import Levenshtein

from termexplorer.trainer.errors import Message, TrainerError
from termexplorer.trainer.files.pair_tables import number, read_tables
from termexplorer.trainer.files.spreadsheet_errors import refuse_error
from termexplorer.trainer.term_pairs.files import TITLES

DRAWN = "drawn"
QUEUE, RANDOM = "queue", "random"  # the parts of a queue
_LEFT, _RIGHT, _LABEL = TITLES[:3]


@dataclass(frozen=True, slots=True)
class DrawnPair:
    """A pair of terms.

    Attributes:
        left: the first term.
        right: the second one.
        label: 1 where something says that they are similar, 0 where that they are not, or a
            rating; None where nothing says anything.
        left_concept: the id of the first term's concept, if it is known.
        right_concept: that of the second.
        drawn: which part of the file it is from, if it has parts.
    """

    left: str
    right: str
    label: float | None = None
    left_concept: str = ""
    right_concept: str = ""
    drawn: str = ""


def write_drawn(path: Path, pairs: Iterable[DrawnPair], *, parts: bool = False) -> None:
    """Write pairs, with a further column for their parts if there are any."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow((*TITLES, DRAWN) if parts else TITLES)
        for pair in pairs:
            label = "" if pair.label is None else f"{pair.label:g}"
            apart = Levenshtein.distance(pair.left.lower(), pair.right.lower())
            row = (pair.left, pair.right, label, pair.left_concept, pair.right_concept, apart)
            writer.writerow((*row, pair.drawn) if parts else row)


def is_pair_set(path: Path) -> bool:
    """Tell whether a file has the titles of a pair set, and so may have pairs without a label."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            titles = file.readline(1_000).rstrip("\r\n").split("\t")
    except (OSError, UnicodeDecodeError):
        return False
    return tuple(titles[:3]) == (_LEFT, _RIGHT, _LABEL)


def read_drawn(path: Path) -> list[DrawnPair]:
    """Read a file that `is_pair_set`.

    Raises:
        ValueError: with file and line, for one that cannot be read, holds no pair, or a row that
            lacks a term or has a label that is no number.
    """
    (table,) = read_tables(path)
    places = {title: at for at, title in enumerate(table.titles)}
    return [
        _read_pair(Message("{path}, {place}", path=path, place=table.place_of_row(at)), row, places)
        for at, row in enumerate(table.rows)
    ]


def _read_pair(where: Message, row: list[str], places: dict[str, int]) -> DrawnPair:
    left, right, label, left_concept, right_concept, drawn = (
        intern(row[places[title]]) if places.get(title, len(row)) < len(row) else ""
        for title in (*TITLES[:5], DRAWN)
    )
    for column, term in enumerate((left, right), 1):
        if not term:
            raise TrainerError(
                "{where}: column {column} has no term; give one or drop the row",
                where=where,
                column=column,
            )
        refuse_error(term, where)
    score = number(label)
    if label and score is None:
        raise TrainerError(
            "{where}: {label!r} is no label; give 1, 0 or nothing", where=where, label=label
        )
    return DrawnPair(left, right, score, left_concept, right_concept, drawn)
