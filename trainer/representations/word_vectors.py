"""Word vectors in the text and binary formats of word2vec, in fastText's and in GloVe's."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Self

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.files.damage import check_finite
from termexplorer.trainer.files.folders import replacing
from termexplorer.trainer.representations.base import (
    Float32s,
    means_of_known,
    meta_of,
    repeats,
    texts_of,
)
from termexplorer.trainer.text.gzip_files import open_plain_or_gzip
from termexplorer.trainer.text.tokenizer import tokenize_all

KIND = "words"
MATRIX, VOCABULARY = "vectors.npy", "vocabulary.txt"
_WIDEST = 20_000
_LONGEST_WORD, _CHUNK = 1_000, 1 << 20  # bytes
_LONGEST_LINE = _LONGEST_WORD + 40 * _WIDEST
_LEAST_TEXT = 32  # the codes of control characters are below
_BOM = b"\xef\xbb\xbf"
_HEADER = re.compile(rb"(?:\xef\xbb\xbf)?[+-]?\d{1,18}\s+[+-]?\d{1,18}[ \t\r]*\n")


class WordVectors:
    """Vectors of names from word vectors; unknown words are left out of the mean.

    Attributes:
        dimension: the width d.
        words: the known words, in the order of the rows.
    """

    def __init__(self, matrix: Float32s, words: Sequence[str]):
        if matrix.ndim != 2 or len(matrix) != len(words):
            raise TrainerError(
                "{words} words do not fit a matrix of {shape}", words=len(words), shape=matrix.shape
            )
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
        if verify:
            check_finite(matrix, folder / MATRIX)
        if matrix.ndim != 2 or len(matrix) != len(words):
            raise TrainerError(
                "{file} does not fit its {words} words", file=folder / MATRIX, words=len(words)
            )
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
    """Write our own copy of a file of word vectors, plain or ``.gz``.

    The first line says how many words and numbers follow, but for GloVe's, which have no such line;
    then comes a word and its numbers a line, or in word2vec's binary format a word and the bytes of
    its numbers. A word that an earlier line has is left out; ``meta.json`` says how many there are.

    Raises:
        ValueError: with file and line, for a malformed or truncated file, a value that is not a
            finite number, or nothing but zeros.
    """
    try:
        with open_plain_or_gzip(path) as file:
            _convert_file(file, path, folder)
    except (OSError, EOFError, zlib.error) as error:
        raise TrainerError("{path} cannot be read: {error}", path=path, error=error) from error


def is_word2vec(path: Path) -> bool:
    """Return whether a file begins as word vectors do: with how many there are, and how wide."""
    try:
        with path.open("rb") as file:
            return _HEADER.match(file.read(_LONGEST_WORD)) is not None
    except OSError:
        return False


def _convert_file(file: BinaryIO, path: Path, folder: Path) -> None:
    reader = _VectorFile(file, path)
    dimension = reader.dimension
    seen: set[str] = set()
    has_nonzero = False  # whether a number is not 0
    meta: dict[str, Any] = {"kind": KIND, "dimension": dimension}
    with (
        replacing(folder, meta) as part,
        (part / MATRIX).open("w+b") as matrix,
        (part / VOCABULARY).open("w", encoding="utf-8", newline="\n") as vocabulary,
    ):
        _write_npy_header(matrix, reader.count or 0, dimension)
        for word, numbers in reader.rows():
            if word not in seen:  # the first of equal words counts, as in the usual readers
                seen.add(word)
                vocabulary.write(f"{word}\n")
                matrix.write(numbers.tobytes())
                has_nonzero = has_nonzero or bool(numbers.any())
        if not has_nonzero:
            raise TrainerError(
                "{path}: every number is 0; give vectors that tell words apart", path=path
            )
        matrix.seek(0)
        _write_npy_header(matrix, len(seen), dimension)
        meta |= repeats(reader.read - len(seen))


def _write_npy_header(file: BinaryIO, rows: int, dimension: int) -> None:
    """Write the header of an .npy file; its length is the same for every number of rows."""
    shape = {"descr": "<f4", "fortran_order": False, "shape": (rows, dimension)}
    np.lib.format.write_array_header_1_0(file, shape)


class _VectorFile:
    """A file of word vectors that is read once.

    Attributes:
        count: How many words its first line says there are; None where it says nothing.
        dimension: How many numbers each has.
        read: How many words were read.
    """

    def __init__(self, file: BinaryIO, path: Path) -> None:
        self._file, self._path = file, path
        self.read = 0
        self.count: int | None
        line = file.readline(_LONGEST_LINE).removeprefix(_BOM)
        self._first = b""
        if _HEADER.match(line):
            self.count, self.dimension = self._header(line)
        else:
            self.count, self.dimension = None, _count_numbers(line)
            self._first = line
            if not self.dimension:
                raise TrainerError(
                    "{path}, line 1: expected the number of words and the width, "
                    "two whole numbers, or a word and its numbers",
                    path=path,
                )

    def rows(self) -> Iterator[tuple[str, NDArray[np.float32]]]:
        """Yield each word and its numbers, counted against the first line."""
        if self.count is None:
            yield self._counted(_parse_row(self._first, self._path, 1, self.dimension))
            yield from self._text_rows(b"", 1)
            return
        start = self._file.read(_LONGEST_WORD + 40 * self.dimension)
        if _is_binary(start, self.dimension):
            yield from self._binary_rows(start)
        else:
            yield from self._text_rows(start, 1)
        if self.read < self.count:
            raise TrainerError(
                "{path}, line {line}: the file ends after {read} of {count} words",
                path=self._path,
                line=self.read + 1,
                read=self.read,
                count=self.count,
            )

    def _header(self, line: bytes) -> tuple[int, int]:
        count, dimension = (int(field) for field in line.split())
        if count < 1 or not 1 <= dimension <= _WIDEST:
            raise TrainerError(
                "{path}, line 1: {count} words of {dimension} numbers are impossible",
                path=self._path,
                count=count,
                dimension=dimension,
            )
        return count, dimension

    def _counted(self, row: tuple[str, NDArray[np.float32]]) -> tuple[str, NDArray[np.float32]]:
        self.read += 1
        return row

    def _text_rows(self, start: bytes, before: int) -> Iterator[tuple[str, NDArray[np.float32]]]:
        for number, line in enumerate(self._lines(start), before + 1):
            if self.count is not None and self.read == self.count:
                raise TrainerError(
                    "{path}, line {number}: more lines than the {count} of line 1",
                    path=self._path,
                    number=number,
                    count=self.count,
                )
            yield self._counted(_parse_row(line, self._path, number, self.dimension))

    def _lines(self, start: bytes) -> Iterator[bytes]:
        """Yield the lines; what was read ahead comes first."""
        longest = _LONGEST_WORD + 40 * self.dimension
        *whole, rest = start.split(b"\n")
        yield from (line + b"\n" for line in whole)
        if rest := rest + (self._file.readline(longest) if rest else b""):
            yield rest
        while line := self._file.readline(longest):
            yield line

    def _binary_rows(self, data: bytes) -> Iterator[tuple[str, NDArray[np.float32]]]:
        size, position = 4 * self.dimension, 0
        while self.count is not None and self.read < self.count:
            if len(data) - position < _LONGEST_WORD + size:
                data, position = data[position:] + self._file.read(_CHUNK + size), 0
            position += len(data[position : position + 2]) - len(
                data[position : position + 2].lstrip(b"\n")
            )
            end = data.find(b" ", position, position + _LONGEST_WORD)
            if end < 0 or len(data) < end + 1 + size:
                raise TrainerError(
                    "{path}: binary word vectors that end after {read} of {count} "
                    "words; fetch the file again",
                    path=self._path,
                    read=self.read,
                    count=self.count,
                )
            numbers = np.frombuffer(data, "<f4", self.dimension, end + 1)
            if not np.isfinite(numbers).all():
                raise TrainerError(
                    "{path}, word {line}: a value is not a finite number",
                    path=self._path,
                    line=self.read + 1,
                )
            yield self._counted((data[position:end].decode("utf-8", "replace"), numbers))
            position = end + 1 + size
        if (data[position:] + self._file.read(_CHUNK)).strip(b"\n"):
            raise TrainerError(
                "{path}: more follows than the {count} words of line 1",
                path=self._path,
                count=self.count,
            )


def _is_binary(start: bytes, dimension: int) -> bool:
    """Return whether the bytes after the first line are no row of text, nor one that is odd."""
    try:
        _parse_row(start.partition(b"\n")[0], Path(), 1, dimension)
    except ValueError:
        return any(byte < _LEAST_TEXT and byte not in b"\t\n\r" for byte in start)
    return False


def _count_numbers(line: bytes) -> int:
    """Return how many numbers follow the word of a line; 0 where there is no such line."""
    fields = line.split()
    count = 0
    while count < min(len(fields) - 1, _WIDEST) and _is_number(fields[-1 - count]):
        count += 1
    return count if count > 1 else 0


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return b"_" not in field


def _parse_row(
    line: bytes, path: Path, number: int, dimension: int
) -> tuple[str, NDArray[np.float32]]:
    fields = line.rstrip().rsplit(b" ", dimension)
    if len(fields) != dimension + 1:
        raise TrainerError(
            "{path}, line {number}: expected a word and {dimension} numbers",
            path=path,
            number=number,
            dimension=dimension,
        )
    try:
        with np.errstate(over="ignore"):  # found below, as infinite
            numbers = np.array(fields[1:], dtype="<f4")
    except ValueError as error:
        raise TrainerError(
            "{path}, line {number}: expected {dimension} numbers after the word",
            path=path,
            number=number,
            dimension=dimension,
        ) from error
    if not np.isfinite(numbers).all():
        raise TrainerError(
            "{path}, line {number}: a value is not a finite number", path=path, number=number
        )
    return fields[0].decode("utf-8", errors="replace"), numbers
