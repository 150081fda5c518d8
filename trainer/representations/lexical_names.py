"""What every lexical method does, and tables of tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Protocol

import numpy as np

from termexplorer.trainer.representations.base import Float32s, Int64s
from termexplorer.trainer.text.tokenizer import TokenTable

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class LexicalNames(Protocol):
    """A list of n names, ranked by similarity to any text; bigger is more similar.

    Attributes:
        count: the number n of names.
    """

    count: int

    def scores(self, query: str) -> Float32s:
        """Return the similarity of each name to a text, (n,) float32."""
        ...

    def scores_among(self, query: str, ranked: Int64s) -> Float32s:
        """Return ``scores``, (n,), where those of other names than ``ranked`` do not matter.

        A method that is slow leaves the others out.
        """
        return self.scores(query)

    def pair_scores(self, left: Sequence[str], right: Sequence[str]) -> Float32s:
        """Return what ``scores`` of each left text would be for the right one, (p,) float32.

        NaN where nothing is known of a text; in ``scores`` such a text or name has 0.
        """
        ...


def table_of(
    index: LexicalNames, queries: Sequence[str], tick: Callable[[], None] = lambda: None
) -> Callable[[Int64s, Int64s], Float32s]:
    """Return a function of (m,) queries and (c,) names, as indices, to (m, c) similarities.

    Threads that ask at once wait for each other, since an index may keep what it was asked.

    Args:
        index: of the names.
        queries: texts.
        tick: called before each query; may raise to stop.
    """
    asking = Lock()

    def table(mentions: Int64s, candidates: Int64s) -> Float32s:
        similarities = np.empty((len(mentions), len(candidates)), dtype=np.float32)
        with asking:
            for row, mention in enumerate(mentions):
                tick()
                similarities[row] = index.scores_among(queries[mention], candidates)[candidates]
        return similarities

    return table


def token_counts(table: TokenTable) -> csr_array:
    """Return how often each of n names has each of u tokens, (n, u) int64."""
    from scipy.sparse import csr_array

    ones = np.ones(len(table.token_index), dtype=np.int64)
    shape = (len(table.starts) - 1, len(table.tokens))
    counts = csr_array((ones, table.token_index, table.starts), shape=shape, copy=True)
    counts.sum_duplicates()
    return counts
