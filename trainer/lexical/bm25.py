"""BM25 of names as documents, as Lucene computes it; [BNE] 4.2 takes its candidates from it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.representations.base import Float32s
from termexplorer.trainer.representations.lexical_names import LexicalNames, token_counts
from termexplorer.trainer.text.tokenizer import TokenTable, tokenize, tokenize_all

_K1, _B = 1.5, 0.75  # saturation of repeated tokens, weight of a name's length


class Bm25Names(LexicalNames):
    """Scores of names for any text, 0 and more; not symmetric.

    Attributes:
        count: the number n of names.
    """

    def __init__(self, index: Any, table: TokenTable):
        self.count = len(table.starts) - 1
        self._index = index
        self._row = {token: row for row, token in enumerate(table.tokens)}
        holders = np.diff(token_counts(table).tocsc().indptr)
        self._idf = np.log1p((self.count - holders + 0.5) / (holders + 0.5))
        self._length = len(table.token_index) / self.count

    @classmethod
    def fit(cls, names: Sequence[str]) -> Self:
        """Index names.

        Raises:
            ValueError: where no name has a letter, digit or sign.
        """
        os.environ.setdefault("DISABLE_TQDM", "1")  # bm25s's progress bars leave a thread running
        from bm25s import BM25

        table = tokenize_all(names)
        if not table.tokens:
            raise TrainerError("no name among {names} has a token", names=len(names))
        index = BM25(k1=_K1, b=_B, method="lucene")
        ids = [part.tolist() for part in np.split(table.token_index, table.starts[1:-1])]
        vocabulary = {token: row for row, token in enumerate(table.tokens)}
        index.index((ids, vocabulary), show_progress=False)
        return cls(index, table)

    def scores(self, query: str) -> Float32s:
        """Return the score of each name for a text, (n,) float32."""
        rows = [self._row[token] for token in tokenize(query) if token in self._row]
        scores: Float32s = self._index.get_scores_from_ids(rows)
        return scores

    def pair_scores(self, left: Sequence[str], right: Sequence[str]) -> Float32s:
        """Return the score of each right text, as a document, for the left one, (p,) float32.

        Its rare tokens and its length are told by the names that are indexed.
        """
        table = tokenize_all([*left, *right])
        counts = token_counts(table).astype(np.float64)
        rows = np.array([self._row.get(token, -1) for token in table.tokens], dtype=np.int64)
        idf = np.where(rows >= 0, self._idf[rows], 0)
        queries, documents = counts[: len(left)], counts[len(left) :].tocoo()
        lengths = np.diff(table.starts)[len(left) :][documents.row]
        saturation = _K1 * (1 - _B + _B * lengths / self._length)
        documents.data = idf[documents.col] * documents.data / (documents.data + saturation)
        return np.asarray(queries.multiply(documents).sum(axis=1), dtype=np.float32).ravel()
