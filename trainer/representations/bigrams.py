"""Means of word and bigram vectors ([CG] 5: Sent2Vec); ``bigram_training`` makes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.representations.base import Float32s, Int64s, bag_means, texts_of
from termexplorer.trainer.representations.fasttext_matrices import (
    FNV_PRIME,
    FNV_START,
    FastTextVectors,
)
from termexplorer.trainer.text.tokenizer import tokenize_all

KIND = "bigrams"

_BIGRAM_FACTOR = np.uint64(116049371)


class BigramNames(FastTextVectors):
    """Vectors of names by the mean of their known words and of the bigrams of these.

    A bigram that did not occur in the text has the vector of whatever shares its bucket.
    """

    kind: ClassVar[str] = KIND

    def encode(self, names: Iterable[str]) -> Float32s:
        """Return (n, d) float32; zero for a name of which no word is known."""
        names = texts_of(names)
        table = tokenize_all(names)
        row = np.fromiter((self._row.get(token, -1) for token in table.tokens), np.int64)
        owner = np.repeat(np.arange(len(names)), np.diff(table.starts))
        is_known = row[table.token_index] >= 0
        token, owner = table.token_index[is_known], owner[is_known]
        inside = owner[:-1] == owner[1:]
        hashed = bigram_hashes(word_hashes(table.tokens), token[:-1][inside], token[1:][inside])
        owners = np.concatenate((owner, owner[:-1][inside]))
        rows = np.concatenate((row[token], len(self.words) + hashed % np.uint64(self._bucket)))
        order = np.argsort(owners, kind="stable")
        starts = np.searchsorted(owners[order], np.arange(len(names) + 1))
        return bag_means(self._matrix, rows[order].astype(np.int64), starts.astype(np.int64))


def word_hashes(words: Sequence[str]) -> NDArray[np.uint32]:
    """Return fastText's hashes of words, (u,): 32-bit FNV-1a over their bytes as signed numbers."""
    encoded = [word.encode() for word in words]
    value = np.full(len(words), FNV_START)
    if not encoded:
        return value
    lengths = np.fromiter(map(len, encoded), np.int64)
    table = np.array(encoded, dtype=np.bytes_)
    signs = table.view(np.int8).reshape(len(encoded), table.itemsize)
    for index in range(table.itemsize):
        taken = (value ^ signs[:, index].astype(np.int32).view(np.uint32)) * FNV_PRIME
        value = np.where(index < lengths, taken, value)
    return value


def bigram_hashes(hashes: NDArray[np.uint32], first: Int64s, second: Int64s) -> NDArray[np.uint64]:
    """Return fastText's hashes of bigrams, (b,), before the modulus.

    Args:
        hashes: (u,) of words.
        first: (b,) int64, the first word of each bigram.
        second: (b,) int64, the second one.
    """
    signed = hashes.view(np.int32).astype(np.int64).view(np.uint64)
    return signed[first] * _BIGRAM_FACTOR + signed[second]
