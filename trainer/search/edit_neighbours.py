"""The nearest terms of a term by Levenshtein distance: exact, and quick among many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.search.edit_search import SortedTerms, nearest_terms
from termexplorer.trainer.search.letter_counts import letter_bits

Int64s = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Near:
    """Terms and how far they are, the nearest first.

    Attributes:
        places: (m,) int64, of the terms; of equally near ones the first comes first.
        distances: (m,) int64, in single-letter insertions, deletions and replacements.
    """

    places: Int64s
    distances: Int64s


class EditNeighbours:
    """Looks among terms for the nearest of each.

    Terms of like length come first, then those that the k best of these leave in question; of
    both the ones with the most letters in common come first, and when the letters of all that are
    left tell that they are farther than the k best, they are not compared. Nothing is lost by that.

    Args:
        terms: n distinct ones, none of them empty, letter by letter as they are to be compared.
    """

    def __init__(self, terms: Sequence[str]) -> None:
        lengths = np.fromiter(map(len, terms), np.int64, len(terms))
        self._order = np.argsort(lengths, kind="stable")
        self._rank = np.empty_like(self._order)
        self._rank[self._order] = np.arange(len(terms))
        ordered = [terms[index] for index in self._order.tolist()]
        lengths = lengths[self._order]
        codes = np.frombuffer("".join(ordered).encode("utf-32-le", "surrogatepass"), np.uint32)
        alphabet = np.unique(codes)
        self._terms = SortedTerms(
            np.searchsorted(alphabet, codes).astype(np.uint16),
            np.concatenate(([0], np.cumsum(lengths))),
            np.searchsorted(lengths, np.arange(int(lengths.max(initial=0)) + 2)),
            letter_bits(ordered, 192),
            letter_bits(ordered, 256, pairs=True),
            len(alphabet),
        )

    def __len__(self) -> int:
        return len(self._order)

    def nearest(self, query: int, k: int, refused: Int64s) -> Near:
        """Return the k nearest terms of one, and all that are as near as the last of them.

        Threads can look at once.

        Args:
            query: the place of a term; it is no answer itself.
            k: how many, at least 1; fewer come back where there are no more.
            refused: places of terms that are no answers.
        """
        own_rank = self._rank[query]
        ranks, distances = nearest_terms(
            self._terms, own_rank, k, np.sort(np.append(self._rank[refused], own_rank))
        )
        places = self._order[ranks]
        best = np.lexsort((places, distances))
        return Near(places[best], distances[best])
