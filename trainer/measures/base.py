"""What every measure takes: names as bags of word vectors, and pairs of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.representations.base import Float32s, Int64s, bag_means
from termexplorer.trainer.text.tokenizer import tokenize_all

PAIRS_AT_A_TIME = 2048
_WORDS_AT_A_TIME = 4096
Bools = NDArray[np.bool_]


class TokenVectors(Protocol):
    """A source of word vectors."""

    def token_vectors(self, tokens: Sequence[str]) -> tuple[Float32s, Bools]:
        """Return (u, d) float32 and (u,) bool, false where nothing is known of a token."""
        ...


@dataclass(frozen=True, eq=False)
class WordBags:
    """The word vectors of n names; a word that stands twice in a name is there twice.

    Attributes:
        matrix: (r, d) float32, the vectors of words.
        rows: (t,) int64, the words of all names one after the other.
        starts: (n + 1,) int64, where the words of each name start in ``rows``.
    """

    matrix: Float32s
    rows: Int64s
    starts: Int64s

    @classmethod
    def of_names(cls, names: Sequence[str], source: TokenVectors) -> Self:
        """Look up the words of names; unknown ones are left out."""
        table = tokenize_all(names)
        vectors, known = source.token_vectors(table.tokens)
        is_known = known[table.token_index]
        before = np.concatenate(([0], np.cumsum(is_known))).astype(np.int64)
        return cls(vectors, table.token_index[is_known], before[table.starts])

    @classmethod
    def of_vectors(cls, vectors: Float32s) -> Self:
        """Take each of (n, d) vectors as a name of one word; zero ones as names of none."""
        known = vectors.any(axis=1)
        starts = np.concatenate(([0], np.cumsum(known))).astype(np.int64)
        return cls(vectors, np.flatnonzero(known), starts)

    def sizes(self) -> Int64s:
        """Return the number of words of each name, (n,) int64."""
        return np.diff(self.starts)

    def means(self) -> Float32s:
        """Return the mean of each name's word vectors, (n, d) float32; zero where it has none."""
        return bag_means(self.matrix, self.rows, self.starts)

    def covered(self, left: Int64s, right: Int64s) -> Bools:
        """Return for each pair whether both of its names have a word vector, (p,) bool."""
        has = self.sizes() > 0
        return np.asarray(has[left] & has[right])


class Measure(Protocol):
    """How similar the names of pairs are."""

    def __call__(
        self, bags: WordBags, left: Int64s, right: Int64s, tick: Callable[[], None] = ...
    ) -> Float32s:
        """Return (p,) float32, at most 1 and bigger for more similar names.

        NaN where a name has no word vector. A vector that is zero, or constant where a
        correlation is asked for, has similarity 0 to every other.

        Args:
            bags: n names.
            left: (p,) int64, the first name of each pair.
            right: (p,) int64, the second one.
            tick: called between blocks; may raise to stop.
        """
        ...


def blocks(count: int, size: int, tick: Callable[[], None]) -> Iterator[slice]:
    """Yield slices of at most ``size`` that cover ``count``, with a tick before each."""
    for start in range(0, count, size):
        tick()
        yield slice(start, min(start + size, count))


def by_shape(
    bags: WordBags, left: Int64s, right: Int64s, tick: Callable[[], None]
) -> Iterator[tuple[Int64s, Float32s, Float32s]]:
    """Yield pairs whose names have equally many words, with the vectors of those.

    Args:
        bags: n names.
        left: (p,) int64, the first name of each pair; each has a word.
        right: (p,) int64, the second one; each has a word.
        tick: called before each block; may raise to stop.

    Yields:
        (b,) int64 pairs, (b, n, d) and (b, m, d) float32.
    """
    sizes = bags.sizes()
    shapes, shape = np.unique(np.stack((sizes[left], sizes[right])), axis=1, return_inverse=True)
    order = np.argsort(shape, kind="stable")
    ends = np.cumsum(np.bincount(shape, minlength=shapes.shape[1]))
    for pairs, (first, second) in zip(np.split(order, ends[:-1]), shapes.T, strict=True):
        for block in blocks(len(pairs), max(1, _WORDS_AT_A_TIME // int(first + second)), tick):
            some = pairs[block]
            yield (
                some,
                _word_vectors_of(bags, left[some], first),
                _word_vectors_of(bags, right[some], second),
            )


def _word_vectors_of(bags: WordBags, names: Int64s, size: int) -> Float32s:
    """Return the word vectors of names that have ``size`` words each, (n, size, d)."""
    word_vectors: Float32s = bags.matrix[bags.rows[bags.starts[names][:, None] + np.arange(size)]]
    return word_vectors


def where_covered(
    bags: WordBags, left: Int64s, right: Int64s, similarities: Callable[[Int64s, Int64s], Float32s]
) -> Float32s:
    """Return similarities of the covered pairs, and NaN for the others."""
    values = np.full(len(left), np.nan, dtype=np.float32)
    covered = bags.covered(left, right)
    if covered.any():
        values[covered] = similarities(left[covered], right[covered])
    return values


def ratio(numerator: NDArray[np.floating], denominator: NDArray[np.floating]) -> Float32s:
    """Return quotients as float32, 0 where the denominator is."""
    safe = np.where(denominator > 0, denominator, 1)
    return np.where(denominator > 0, numerator / safe, 0).astype(np.float32)


def table_of(measure: Measure, bags: WordBags) -> Callable[[Int64s, Int64s], Float32s]:
    """Return a function of (m,) and (c,) names to the (m, c) similarities of each with each."""

    def table(left: Int64s, right: Int64s) -> Float32s:
        pairs = np.repeat(left, len(right)), np.tile(right, len(left))
        return measure(bags, *pairs).reshape(len(left), len(right))

    return table
