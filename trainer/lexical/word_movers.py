"""Word mover's distance of names over any word vectors (Kusner et al. 2015; [BNE] 4.2).

Each word of a name carries the same weight; the distance is the least that it takes to move the
weight of one name's words to the other's, over Euclidean distances of word vectors at unit length.
The similarity is 1 less half the distance, so that it is between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from trainer.lexical.transport import transport_cost
from trainer.measures.base import TokenVectors, WordBags, by_shape, where_covered
from trainer.measures.linear import units
from trainer.pairs import distinct
from trainer.representations.base import Float32s, Int64s

Float64s = NDArray[np.float64]

_CLOSE = 1e-3  # squared distances below lose their digits to rounding, and are computed anew


class WordMoverNames:
    """Similarities of any text to a list of names, the best ones exact.

    Attributes:
        count: the number n of names.
    """

    def __init__(self, names: Sequence[str], vectors: TokenVectors, exact: int = 100):
        """Index names.

        Args:
            names: n names.
            vectors: of their words.
            exact: how many of the best names of a ranking have exact scores; the others' are
                bounds, none above those.
        """
        self.count = len(names)
        self._vectors = vectors
        self._exact = exact
        bags = _unit_bags(names, vectors)
        self._known = np.flatnonzero(bags.sizes())  # (k,)
        self._matrix, self._rows = bags.matrix, bags.rows
        self._starts, self._sizes = bags.starts[self._known], bags.sizes()[self._known]

    def scores(self, query: str) -> Float32s:
        """Return the similarity of each name to a text, (n,) float32; 0 for unknown words."""
        found = np.zeros(self.count, dtype=np.float32)
        words = _unit_bags([query], self._vectors)
        if len(words.rows) and len(self._known):
            costs = self._costs(_distances(words.matrix[words.rows], self._matrix))
            found[self._known] = _similarities(costs)
        return found

    def pair_scores(
        self,
        left: Sequence[str],
        right: Sequence[str],
        tick: Callable[[], None] = lambda: None,
    ) -> Float32s:
        """Return the exact similarity of each left text and the right one, (p,) float32.

        NaN where no word of a text is known.
        """
        texts, one, other = distinct(left, right)
        bags = _unit_bags(texts, self._vectors)

        def similarities(left: Int64s, right: Int64s) -> Float32s:
            found = np.empty(len(left), dtype=np.float32)
            for pairs, first, second in by_shape(bags, left, right, tick):
                tables = zip(first, second, strict=True)
                costs = [transport_cost(_distances(one, other)) for one, other in tables]
                found[pairs] = _similarities(np.array(costs))
            return found

        return where_covered(bags, one, other, similarities)

    def _costs(self, distances: Float64s) -> Float64s:
        """Return the costs of moving a text's words to those of each known name.

        Names are taken by rising bound until the next bound is no better than the exact costs
        of as many as are wanted.

        Args:
            distances: (q, u), of the text's words to all words.
        """
        costs = self._bounds(distances)
        order = np.argsort(costs, kind="stable")
        done, limit, wanted = 0, np.inf, min(self._exact, len(order))
        while done < len(order) and costs[order[done]] < limit:
            for place in order[done : done + wanted]:
                start = self._starts[place]
                words = self._rows[start : start + self._sizes[place]]
                costs[place] = transport_cost(distances[:, words])
            done += wanted
            limit = np.partition(costs[order[:done]], wanted - 1)[wanted - 1]
        return costs

    def _bounds(self, distances: Float64s) -> Float64s:
        """Return costs where each word moves to the nearest one, whatever weight is there, (k,)."""
        nearest = np.add.reduceat(distances.min(axis=0)[self._rows], self._starts) / self._sizes
        to_names = np.zeros_like(nearest)
        for row in distances:
            to_names += np.minimum.reduceat(row[self._rows], self._starts)
        return np.maximum(nearest, to_names / len(distances))


def _unit_bags(names: Sequence[str], vectors: TokenVectors) -> WordBags:
    bags = WordBags.of_names(names, vectors)
    return WordBags(units(bags.matrix), bags.rows, bags.starts)


def _distances(left: Float32s, right: Float32s) -> Float64s:
    """Return Euclidean distances of (n, d) and (m, d) rows, (n, m)."""
    ours, theirs = (np.einsum("ij,ij->i", rows, rows) for rows in (left, right))
    squares = (ours[:, None] + theirs - 2 * (left @ right.T)).astype(np.float64)
    close = np.nonzero(squares < _CLOSE)
    difference = (left[close[0]] - right[close[1]]).astype(np.float64)
    squares[close] = (difference**2).sum(axis=1)
    return np.asarray(np.sqrt(squares))


def _similarities(costs: Float64s) -> Float32s:
    return (1 - costs / 2).astype(np.float32)
