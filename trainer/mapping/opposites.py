"""Words of names that exclude each other: left and right, with and without, hyper- and hypo-."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from termexplorer.trainer.mapping.qualifiers import OPPOSITE_STARTS, OPPOSITES
from termexplorer.trainer.text.tokenizer import tokenize

__all__ = ["OppositeNames", "find_negated", "list_poles"]

_LEAST_REST = 3  # letters behind a start, such as hyper
_BELOW = ("thalam", "derm", "pharyn", "gastr", "phys", "chondri", "gloss", "spad", "kin")
"""What hypo- is before in names of places and of movement, where it tells no amount."""
_AMOUNTS = ("hyper", "hypo")
_WITHOUT = "without"
_JOINING = frozenset(["and", "or"])
_POLES = {
    word: (f"{sides[0][0]}/{sides[1][0]}", pole)
    for sides in OPPOSITES
    for pole, words in enumerate(sides)
    for word in words
}


def list_poles(name: str) -> set[tuple[str, int]]:
    """Return what a name says of which one of two opposites: what it is about, and 0 or 1.

    A word counts by itself and with the word behind it, as a left arch has an opposite, even where
    something else in the name is right.

    >>> sorted(list_poles("Left ear"))
    [('left/right', 0), ('left/right ear', 0)]
    >>> ("hyper/hypo tension", 1) in list_poles("Hypotension")
    True
    """
    poles = set()
    words = tokenize(name)
    is_joined = not _JOINING.isdisjoint(words)  # left and right ears
    for word, following in zip_longest(words, words[1:], fillvalue=""):
        if word in _POLES:
            about, pole = _POLES[word]
            poles.add((about, pole))
            if following and not is_joined:
                poles.add((f"{about} {following}", pole))
        for starts in OPPOSITE_STARTS:
            for pole, start in enumerate(starts):
                rest = word.removeprefix(start)
                if rest != word and len(rest) >= _LEAST_REST and not rest.startswith(_BELOW):
                    poles.add((f"{'/'.join(starts)} {rest}", pole))
                    if starts == _AMOUNTS:
                        poles.add(_POLES["increased" if pole == 0 else "decreased"])
    return poles


def find_negated(name: str) -> set[str]:
    """Return the words behind "without" in a name; none where nothing stands before it.

    >>> sorted(find_negated("Fever without skin rash"))
    ['rash', 'skin']
    """
    words = tokenize(name)
    at = words.index(_WITHOUT) if _WITHOUT in words else 0
    return set(words[at + 1 :]) if at else set()


class OppositeNames:
    """Tells which of n names exclude each other.

    Two do where one says but one of two opposites, and the other but the other one; and where all
    that they share is what one of them is without.

    Args:
        names: of the concepts.
    """

    def __init__(self, names: Sequence[str]) -> None:
        poles = [list_poles(name) for name in names]
        self._words = [set(tokenize(name)) for name in names]
        self._negated = [find_negated(name) for name in names]
        self._has_negated = np.array([bool(words) for words in self._negated], dtype=bool)
        numbers: dict[str, int] = {}
        for about, _ in sorted(set().union(*poles)):
            numbers.setdefault(about, len(numbers))
        self._poles = [
            _make_table(
                [_list_one_sided(of_name, pole, numbers) for of_name in poles], len(numbers)
            )
            for pole in (0, 1)
        ]

    def exclude(self, left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which of r pairs of names exclude each other, (r,)."""
        first, second = self._poles
        both = first[left].multiply(second[right]) + second[left].multiply(first[right])
        excluded = np.asarray(both.sum(axis=1)).ravel() > 0
        for row in np.flatnonzero(self._has_negated[left] | self._has_negated[right]):
            excluded[row] |= self._share_negated(int(left[row]), int(right[row]))
        return excluded

    def _share_negated(self, left: int, right: int) -> bool:
        shared = self._words[left] & self._words[right]
        negated = self._negated[left] ^ self._negated[right]
        return bool(shared) and shared <= negated


def _list_one_sided(poles: set[tuple[str, int]], pole: int, numbers: dict[str, int]) -> list[int]:
    return [
        numbers[about] for about, side in poles if side == pole and (about, 1 - pole) not in poles
    ]


def _make_table(rows: Sequence[Sequence[int]], width: int) -> csr_array:
    columns = [column for row in rows for column in row]
    starts = np.cumsum([0, *map(len, rows)])
    shape = (len(rows), max(width, 1))
    return csr_array((np.ones(len(columns), np.int8), columns, starts), shape=shape)
