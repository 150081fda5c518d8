"""Rows of a file of plain cells, some thousand at a time, as columns of numbers.

One pass over the bytes finds the separators and line ends; numbers are made of digits column by
column, about ten times faster than row by row.
"""

from copy import copy
from functools import cache

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
_MOST_DIGITS = 18
_UUID = 36
_DASHES = (8, 13, 18, 23)
_TAB, _LINE_FEED, _RETURN = 9, 10, 13
_MOST_LETTERS, _NUMBER_BITS, _LENGTH_BITS = 3, 40, 4  # of an id such as `C0000001`
_NUMBER = (1 << _NUMBER_BITS) - 1
_MOST_OF_NUMBER = 12
_HEX = np.full(256, 255, np.uint8)
for _value, _signs in enumerate(zip("0123456789abcdef", "0123456789ABCDEF", strict=True)):
    for _sign in _signs:
        _HEX[ord(_sign)] = _value


class Block:
    """Whole lines of a file, and where their cells are.

    Args:
        data: Lines, each with its line end.
        width: How many cells each should have.
        first_line: The number of the first line.
        separator: The byte between cells; none of them is quoted.

    Attributes:
        data: The bytes.
        count: How many lines there are, whatever they hold.
        lines: Numbers of the lines that have as many cells, (n,).
        odd: Numbers of the lines that have not, with how many they have; lines that are empty are
            neither.
    """

    def __init__(self, data: bytes, width: int, first_line: int, separator: int = _TAB) -> None:
        self.data = data
        self._bytes = np.frombuffer(data, np.uint8)
        breaks = np.flatnonzero(self._bytes == _LINE_FEED)
        self.count = len(breaks)
        tabs = np.flatnonzero(self._bytes == separator)
        begins = np.concatenate(([0], breaks + 1))[:-1]
        ends = breaks - (self._bytes[np.maximum(breaks - 1, 0)] == _RETURN)
        counts = np.diff(np.searchsorted(tabs, breaks), prepend=0)
        good = counts == width - 1
        numbers = first_line + np.arange(len(breaks))
        held = ends > begins
        self.lines: Integers = numbers[good & held].astype(np.int64)
        odd = ~good & held
        self.odd = list(zip(numbers[odd].tolist(), (counts[odd] + 1).tolist(), strict=True))
        good &= held
        inner = tabs[np.repeat(good, counts)].reshape(-1, width - 1)
        self._starts = np.column_stack((begins[good], inner + 1))
        self._ends = np.column_stack((inner, ends[good]))

    def __len__(self) -> int:
        return len(self.lines)

    def only(self, rows: NDArray[np.bool_]) -> "Block":
        """Some of its rows, with the same bytes."""
        part = copy(self)
        part.lines, part.odd = self.lines[rows], []
        part._starts, part._ends = self._starts[rows], self._ends[rows]
        return part

    def empty(self, column: int) -> NDArray[np.bool_]:
        """Which cells of a column hold nothing, (n,)."""
        empty: NDArray[np.bool_] = self._place(column)[1] == 0
        return empty

    def cell(self, row: int, column: int) -> str:
        """A cell as text."""
        start, end = self._starts[row, column], self._ends[row, column]
        return self.data[start:end].decode("utf-8", "replace")

    def cells(self, column: int, rows: Integers) -> list[bytes]:
        """Some cells of a column."""
        starts, ends = self._starts[rows, column].tolist(), self._ends[rows, column].tolist()
        return [self.data[start:end] for start, end in zip(starts, ends, strict=True)]

    def spans(self, first: int, last: int, rows: Integers) -> list[bytes]:
        """Neighbouring cells of some rows as they stand, with what separates them."""
        starts, ends = self._starts[rows, first].tolist(), self._ends[rows, last].tolist()
        return [self.data[start:end] for start, end in zip(starts, ends, strict=True)]

    def ids(self, column: int) -> Integers:
        """Ids of up to 3 capitals and 12 digits as numbers, (n,), which `id_text` spells again.

        They are 0 where a cell is empty and -1 where it holds something else.
        """
        starts, lengths = self._place(column)
        letters, number, digits = (np.zeros(len(starts), np.int64) for _ in range(3))
        most = _MOST_LETTERS + _MOST_OF_NUMBER
        good = lengths <= most
        for at in range(min(int(lengths.max(initial=0)), most)):
            inside = at < lengths
            byte = self._bytes[np.where(inside, starts + at, 0)].astype(np.int64)
            is_digit = inside & (byte >= ord("0")) & (byte <= ord("9"))
            is_letter = inside & (byte >= ord("A")) & (byte <= ord("Z")) & (digits == 0)
            good &= ~inside | is_digit | (is_letter & (at < _MOST_LETTERS))
            number = np.where(is_digit, number * 10 + byte - ord("0"), number)
            letters = np.where(is_letter, letters * 27 + byte - ord("A") + 1, letters)
            digits += is_digit
        good &= ((digits > 0) & (digits <= _MOST_OF_NUMBER)) | (lengths == 0)
        packed = ((letters << _LENGTH_BITS | digits) << _NUMBER_BITS) | number
        return np.where(good, packed, -1)

    def integers(self, column: int) -> Integers:
        """Numbers of up to 18 digits, (n,); -1 where a cell is something else."""
        starts, lengths = self._place(column)
        values = np.zeros(len(starts), np.int64)
        good = (lengths > 0) & (lengths <= _MOST_DIGITS)
        for at in range(int(lengths[good].max(initial=0))):
            inside = at < lengths
            digits = self._bytes[np.where(inside, starts + at, 0)] - np.uint8(ord("0"))
            good &= ~inside | (digits <= 9)
            values = np.where(inside, values * 10 + digits, values)
        return np.where(good, values, -1)

    def words(self, column: int, most: int = 7) -> Integers:
        """Short words as numbers, in lower case, as `word` makes one; -1 where one is longer."""
        starts, lengths = self._place(column)
        values = np.zeros(len(starts), np.int64)
        for at in range(min(int(lengths.max(initial=0)), most)):
            inside = at < lengths
            letters = self._bytes[np.where(inside, starts + at, 0)]
            letters = letters | np.where((letters >= 65) & (letters <= 90), 32, 0).astype(np.uint8)
            values = np.where(inside, values * 256 + letters, values)
        return np.where(lengths <= most, values, -1)

    def uuids(self, column: int) -> tuple[Integers, Integers, NDArray[np.bool_]]:
        """The upper and lower halves of UUIDs, and where there is one, (n,) each."""
        starts, lengths = self._place(column)
        good = lengths == _UUID
        safe = np.where(good, starts, 0)
        halves = [np.zeros(len(starts), np.int64), np.zeros(len(starts), np.int64)]
        seen = 0
        for at in range(_UUID if good.any() else 0):
            letters = self._bytes[np.where(good, safe + at, 0)]
            if at in _DASHES:
                good &= letters == ord("-")
                continue
            nibbles = _HEX[letters]
            good &= nibbles < 16
            half = seen // 16
            halves[half] = (halves[half] << 4) | (nibbles & 15)
            seen += 1
        return halves[0], halves[1], good

    def _place(self, column: int) -> tuple[Integers, Integers]:
        starts = self._starts[:, column].astype(np.int64)
        return starts, self._ends[:, column] - starts


def id_text(value: int) -> str:
    """The id that a number of `Block.ids` stands for."""
    capitals, digits = _shape_of_id(value >> _NUMBER_BITS)
    return f"{capitals}{value & _NUMBER:0{digits}d}"


@cache
def _shape_of_id(rest: int) -> tuple[str, int]:
    """Return the capitals of ids and how many digits these have: the same of millions."""
    digits, letters = rest & ((1 << _LENGTH_BITS) - 1), rest >> _LENGTH_BITS
    spelled = ""
    while letters:
        letters, letter = divmod(letters, 27)
        spelled = chr(ord("A") + letter - 1) + spelled
    return spelled, digits


def word(text: str) -> int:
    """A short word as the number that `Block.words` gives for it."""
    return int.from_bytes(text.lower().encode(), "big")


def spelt(value: int) -> str:
    """The word that a number stands for."""
    return value.to_bytes(8, "big").lstrip(b"\0").decode("ascii", "replace")
