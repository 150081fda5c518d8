"""Jaccard index of the sets of tokens of two names ([BNE] 4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

import numpy as np

from termexplorer.trainer.measures.base import ratio
from termexplorer.trainer.representations.base import Float32s, Int64s
from termexplorer.trainer.representations.lexical_names import LexicalNames, token_counts
from termexplorer.trainer.text.tokenizer import tokenize, tokenize_all

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class JaccardNames(LexicalNames):
    """Similarities of any text to a list of names: shared tokens by all tokens, 0 to 1.

    Attributes:
        count: the number n of names.
    """

    def __init__(self, tokens: Sequence[str], by_token: csr_array):
        self.count = int(by_token.shape[1])
        self._row = {token: row for row, token in enumerate(tokens)}
        self._by_token = by_token  # (tokens, n): for each token the names that have it
        self._sizes = _count_tokens(by_token.T.tocsr())

    @classmethod
    def fit(cls, names: Sequence[str]) -> Self:
        """Index names."""
        table = tokenize_all(names)
        return cls(table.tokens, token_counts(table).T.tocsr())

    def scores(self, query: str) -> Float32s:
        """Return the Jaccard index of each name and a text, (n,) float32."""
        tokens = set(tokenize(query))
        rows = [self._row[token] for token in tokens if token in self._row]
        shared = np.bincount(self._by_token[rows].indices, minlength=self.count)
        return _jaccard_index(shared, self._sizes + len(tokens))

    def pair_scores(self, left: Sequence[str], right: Sequence[str]) -> Float32s:
        """Return the Jaccard index of each left text and the right one, (p,) float32."""
        sets = token_counts(tokenize_all([*left, *right])) > 0
        first, second = sets[: len(left)], sets[len(left) :]
        return _jaccard_index(
            _count_tokens(first.multiply(second)), _count_tokens(first) + _count_tokens(second)
        )


def _count_tokens(sets: csr_array) -> Int64s:
    return np.asarray((sets > 0).sum(axis=1), dtype=np.int64).ravel()


def _jaccard_index(shared: Int64s, sizes: Int64s) -> Float32s:
    return ratio(shared.astype(np.float64), (sizes - shared).astype(np.float64))
