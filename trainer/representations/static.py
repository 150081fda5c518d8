"""A static encoder: one vector a word, sums of integers, nothing but NumPy.

Words have rows of 8-bit integers and a factor, which is their weight and the scale of the row in
one; a name is the sum of ``factor * row`` over its words, brought to unit length. All sums are of
integers and all roundings those of IEEE 754, element by element, so that vectors are the same to
the bit on every machine. A word that is not in the vocabulary is made of its character n-grams.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.files.folders import replacing
from termexplorer.trainer.files.mapped_tensors import map_tensors
from termexplorer.trainer.representations.base import Float32s, meta_of, texts_of
from termexplorer.trainer.text.tokenizer import TokenTable, tokenize_all

Int32s = NDArray[np.int32]

KIND = "static"
TENSORS = "static.safetensors"
LARGEST_FACTOR = 4095  # times 127 and the longest name, it fits 32 bits
SHORTEST_GRAM, LONGEST_GRAM = 3, 5  # characters, the marks of a word's ends included
_LONGEST_NAME = 1024  # words of a name that are read
_LONGEST_WORD = 64  # characters of an unknown word that are read
_AT_ONCE = 2048  # names; what they need stays in the processor's cache


@dataclass(frozen=True, eq=False)
class StaticTables:
    """What a static encoder is made of.

    Attributes:
        words: the v words of the vocabulary.
        rows: (v, d) int8.
        factors: (v,) uint16, up to ``LARGEST_FACTOR``.
        gram_rows: (g, d) int8, the n-grams that hash to each row.
        gram_factors: (g,) uint16, up to ``LARGEST_FACTOR``.
        weights: (v,) float32, how much each word counts in the share of a name that is known.
        unknown_weight: the same of a word that is not in the vocabulary.
    """

    words: tuple[str, ...]
    rows: NDArray[np.int8]
    factors: NDArray[np.uint16]
    gram_rows: NDArray[np.int8]
    gram_factors: NDArray[np.uint16]
    weights: NDArray[np.float32]
    unknown_weight: float


class StaticNames:
    """Vectors of names as sums of vectors of their words.

    Attributes:
        dimension: the width d.
        words: the vocabulary.
    """

    def __init__(self, tables: StaticTables) -> None:
        self.words = tables.words
        self.dimension = int(tables.rows.shape[1])
        self._tables = tables
        self._row_of = dict(zip(tables.words, range(len(tables.words)), strict=True))

    @classmethod
    def load(cls, folder: Path, *, verify: bool = True) -> Self:
        """Open a folder that ``save`` has written, memory-mapped.

        Raises:
            ValueError: for a folder of another kind, or one that has changed.
        """
        meta = meta_of(folder, KIND, verify=verify)
        tensors = map_tensors(folder / TENSORS)
        words = bytes(tensors["words"]).decode().split("\n")
        _check_shapes(folder, tensors, len(words))
        return cls(
            StaticTables(
                tuple(words),
                tensors["rows"],
                tensors["factors"],
                tensors["gram_rows"],
                tensors["gram_factors"],
                tensors["weights"],
                float(meta["unknown_weight"]),
            )
        )

    def save(self, folder: Path) -> None:
        """Write the tables as safetensors, and JSON with hashes."""
        from safetensors.numpy import save

        tables = self._tables
        text = np.frombuffer("\n".join(tables.words).encode(), dtype=np.uint8)
        tensors = {name: getattr(tables, name) for name in _TYPES if name != "words"}
        meta = {
            "kind": KIND,
            "dimension": self.dimension,
            "unknown_weight": tables.unknown_weight,
        }
        tensors = {name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()}
        with replacing(folder, meta) as part:
            (part / TENSORS).write_bytes(save({"words": text, **tensors}))

    def encode(self, names: Iterable[str]) -> Float32s:
        """Return the vectors of names, (n, d) float32 at unit length.

        A name without any letter or digit, of which nothing is known, is a row of zeros.
        """
        table = tokenize_all(texts_of(names))
        sums = self._sums_of_tokens(table.tokens)
        vectors = np.empty((len(table.starts) - 1, self.dimension), dtype=np.float32)
        for start in range(0, len(vectors), _AT_ONCE):
            stop = min(start + _AT_ONCE, len(vectors))
            vectors[start:stop] = _at_unit_length(_sum_names(table, sums, start, stop))
        return vectors

    def token_vectors(self, tokens: Sequence[str]) -> tuple[Float32s, NDArray[np.bool_]]:
        """Return the vectors of tokens, weighted as in the sum of a name.

        Returns:
            (u, d) float32, in units of the largest factor; and (u,) bool, false where a token has
            neither a row nor n-grams.
        """
        sums = self._sums_of_tokens(tokens)
        known = np.asarray(sums.any(axis=1))
        return (sums / (127.0 * LARGEST_FACTOR)).astype(np.float32), known

    def known_shares(self, names: Iterable[str]) -> NDArray[np.float32]:
        """Return how much of each name is in the vocabulary, by the words' weights, (n,) of 0 to 1.

        The rest is known by its spelling alone.
        """
        table = tokenize_all(texts_of(names))
        rows = self._rows_of_tokens(table.tokens)
        weights = np.where(
            rows >= 0, self._tables.weights[np.maximum(rows, 0)], self._tables.unknown_weight
        )
        weights *= [any(sign.isalnum() for sign in token) for token in table.tokens]
        of_words = np.append(weights[table.token_index], 0)  # a start at the end is in range
        of_known = np.append((weights * (rows >= 0))[table.token_index], 0)
        empty = np.diff(table.starts) == 0
        starts = table.starts[:-1]
        total, known = (np.add.reduceat(sums, starts) for sums in (of_words, of_known))
        share = np.divide(known, total, out=np.zeros_like(total), where=(total > 0) & ~empty)
        return share.astype(np.float32)

    def _rows_of_tokens(self, tokens: Sequence[str]) -> NDArray[np.int64]:
        find = self._row_of.get
        return np.fromiter((find(token, -1) for token in tokens), np.int64, len(tokens))

    def _sums_of_tokens(self, tokens: Sequence[str]) -> Int32s:
        """Return ``factor * row`` of each token, (u, d) int32."""
        rows = self._rows_of_tokens(tokens)
        known = np.maximum(rows, 0)
        factors = np.where(rows >= 0, self._tables.factors[known], 0).astype(np.int32)
        sums = self._tables.rows[known] * factors[:, None]
        for index in np.flatnonzero(rows < 0).tolist():
            grams = hash_grams(tokens[index], len(self._tables.gram_factors))
            if grams:
                sums[index] = self._sum_grams(grams)
        return sums

    def _sum_grams(self, grams: list[int]) -> Int32s:
        rows = self._tables.gram_rows[grams].astype(np.int32)
        total = (rows * self._tables.gram_factors[grams].astype(np.int32)[:, None]).sum(axis=0)
        return np.asarray(total // len(grams), dtype=np.int32)


def hash_grams(word: str, buckets: int) -> list[int]:
    """Return the rows of a word's character n-grams; none of a word without a letter or digit."""
    if not word.isalnum():
        return []
    marked = f"<{word[:_LONGEST_WORD]}>"
    return [
        zlib.crc32(marked[start : start + length].encode()) % buckets
        for length in range(SHORTEST_GRAM, LONGEST_GRAM + 1)
        for start in range(len(marked) - length + 1)
    ]


def _sum_names(table: TokenTable, sums: Int32s, start: int, stop: int) -> Int32s:
    """Sum the tokens of some names up, (stop - start, d) int32.

    Longest names first, so that those with another word are the first ones in each step: adding
    whole rows so takes a fifth of the time of ``numpy.add.reduceat``.
    """
    lengths = np.minimum(np.diff(table.starts[start : stop + 1]), _LONGEST_NAME)
    order = np.argsort(-lengths, kind="stable")
    firsts, lengths = table.starts[start:stop][order], lengths[order]
    totals = np.zeros((stop - start, sums.shape[1]), dtype=np.int32)
    for step in range(int(lengths[0])):
        longer = int(np.searchsorted(-lengths, -step))  # those of more than ``step`` words
        totals[:longer] += sums[table.token_index[firsts[:longer] + step]]
    ordered = np.empty_like(totals)
    ordered[order] = totals
    return ordered


def _at_unit_length(totals: Int32s) -> Float32s:
    """Bring rows of integers to unit length by steps that every machine rounds alike."""
    sums = totals.astype(np.float32)
    squares = sums * sums
    while squares.shape[1] > 1:  # halves are added, for a library's sum has an order of its own
        middle = squares.shape[1] // 2
        odd = squares[:, 2 * middle :]
        squares = squares[:, :middle] + squares[:, middle : 2 * middle]
        if odd.shape[1]:
            squares[:, :1] += odd
    lengths = np.sqrt(squares)
    return np.asarray(sums / np.where(lengths > 0, lengths, np.float32(1)))


_TYPES = {
    "words": np.uint8,
    "rows": np.int8,
    "factors": np.uint16,
    "gram_rows": np.int8,
    "gram_factors": np.uint16,
    "weights": np.float32,
}


def _check_shapes(folder: Path, tensors: dict[str, NDArray[Any]], words: int) -> None:
    """Refuse tables that do not fit each other.

    Raises:
        ValueError: they do not.
    """
    typed = all(
        name in tensors and tensors[name].dtype == kind and tensors[name].ndim == _DIMENSIONS[name]
        for name, kind in _TYPES.items()
    )
    if not typed or not _fit_each_other(tensors, words):
        raise TrainerError("the tables in {folder} do not fit each other", folder=folder)


_DIMENSIONS = {name: 2 if name.endswith("rows") else 1 for name in _TYPES}


def _fit_each_other(tensors: dict[str, NDArray[Any]], words: int) -> bool:
    rows, grams = tensors["rows"], tensors["gram_rows"]
    return (
        len(rows) == len(tensors["factors"]) == len(tensors["weights"]) == words
        and len(grams) == len(tensors["gram_factors"]) > 0
        and rows.shape[1] == grams.shape[1] > 0
        and max(tensors["factors"].max(), tensors["gram_factors"].max()) <= LARGEST_FACTOR
        and bool(np.isfinite(tensors["weights"]).all())
    )
