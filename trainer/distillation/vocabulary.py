"""The words of a static encoder: which there are, how frequent, and which names have them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.text.tokenizer import tokenize, tokenize_all

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Int64s = NDArray[np.int64]
Float64s = NDArray[np.float64]

_LETTER_OR_DIGIT = re.compile(r"[^\W_]")


@dataclass(frozen=True, eq=False)
class WordVocabulary:
    """Words with their counts in a corpus, most frequent first.

    Attributes:
        words: the v words.
        counts: (v,) int64.
    """

    words: tuple[str, ...]
    counts: Int64s

    @classmethod
    def choose(cls, corpus: Path, names: Iterable[str], least: int) -> WordVocabulary:
        """Choose the words of names, and those that are frequent in a corpus.

        Args:
            corpus: lines of words parted by spaces.
            names: whose words are taken however rare they are.
            least: how often any other word has to occur.
        """
        counts: Counter[str] = Counter()
        with corpus.open(encoding="utf-8") as lines:
            for line in lines:
                counts.update(line.split())
        of_names = {word for name in names for word in tokenize(name)}
        chosen = {word for word, count in counts.items() if count >= least} | of_names
        words = sorted(filter(_LETTER_OR_DIGIT.search, chosen), key=lambda w: (-counts[w], w))
        return cls(tuple(words), np.array([max(counts[word], 1) for word in words], dtype=np.int64))

    @cached_property
    def _row_of(self) -> dict[str, int]:
        return {word: row for row, word in enumerate(self.words)}

    def weigh_words(self, smoothing: float) -> Float64s:
        """Return ``a / (a + p(w))`` of each word, (v,), a the smoothing (Arora et al. 2017)."""
        shares = self.counts / self.counts.sum()
        return np.asarray(smoothing / (smoothing + shares))

    def index_names(self, names: Sequence[str]) -> tuple[Int64s, Int64s]:
        """Find the words of names.

        Returns:
            (t,) rows of all words one after the other, -1 where one is not in the vocabulary; and
            (n + 1,) where each name starts.
        """
        table = tokenize_all(names)
        find = self._row_of.get
        rows = np.fromiter((find(word, -1) for word in table.tokens), np.int64, len(table.tokens))
        return rows[table.token_index], table.starts

    def pad_names(self, names: Sequence[str], longest: int) -> NDArray[np.int32]:
        """Return the rows of the words of names, (n, longest) int32, -1 for no word."""
        rows, starts = self.index_names(names)
        padded = np.full((len(names), longest), -1, dtype=np.int32)
        lengths = np.diff(starts)
        name = np.repeat(np.arange(len(names)), lengths)
        column = np.arange(len(rows)) - np.repeat(starts[:-1], lengths)
        short = column < longest
        padded[name[short], column[short]] = rows[short]
        return padded

    def average_names(self, names: Sequence[str], weights: Float64s) -> csr_matrix:
        """Return the (n, v) sparse matrix that makes weighted means of vectors of words."""
        from scipy.sparse import csr_matrix, diags

        rows, starts = self.index_names(names)
        known = rows >= 0
        name = np.repeat(np.arange(len(names)), np.diff(starts))[known]
        shape = (len(names), len(self.words))
        sums = csr_matrix((weights[rows[known]], (name, rows[known])), shape=shape)
        totals = np.asarray(sums.sum(axis=1)).ravel()
        return csr_matrix(diags(1 / np.where(totals > 0, totals, 1)) @ sums)
