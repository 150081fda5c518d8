"""Word mover's distance of names over any word vectors (Kusner et al. 2015; [BNE] 4.2).

Each word of a name carries the same weight; the distance is the least that it takes to move the
weight of one name's words to the other's, over Euclidean distances of word vectors at unit length.
The similarity is 1 less half the distance, so that it is between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.files.pairs import distinct
from termexplorer.trainer.lexical.transport import transport_cost
from termexplorer.trainer.measures.base import TokenVectors, WordBags, by_shape, where_covered
from termexplorer.trainer.measures.linear import units
from termexplorer.trainer.representations.base import Float32s, Int64s
from termexplorer.trainer.representations.lexical_names import LexicalNames

Float64s = NDArray[np.float64]

EXACT = 100  # names of a ranking whose scores are exact where nobody asks for more
_CLOSE = 1e-3  # squared distances below lose their digits to rounding, and are computed anew


@dataclass(frozen=True, eq=False)
class _WordsOfNames:
    """The words of the k names of which something is known, out of those that are ranked.

    Attributes:
        names: (k,) int64, the names.
        rows: (t,) int64, their words one after the other, as rows of a matrix.
        starts: (k,) int64, where the words of each name start in ``rows``.
        sizes: (k,) int64, how many words each name has.
    """

    names: Int64s
    rows: Int64s
    starts: Int64s
    sizes: Int64s

    @classmethod
    def of(cls, bags: WordBags, names: Int64s) -> Self:
        """Take the words of some names."""
        names = names[bags.sizes()[names] > 0]
        sizes = bags.sizes()[names]
        starts = np.cumsum(sizes) - sizes
        places = np.arange(sizes.sum()) + np.repeat(bags.starts[names] - starts, sizes)
        return cls(names, bags.rows[places], starts, sizes)


class WordMoverNames(LexicalNames):
    """Similarities of any text to a list of names, the best ones exact.

    Attributes:
        count: the number n of names.
    """

    def __init__(
        self,
        names: Sequence[str],
        vectors: TokenVectors,
        exact: int = EXACT,
        tick: Callable[[], None] = lambda: None,
    ):
        """Index names.

        Args:
            names: n names.
            vectors: of their words.
            exact: how many of the best names of a ranking have exact scores; the others' are
                bounds, none above those.
            tick: called before each exact score; may raise to stop.
        """
        self.count = len(names)
        self._vectors = vectors
        self._exact = exact
        self._tick = tick
        self._bags = _unit_bags(names, vectors)
        self._squares = _square_norms(self._bags.matrix)
        self._all = self._ranked = np.arange(self.count)
        self._words = _WordsOfNames.of(self._bags, self._ranked)

    def scores(self, query: str) -> Float32s:
        """Return the similarity of each name to a text, (n,) float32; 0 for unknown words."""
        return self.scores_among(query, self._all)

    def scores_among(self, query: str, ranked: Int64s) -> Float32s:
        """Return as ``scores`` the similarities of the names that are ranked, and 0 for others.

        Args:
            query: a text.
            ranked: (c,) int64, names; the best of these are exact.
        """
        if ranked is not self._ranked:  # the same ones are asked for again and again
            self._ranked, self._words = ranked, _WordsOfNames.of(self._bags, ranked)
        similarities = np.zeros(self.count, dtype=np.float32)
        asked = _unit_bags([query], self._vectors)
        if len(asked.rows) and len(self._words.names):
            distances = _pairwise_distances(
                asked.matrix[asked.rows], self._bags.matrix, self._squares
            )
            costs = _move_costs(distances, self._words, self._exact, self._tick)
            similarities[self._words.names] = _costs_to_similarities(costs)
        return similarities

    def pair_scores(self, left: Sequence[str], right: Sequence[str]) -> Float32s:
        """Return the exact similarity of each left text and the right one, (p,) float32.

        NaN where no word of a text is known.
        """
        texts, first, second = distinct(left, right)
        bags = _unit_bags(texts, self._vectors)

        def similarities(left: Int64s, right: Int64s) -> Float32s:
            values = np.empty(len(left), dtype=np.float32)
            for pairs, first, second in by_shape(bags, left, right, self._tick):
                costs = np.empty(len(pairs))
                for index, (source, target) in enumerate(zip(first, second, strict=True)):
                    self._tick()
                    costs[index] = transport_cost(_pairwise_distances(source, target))
                values[pairs] = _costs_to_similarities(costs)
            return values

        return where_covered(bags, first, second, similarities)


def _move_costs(
    distances: Float64s, words: _WordsOfNames, exact: int, tick: Callable[[], None]
) -> Float64s:
    """Return the costs of moving a text's words to those of each name, (k,).

    Names are taken by rising bound until the next bound is no better than the exact costs of as
    many as are wanted.

    Args:
        distances: (q, u), of the text's words to all words.
        words: of k names.
        exact: how many of the best are wanted; the others' costs are bounds.
        tick: called before each exact one.
    """
    costs = _bound_costs(distances, words)
    order = np.argsort(costs, kind="stable")
    done, limit, wanted = 0, np.inf, min(exact, len(order))
    while done < len(order) and costs[order[done]] < limit:
        for index in order[done : done + wanted]:
            tick()
            start = words.starts[index]
            word_rows = words.rows[start : start + words.sizes[index]]
            costs[index] = transport_cost(distances[:, word_rows])
        done += wanted
        limit = np.partition(costs[order[:done]], wanted - 1)[wanted - 1]
    return costs


def _bound_costs(distances: Float64s, words: _WordsOfNames) -> Float64s:
    """Return costs where each word moves to the nearest one, whatever weight is there, (k,).

    Not above the exact ones: the relaxed distance of Kusner et al. 2015.
    """
    nearest = np.add.reduceat(distances.min(axis=0)[words.rows], words.starts) / words.sizes
    to_names = np.zeros_like(nearest)
    for row in distances:
        to_names += np.minimum.reduceat(row[words.rows], words.starts)
    return np.maximum(nearest, to_names / len(distances))


def _unit_bags(names: Sequence[str], vectors: TokenVectors) -> WordBags:
    bags = WordBags.of_names(names, vectors)
    return WordBags(units(bags.matrix), bags.rows, bags.starts)


def _pairwise_distances(
    left: Float32s, right: Float32s, squares: Float32s | None = None
) -> Float64s:
    """Return Euclidean distances of (n, d) and (m, d) rows, (n, m).

    Args:
        left: (n, d).
        right: (m, d).
        squares: (m,), the squared lengths of ``right`` where they are known.
    """
    theirs = _square_norms(right) if squares is None else squares
    squared = (_square_norms(left)[:, None] + theirs - 2 * (left @ right.T)).astype(np.float64)
    close = np.nonzero(squared < _CLOSE)
    difference = (left[close[0]] - right[close[1]]).astype(np.float64)
    squared[close] = (difference**2).sum(axis=1)
    return np.asarray(np.sqrt(squared))


def _square_norms(rows: Float32s) -> Float32s:
    return np.asarray(np.einsum("ij,ij->i", rows, rows))


def _costs_to_similarities(costs: Float64s) -> Float32s:
    return (1 - costs / 2).astype(np.float32)
