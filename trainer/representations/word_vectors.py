"""Word vectors in the text format of word2vec and fastText."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Self, cast

import numpy as np
from numpy.typing import NDArray

from trainer.folders import replacing
from trainer.representations.base import Float32s, means_of_known, meta_of, repeats, texts_of
from trainer.tokenizer import tokenize_all

KIND = "words"
MATRIX, VOCABULARY = "vectors.npy", "vocabulary.txt"
_WIDEST = 20_000


class WordVectors:
    """Vectors of names from word vectors; unknown words are left out of the mean.

    Attributes:
        dimension: the width d.
        words: the known words, in the order of the rows.
    """

    def __init__(self, matrix: Float32s, words: Sequence[str]):
        if matrix.ndim != 2 or len(matrix) != len(words):
            raise ValueError(f"{len(words)} words do not fit a matrix of {matrix.shape}")
        self.dimension = int(matrix.shape[1])
        self.words = tuple(words)
        self._matrix = matrix
        self._row = {word: row for row, word in enumerate(words)}

    @classmethod
    def load(cls, folder: Path, *, verify: bool = True) -> Self:
        """Open a folder that ``convert_text`` has written.

        Raises:
            ValueError: for a folder of another kind, or one that has changed.
        """
        meta_of(folder, KIND, verify=verify)
        matrix = np.load(folder / MATRIX, mmap_mode="c", allow_pickle=False)
        words = (folder / VOCABULARY).read_bytes().decode().split("\n")[:-1]
        return cls(matrix, words)

    def encode(self, names: Iterable[str]) -> Float32s:
        """Return the mean of each name's known words, (n, d) float32."""
        table = tokenize_all(texts_of(names))
        vectors, known = self.token_vectors(table.tokens)
        return means_of_known(table, vectors, known)

    def token_vectors(self, tokens: Sequence[str]) -> tuple[Float32s, NDArray[np.bool_]]:
        """Return the vectors of tokens.

        Returns:
            (u, d) float32 and (u,) bool, false where a token is no known word.
        """
        rows = np.fromiter((self._row.get(token, -1) for token in tokens), np.int64, len(tokens))
        return self._matrix[np.maximum(rows, 0)], rows >= 0


def write(folder: Path, words: Sequence[str], matrix: Float32s) -> None:
    """Write word vectors to a folder for ``WordVectors.load``.

    Args:
        folder: where they go.
        words: u words, each once, without line ends.
        matrix: (u, d) float32.
    """
    with replacing(folder, {"kind": KIND, "dimension": matrix.shape[1]}) as part:
        np.save(part / MATRIX, matrix)
        text = "".join(f"{word}\n" for word in words)
        (part / VOCABULARY).write_text(text, encoding="utf-8", newline="\n")


def convert_text(path: Path, folder: Path) -> None:
    """Write our own copy of a text file of word vectors, plain or ``.gz``.

    The first line says how many words and numbers follow; then a word and its numbers a line. A
    word that an earlier line has is left out; ``meta.json`` says how many there are.

    Raises:
        ValueError: with file and line, for a malformed or truncated file, a value that is not a
            finite number, or nothing but zeros.
    """
    try:
        with _opened(path) as file:
            _convert(file, path, folder)
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"{path} cannot be read: {error}") from error


def _opened(path: Path) -> BinaryIO:
    return cast(BinaryIO, gzip.open(path, "rb")) if path.suffix == ".gz" else path.open("rb")


def _convert(file: BinaryIO, path: Path, folder: Path) -> None:
    count, dimension = _header(file.readline(1000), path)
    seen: set[str] = set()
    told = False  # whether a number is not 0
    meta: dict[str, Any] = {"kind": KIND, "dimension": dimension}
    with (
        replacing(folder, meta) as part,
        (part / MATRIX).open("w+b") as matrix,
        (part / VOCABULARY).open("w", encoding="utf-8", newline="\n") as vocabulary,
    ):
        _write_npy_header(matrix, count, dimension)
        for word, numbers in _rows(file, path, count, dimension):
            if word not in seen:  # the first of equal words counts, as in the usual readers
                seen.add(word)
                vocabulary.write(f"{word}\n")
                matrix.write(numbers.tobytes())
                told = told or bool(numbers.any())
        if not told:
            raise ValueError(f"{path}: every number is 0; give vectors that tell words apart")
        matrix.seek(0)
        _write_npy_header(matrix, len(seen), dimension)
        meta |= repeats(count - len(seen))


def _write_npy_header(file: BinaryIO, rows: int, dimension: int) -> None:
    """Write the header of an .npy file; its length is the same for every number of rows."""
    shape = {"descr": "<f4", "fortran_order": False, "shape": (rows, dimension)}
    np.lib.format.write_array_header_1_0(file, shape)


def _header(line: bytes, path: Path) -> tuple[int, int]:
    try:
        count, dimension = (int(field) for field in line.split())
    except ValueError as error:
        raise ValueError(
            f"{path}, line 1: expected the number of words and the width, two whole numbers"
        ) from error
    if count < 1 or not 1 <= dimension <= _WIDEST:
        raise ValueError(f"{path}, line 1: {count} words of {dimension} numbers are impossible")
    return count, dimension


def _rows(
    file: BinaryIO, path: Path, count: int, dimension: int
) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """Yield each word and its numbers, counted against the header."""
    number = 0
    longest = 1000 + 40 * dimension
    while line := file.readline(longest):
        number += 1
        if number > count:
            raise ValueError(f"{path}, line {number + 1}: more lines than the {count} of line 1")
        yield _row(line, f"{path}, line {number + 1}", dimension)
    if number < count:
        raise ValueError(
            f"{path}, line {number + 1}: the file ends after {number} of {count} words"
        )


def _row(line: bytes, where: str, dimension: int) -> tuple[str, NDArray[np.float32]]:
    fields = line.rstrip().rsplit(b" ", dimension)
    if len(fields) != dimension + 1:
        raise ValueError(f"{where}: expected a word and {dimension} numbers")
    try:
        with np.errstate(over="ignore"):  # found below, as infinite
            numbers = np.array(fields[1:], dtype="<f4")
    except ValueError as error:
        raise ValueError(f"{where}: expected {dimension} numbers after the word") from error
    if not np.isfinite(numbers).all():
        raise ValueError(f"{where}: a value is not a finite number")
    return fields[0].decode("utf-8", errors="replace"), numbers
