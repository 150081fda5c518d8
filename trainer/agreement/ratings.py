"""Ratings: what several raters said of the same items."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import Message, TrainerError
from termexplorer.trainer.files.pair_tables import number

Int64s = NDArray[np.int64]
Float64s = NDArray[np.float64]
Bools = NDArray[np.bool_]
Cell = str | float | None
Key = TypeVar("Key", bound=Hashable)

SCALES = ("nominal", "ordinal", "interval", "ratio")
NOT_RATED, DONT_KNOW = -1, -2

_NOTHING = {"", "na", "nan", "n/a", "null", "<na>"}
_EXACT = 1e15  # longer ones are ids
_MOST_LABELS = 2000  # tables of them by themselves are kept


@dataclass(frozen=True, eq=False)
class Ratings:
    """What r raters said of n items, on a scale of q labels.

    Attributes:
        raters: their r names.
        labels: the q of the scale, in its order; "don't know" is none.
        values: (q,) float64, the labels as numbers; their places on a nominal scale.
        scale: one of ``SCALES``.
        codes: (n, r) int64, places in ``labels``; ``NOT_RATED`` or ``DONT_KNOW``.
    """

    raters: tuple[str, ...]
    labels: tuple[str, ...]
    values: Float64s
    scale: str
    codes: Int64s

    def __len__(self) -> int:
        return len(self.codes)


def ratings_of(
    rows: Sequence[Sequence[Cell]],
    raters: Sequence[str],
    scale: str = "nominal",
    dont_know: str | None = None,
    places: Sequence[str] | None = None,
    labels: Sequence[Cell] = (),
) -> Ratings:
    """Make ratings of a table of cells.

    Args:
        rows: n rows of r cells: texts or numbers; None, NaN, "" and "NA" stand for not rated.
        raters: the r names.
        scale: one of ``SCALES``; labels are numbers on all but the nominal one.
        dont_know: the label that stands for "don't know", in whatever case.
        places: where each row stands, for messages.
        labels: of the scale, given or not; those that are given besides count too.

    Raises:
        ValueError: for another scale, a row of another length, a label that is no number where
            one is needed, negative numbers on a ratio scale, or more than 2,000 labels.
    """
    if scale not in SCALES:
        raise TrainerError(
            "there is no scale {scale!r}; take one of {scales}",
            scale=scale,
            scales=", ".join(SCALES),
        )
    unsure = None if dont_know is None else (label_of(dont_know) or dont_know.strip()).casefold()
    texts: list[list[str | None]] = []
    given = Message("the scale")
    numbers = {text: _value_of_label(text, scale, given) for text in map(label_of, labels)}
    for at, row in enumerate(rows):
        where = places[at] if places is not None else Message("item {number}", number=at + 1)
        if len(row) != len(raters):
            raise TrainerError(
                "{where}: {ratings} ratings do not fit {raters} raters",
                where=where,
                ratings=len(row),
                raters=len(raters),
            )
        texts.append([_read_label(cell, unsure) for cell in row])
        for label in texts[-1]:
            if label and label not in numbers:
                numbers[label] = _value_of_label(label, scale, where)
        if len(numbers) > _MOST_LABELS:
            raise TrainerError(
                "{where}: this makes more than {most_labels:,} labels; round them",
                where=where,
                most_labels=_MOST_LABELS,
            )
    ordered = sorted(numbers, key=lambda label: (numbers[label], label))
    codes: dict[str | None, int] = {"": NOT_RATED, None: DONT_KNOW}
    codes |= {label: code for code, label in enumerate(ordered)}
    table = np.array([[codes[text] for text in row] for row in texts], np.int64)
    values = np.arange(len(ordered)) if scale == "nominal" else [numbers[text] for text in ordered]
    return Ratings(
        tuple(raters),
        tuple(ordered),
        np.array(values, np.float64),
        scale,
        table.reshape(len(rows), len(raters)),
    )


def merge_labels(ratings: Ratings, first: Collection[str], names: tuple[str, str]) -> Ratings:
    """Return the ratings on a nominal scale of two labels.

    Args:
        ratings: of n items.
        first: labels that become the second name; all others become the first.
        names: what the two labels are called.
    """
    kinds = np.array([label in first for label in ratings.labels], np.int64)
    codes = np.where(ratings.codes >= 0, kinds[ratings.codes], ratings.codes)
    return Ratings(ratings.raters, names, np.arange(2, dtype=np.float64), "nominal", codes)


def rows_of(keys: Sequence[Key]) -> dict[Key, list[int]]:
    """Return the rows that have each key, in the order in which they come."""
    rows: dict[Key, list[int]] = {}
    for row, key in enumerate(keys):
        rows.setdefault(key, []).append(row)
    return rows


def label_of(cell: Cell) -> str:
    """Return the label that a cell holds, the same for "1" and "1.0"; "" for not rated."""
    if cell is None:
        return ""
    value = number(cell) if isinstance(cell, str) else float(cell)
    if value is not None and abs(value) < _EXACT:
        return str(int(value)) if value.is_integer() else str(value)
    text = str(cell).strip()
    return "" if text.lower() in _NOTHING else text


def _read_label(cell: Cell, unsure: str | None) -> str | None:
    """Return a label, "" for not rated; None for "don't know", even where that is "NA"."""
    if unsure is not None and str(cell).strip().casefold() == unsure:
        return None
    label = label_of(cell)
    return None if unsure is not None and label.casefold() == unsure else label


def _value_of_label(label: str, scale: str, where: str) -> float:
    value = number(label)
    if scale == "nominal":
        return math.inf if value is None else value  # numbers in their order, words after them
    if value is None or not math.isfinite(value):
        raise TrainerError(
            "{where}: {label!r} is no number; a scale that is {scale} needs "
            "numbers, and empty cells where nobody has rated",
            where=where,
            label=label,
            scale=scale,
        )
    if scale == "ratio" and value < 0:
        raise TrainerError(
            "{where}: {label} is less than nothing; a ratio scale begins at 0",
            where=where,
            label=label,
        )
    return value
