"""Pairs of terms that people or a terminology have scored, and the files they come in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from sys import intern

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import Message, TrainerError
from termexplorer.trainer.files.pair_columns import Columns, guess
from termexplorer.trainer.files.pair_tables import CellTable, number, read_tables
from termexplorer.trainer.files.spreadsheet_errors import refuse_error

Float64s = NDArray[np.float64]
Int64s = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PairSet:
    """Pairs of terms with a score each: human judgements, or 1 for similar and 0 for not.

    Attributes:
        name: of the set.
        left: the p first terms.
        right: the p second terms.
        scores: (p,) float64, bigger for more similar or related ones.

    Raises:
        ValueError: for parts of different lengths, or scores that are not finite.
    """

    name: str
    left: tuple[str, ...]
    right: tuple[str, ...]
    scores: Float64s

    def __post_init__(self) -> None:
        object.__setattr__(self, "scores", np.asarray(self.scores, dtype=np.float64))
        if self.scores.shape != (len(self.left),) or len(self.left) != len(self.right):
            raise TrainerError(
                "{left} and {right} terms do not fit scores of {shape}",
                left=len(self.left),
                right=len(self.right),
                shape=self.scores.shape,
            )
        if not np.isfinite(self.scores).all():
            raise TrainerError("{name}: a score is not a finite number", name=self.name)

    def __len__(self) -> int:
        return len(self.left)

    def terms(self) -> tuple[tuple[str, ...], Int64s, Int64s]:
        """Return the distinct terms, and for each pair the places of its two, as ``distinct``."""
        return distinct(self.left, self.right)

    def count_repeated(self) -> tuple[int, int]:
        """Count the rows whose two terms stand in an earlier row, in any order or case.

        Returns:
            How many have the score of the first such row, and how many another one.
        """
        first: dict[tuple[str, ...], float] = {}
        repeats = contradictions = 0
        for left, right, score in zip(self.left, self.right, self.scores.tolist(), strict=True):
            pair = tuple(sorted((left.casefold(), right.casefold())))
            same = first.setdefault(pair, score) == score
            repeats += same
            contradictions += not same
        return repeats - len(first), contradictions


def distinct(left: Sequence[str], right: Sequence[str]) -> tuple[tuple[str, ...], Int64s, Int64s]:
    """Return the distinct terms of pairs, and for each pair the places of its two in them.

    Args:
        left: the p first terms.
        right: the p second ones.

    Returns:
        the n terms in the order in which they come, (p,) int64 and (p,) int64.
    """
    terms = tuple(dict.fromkeys((*left, *right)))
    places = {term: index for index, term in enumerate(terms)}
    left_numbers, right_numbers = (
        np.fromiter(map(places.__getitem__, side), np.int64, len(side)) for side in (left, right)
    )
    return terms, left_numbers, right_numbers


def read_pairs(path: str | Path, columns: Sequence[str | int] | None = None) -> tuple[PairSet, ...]:
    """Read the pair sets of a file; all formats but JSON hold one.

    Columns may be parted by tabs, ``;``, ``,``, ``|`` or spaces, with or without titles, plain or
    ``.gz``. JSON may hold lists of columns, or of rows, for one set or for several by name.

    Args:
        path: the file.
        columns: those of the first term, the second and the score, by title or by number from 1;
            guessed where not given.

    Raises:
        ValueError: with file and line, for a file that cannot be read, holds no pair, whose
            columns cannot be told, a row that lacks a term or a score, or a pair set with pairs
            that nobody has labelled yet.
    """
    path, asked = Path(path), None if columns is None else [str(column) for column in columns]
    tables = read_tables(path)
    for table in tables:
        _refuse_unlabelled(path, table)
    return tuple(_pair_set(path, table, guess(path, table, asked)) for table in tables)


def _refuse_unlabelled(path: Path, table: CellTable) -> None:
    if table.titles[:3] != ["left", "right", "label"]:
        return
    without = sum(len(row) > 2 and not row[2] for row in table.rows)
    if without:
        raise TrainerError(
            "{path}: {without:,} of its {rows:,} pairs have no label, so that "
            "nothing can be measured on them; have them judged first, or leave "
            "them out",
            path=path,
            without=without,
            rows=len(table.rows),
        )


def _pair_set(path: Path, table: CellTable, columns: Columns) -> PairSet:
    left: list[str] = []
    right: list[str] = []
    scores: list[float] = []
    for at, row in enumerate(table.rows):
        if len(row) <= max(columns):
            raise TrainerError(
                "{where}: it has {row} columns, not the {columns} that are needed",
                where=_place_in_file(path, table, at),
                row=len(row),
                columns=max(columns) + 1,
            )
        for terms, column in ((left, columns.left), (right, columns.right)):
            terms.append(intern(row[column]))  # in most files and sets a term stands often
            if not row[column]:
                raise TrainerError(
                    "{where}: column {column} has no term; give one or drop it",
                    where=_place_in_file(path, table, at),
                    column=column + 1,
                )
            refuse_error(row[column], _place_in_file(path, table, at))
        score = number(row[columns.score])
        if score is None or not np.isfinite(score):
            cell = row[columns.score] or Message("nothing")
            raise TrainerError(
                "{where}: column {column} has {cell}, not a score",
                where=_place_in_file(path, table, at),
                column=columns.score + 1,
                cell=cell,
            )
        scores.append(score)
    return PairSet(table.name, tuple(left), tuple(right), np.array(scores, dtype=np.float64))


def _place_in_file(path: Path, table: CellTable, at: int) -> Message:
    return Message("{path}, {place}", path=path, place=table.place_of_row(at))
