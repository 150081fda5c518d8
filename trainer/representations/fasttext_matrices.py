"""fastText vectors from our own memory-mapped copy of the input matrix."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.files.damage import check_finite
from termexplorer.trainer.files.folders import META, replacing
from termexplorer.trainer.representations.base import (
    Float32s,
    Int64s,
    bag_means,
    means_of_known,
    meta_of,
    texts_of,
)
from termexplorer.trainer.representations.fasttext_file import read_bin
from termexplorer.trainer.text.tokenizer import tokenize_all

KIND = "fasttext"
MATRIX, VOCABULARY = "input.npy", "vocabulary.txt"
PARAMETERS = ("dimension", "minn", "maxn", "bucket", "words")

FNV_START, FNV_PRIME = np.uint32(2166136261), np.uint32(16777619)  # of its 32-bit hashes
_LONGEST = 100  # characters of an n-gram
_BLOCK = 65_536  # rows checked for finite values at a time


class FastTextVectors:
    """Vectors of names by fastText: known words and unknown ones from character n-grams.

    Attributes:
        dimension: the width d.
        words: the known words, in the order of the first rows of the matrix.
    """

    kind: ClassVar[str] = KIND

    def __init__(self, matrix: Float32s, words: Sequence[str], minn: int, maxn: int, bucket: int):
        if matrix.ndim != 2 or len(matrix) != len(words) + bucket:
            raise TrainerError(
                "{words} words and {bucket} buckets do not fit a matrix of {shape}",
                words=len(words),
                bucket=bucket,
                shape=matrix.shape,
            )
        self.dimension = int(matrix.shape[1])
        self.words = tuple(words)
        self._matrix = matrix
        self._row = {word: row for row, word in enumerate(words)}
        self._minn, self._maxn, self._bucket = minn, maxn, bucket

    @classmethod
    def load(cls, folder: Path, *, verify: bool = True) -> Self:
        """Open a folder that ``write_model`` has written.

        Raises:
            ValueError: for a folder of another kind, or one that has changed.
        """
        meta = meta_of(folder, cls.kind, verify=verify)
        matrix = np.load(folder / MATRIX, mmap_mode="c", allow_pickle=False)
        words = (folder / VOCABULARY).read_text(encoding="utf-8").split("\n")[:-1]
        _check_shape(folder, matrix, meta, len(words))
        if verify:
            check_finite(matrix, folder / MATRIX)
        return cls(matrix, words, meta["minn"], meta["maxn"], meta["bucket"])

    def encode(self, names: Iterable[str]) -> Float32s:
        """Return the mean of each name's token vectors, (n, d) float32."""
        table = tokenize_all(texts_of(names))
        vectors, known = self.token_vectors(table.tokens)
        return means_of_known(table, vectors, known)

    def token_vectors(self, tokens: Sequence[str]) -> tuple[Float32s, NDArray[np.bool_]]:
        """Return fastText's vectors of tokens.

        Returns:
            (u, d) float32 and (u,) bool, false where a token is unknown and has no n-gram.
        """
        rows, starts = self._rows_of(tokens)
        return bag_means(self._matrix, rows, starts), np.diff(starts) > 0

    def _rows_of(self, tokens: Sequence[str]) -> tuple[Int64s, Int64s]:
        """Return the rows that make up each token: its own, if known, and those of its n-grams."""
        own_rows = np.fromiter(
            (self._row.get(token, -1) for token in tokens), np.int64, len(tokens)
        )
        known = np.flatnonzero(own_rows >= 0)
        owners, hashes = np.zeros(0, np.int64), np.zeros(0, np.int64)
        if self._bucket and self._maxn > 0:
            owners, hashes = ngram_hashes(tokens, self._minn, self._maxn)
            hashes = hashes % self._bucket + len(self.words)
        owners = np.concatenate((known, owners))
        order = np.argsort(owners, kind="stable")
        sizes = np.bincount(owners, minlength=len(tokens))
        starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        return np.concatenate((own_rows[known], hashes))[order], starts


def _check_shape(folder: Path, matrix: Float32s, meta: dict[str, Any], words: int) -> None:
    minn, maxn, bucket, width = (meta[name] for name in ("minn", "maxn", "bucket", "dimension"))
    sizes = (minn, maxn, bucket, width)
    whole = all(isinstance(size, int) and size >= 0 for size in sizes)
    if not whole or max(minn, maxn) > _LONGEST or width < 1:
        raise TrainerError(
            "{file} has impossible lengths of n-grams, or widths: {sizes}",
            file=folder / META,
            sizes=sizes,
        )
    expected = (words + meta["bucket"], meta["dimension"])
    if matrix.shape != expected or matrix.dtype != np.float32:
        raise TrainerError(
            "{file} is {dtype} {shape}, not float32 {expected}",
            file=folder / MATRIX,
            dtype=matrix.dtype,
            shape=matrix.shape,
            expected=expected,
        )


def ngram_hashes(tokens: Sequence[str], minn: int, maxn: int) -> tuple[Int64s, Int64s]:
    """Return the hashes of the character n-grams of ``<token>`` as fastText takes them.

    32-bit FNV-1a over UTF-8 bytes, each taken as a signed number, which is fastText's own quirk.
    Neither ``<`` nor ``>`` alone is an n-gram.

    Returns:
        (h,) int64 token numbers and (h,) int64 hashes, before the modulus.
    """
    encoded = [b"<" + token.encode("utf-8") + b">" for token in tokens]
    lengths = np.fromiter(map(len, encoded), np.int64, len(encoded))
    ends = np.cumsum(lengths)
    text = np.frombuffer(b"".join(encoded) + b"\0", dtype=np.uint8)
    inside = (text & 0xC0) == 0x80  # inside a character of several bytes
    signed = text.view(np.int8).astype(np.int32).view(np.uint32)
    start = np.flatnonzero(~inside[:-1])
    owner = np.repeat(np.arange(len(tokens)), lengths)[start]
    end = ends[owner]
    position = start.copy()
    value = np.full(len(start), FNV_START)
    owners, hashes = [], []
    for n in range(1, maxn + 1):
        live = position < end
        start, owner, end = start[live], owner[live], end[live]
        position, value = _one_character_on(position[live], value[live], signed, inside)
        bracket = (n == 1) & ((start == end - lengths[owner]) | (position == end))
        if n >= minn:
            owners.append(owner[~bracket])
            hashes.append(value[~bracket].astype(np.int64))
    if not owners:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    return np.concatenate(owners), np.concatenate(hashes)


def _one_character_on(
    position: Int64s,
    value: NDArray[np.uint32],
    signed: NDArray[np.uint32],
    inside: NDArray[np.bool_],
) -> tuple[Int64s, NDArray[np.uint32]]:
    """Take the next character, of one to four bytes, into each hash."""
    value = (value ^ signed[position]) * FNV_PRIME
    position = position + 1
    more = np.flatnonzero(inside[position])
    while len(more):
        value[more] = (value[more] ^ signed[position[more]]) * FNV_PRIME
        position[more] += 1
        more = more[inside[position[more]]]
    return position, value


def convert_bin(path: Path, folder: Path) -> None:
    """Write our own copy of a fastText ``.bin`` model, without the library fastText.

    Raises:
        ValueError: for a file that is no sound fastText model.
    """
    if not path.is_file():
        raise TrainerError("{path} is no file; give a fastText .bin model", path=path)
    model = read_bin(path)
    _write_vectors(model.words, model.matrix, (model.minn, model.maxn), folder, KIND)


def write_model(model: Any, folder: Path, kind: str = KIND) -> None:
    """Write the input matrix of an open fastText model, after checking sizes and values.

    Args:
        model: as the library fastText trains it.
        folder: where the vectors go.
        kind: of the folder, which says how they are to be read.

    Raises:
        ValueError: for sizes that do not fit, quantised models, or values that are not finite.
    """
    if model.is_quantized():
        raise TrainerError("it is quantised; give the model as it was before that")
    args = model.f.getArgs()
    words = list(model.get_words(on_unicode_error="replace"))
    matrix = model.get_input_matrix()
    _check_sizes(matrix, words, args)
    _write_vectors(words, matrix, (int(args.minn), int(args.maxn)), folder, kind)


def _write_vectors(
    words: Sequence[str], matrix: Float32s, ngrams: tuple[int, int], folder: Path, kind: str
) -> None:
    sizes = (matrix.shape[1], *ngrams, len(matrix) - len(words), len(words))
    with replacing(folder, {"kind": kind, **dict(zip(PARAMETERS, sizes, strict=True))}) as part:
        np.save(part / MATRIX, np.asarray(matrix, dtype=np.float32), allow_pickle=False)
        text = "".join(f"{word}\n" for word in words)
        (part / VOCABULARY).write_text(text, encoding="utf-8", newline="\n")


def _check_sizes(matrix: Float32s, words: Sequence[str], args: Any) -> None:
    if not words or not 0 <= args.minn <= max(args.maxn, args.minn) <= 100:
        raise TrainerError("it has no words, or impossible lengths of n-grams")
    bucket = len(matrix) - len(words)
    if matrix.ndim != 2 or matrix.shape[1] != args.dim or bucket not in (0, args.bucket):
        raise TrainerError(
            "its matrix of {shape} does not fit {words} words", shape=matrix.shape, words=len(words)
        )
    for start in range(0, len(matrix), _BLOCK):
        if not np.isfinite(matrix[start : start + _BLOCK]).all():
            raise TrainerError("its vectors are not all finite numbers")
