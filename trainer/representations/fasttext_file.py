"""Read fastText ``.bin`` files, with a check of all they say, which the library takes on trust."""

from __future__ import annotations

import math
import mmap
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import Message, TrainerError

_MAGIC = 793_712_314
_VERSIONS = (11, 12)  # 0.9 refuses later ones; earlier ones have no such head
_ARGUMENTS = (
    *("dim", "ws", "epoch", "minCount", "neg", "wordNgrams"),
    *("loss", "model", "bucket", "minn", "maxn", "lrUpdateRate"),
)
# lowest and highest; for the others anything from 0
_RANGES = {"dim": (1, 100_000), "loss": (1, 4), "model": (1, 3), "minn": (0, 100), "maxn": (0, 100)}
_SUPERVISED = 3
_ENTRY = struct.Struct("<qb")  # count and type of a word, after its name
_MOST = 10**15  # fastText's Huffman tree takes no greater count
_BLOCK = 1 << 22  # values checked for being finite at a time


@dataclass(frozen=True, slots=True)
class FastTextModel:
    """What encodes names in a model.

    Attributes:
        words: the known words, in the order of the first rows.
        matrix: (words + buckets, d) float32, memory-mapped.
        minn: the fewest characters of an n-gram.
        maxn: the most of them, 0 for no n-grams.
    """

    words: tuple[str, ...]
    matrix: NDArray[np.float32]
    minn: int
    maxn: int


def read_bin(path: Path) -> FastTextModel:
    """Read words and input matrix of a fastText ``.bin`` model, and check all parts of the file.

    Raises:
        ValueError: for a file whose parts do not fit each other or its length, or a quantised one.
    """
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            walk = _Walk(data)
            walk.read_parts()
        rows = np.memmap(path, "<f4", "r", walk.matrix_offset, walk.matrix_shape)
    except NotImplementedError as error:
        raise TrainerError(
            "{path} is no sound fastText model: {error}", path=path, error=error
        ) from error
    except (OSError, ValueError) as error:
        raise TrainerError(
            "{path} is no sound fastText model: {error}; fetch it again", path=path, error=error
        ) from error
    return FastTextModel(tuple(walk.words), rows, walk.arguments["minn"], walk.arguments["maxn"])


class _Walk:
    """An offset in a file that moves on with each part found sound.

    Attributes:
        arguments: what the model was trained with.
        words: without labels.
        matrix_offset: where the values of the input matrix begin.
        matrix_shape: its rows and columns.
    """

    def __init__(self, data: mmap.mmap):
        self._data = data
        self._offset = 0
        self.arguments: dict[str, int] = {}
        self.words: list[str] = []
        self.matrix_offset = 0
        self.matrix_shape = (0, 0)

    def read_parts(self) -> None:
        """Walk from the head to the end.

        Raises:
            ValueError: for a part that cannot be, or bytes after the end.
        """
        arguments = self.arguments = self._head()
        words, labels = self._dictionary()
        rows = {words + arguments["bucket"]}
        if arguments["maxn"] == 0:
            rows.add(words)
        self.matrix_shape = self._matrix(Message("input"), rows, arguments["dim"])
        self.matrix_offset = self._offset - 4 * self.matrix_shape[0] * self.matrix_shape[1]
        if self._take("?", Message("the kind of its output matrix"))[0]:
            raise TrainerError("its output matrix is quantised and its input matrix is not")
        outputs = labels if arguments["model"] == _SUPERVISED else words
        self._matrix(Message("output"), {outputs}, arguments["dim"])
        if self._offset != len(self._data):
            raise TrainerError("{bytes} bytes follow its end", bytes=len(self._data) - self._offset)

    def _take(self, layout: str, part: str) -> tuple[Any, ...]:
        """Return the values at this place, little-endian and without padding."""
        start = self._skip(struct.calcsize("<" + layout), part)
        return struct.unpack_from("<" + layout, self._data, start)

    def _skip(self, size: int, part: str) -> int:
        """Move on by some bytes that have to be there, and return where they start."""
        start = self._offset
        if size > len(self._data) - start:
            raise TrainerError(
                "it ends after {bytes} bytes, within {what}", bytes=len(self._data), what=part
            )
        self._offset += size
        return start

    def _head(self) -> dict[str, int]:
        magic, version = self._take("2i", Message("its head"))
        if magic != _MAGIC:
            raise TrainerError("it does not start as one does")
        if version not in _VERSIONS:
            raise TrainerError("its version is {version}, not 11 or 12", version=version)
        *numbers, threshold = self._take("12id", Message("its head"))
        arguments = dict(zip(_ARGUMENTS, numbers, strict=True))
        for name, value in arguments.items():
            low, high = _RANGES.get(name, (0, 2**31))
            if not low <= value <= high:
                raise TrainerError("its {name} cannot be {value}", name=name, value=value)
        if not math.isfinite(threshold):
            raise TrainerError("its t cannot be {threshold}", threshold=threshold)
        if arguments["minn"] <= arguments["maxn"] > 0 == arguments["bucket"]:
            raise TrainerError("it has character n-grams but no bucket for them")
        return arguments

    def _dictionary(self) -> tuple[int, int]:
        """Return the numbers of words and labels, after a look at every one."""
        size, words, labels, _, pruned = self._take("3i2q", Message("the head of its dictionary"))
        if min(words - 1, labels) < 0 or size != words + labels:
            raise TrainerError(
                "its dictionary of {size} cannot have {words} words, {labels} labels",
                size=size,
                words=words,
                labels=labels,
            )
        self._entries(words, size)
        self._skip(8 * max(pruned, 0), Message("its dictionary"))
        if self._take("?", Message("the kind of its input matrix"))[0]:
            raise NotImplementedError(
                Message("it is quantised; give the model as it was before that")
            )
        if pruned >= 0:
            raise TrainerError("its dictionary is pruned, but its matrix is not quantised")
        return words, labels

    def _entries(self, words: int, size: int) -> None:
        """Walk through words, which come first, and labels; there may be millions."""
        data, position, last = self._data, self._offset, len(self._data) - _ENTRY.size
        for number in range(size):
            end = data.find(b"\0", position)
            if not 0 <= end < last:
                raise TrainerError(
                    "it ends within its dictionary, at word {number} of {size}",
                    number=number + 1,
                    size=size,
                )
            count, kind = _ENTRY.unpack_from(data, end + 1)
            if kind != (number >= words) or not 0 <= count <= _MOST or b"\n" in data[position:end]:
                raise TrainerError("word {number} of its dictionary is damaged", number=number + 1)
            if number < words:
                self.words.append(str(data[position:end], "utf-8", "replace"))
            position = end + 1 + _ENTRY.size
        self._offset = position

    def _matrix(self, matrix_name: str, rows: set[int], dimension: int) -> tuple[int, int]:
        """Walk over a matrix of finite values, and return its rows and columns."""
        shape = self._take("2q", Message("its {what} matrix", what=matrix_name))
        if shape[0] not in rows or shape[1] != dimension:
            expected = f"{max(rows)} x {dimension}"
            raise TrainerError(
                "its {what} matrix is {rows} x {columns}, not {expected}",
                what=matrix_name,
                rows=shape[0],
                columns=shape[1],
                expected=expected,
            )
        start = self._skip(4 * shape[0] * dimension, Message("its {what} matrix", what=matrix_name))
        for offset in range(start, self._offset, 4 * _BLOCK):
            part = self._data[offset : min(offset + 4 * _BLOCK, self._offset)]
            if not np.isfinite(np.frombuffer(part, "<f4")).all():
                raise TrainerError("its {what} matrix is not all finite numbers", what=matrix_name)
        return shape[0], shape[1]
