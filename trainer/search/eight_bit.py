"""Unit vectors in 8 bits on the disk, memory-mapped, and searched exactly by blocks.

A row is ``round(127 x / max|x|)``; the cosine of two rows is their integer product over both
lengths. Products are exact in 32-bit integers, and in float32 up to 1,040 dimensions (127² · 1,040
< 2²⁴), so that one query, a block of them and any split of the rows give the same cosines.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.files.block_folder import BlockFolder
from termexplorer.trainer.files.folders import read_meta
from termexplorer.trainer.tensors.cores import count_cores

Float32s = NDArray[np.float32]
Int8s = NDArray[np.int8]
Int64s = NDArray[np.int64]

KIND = "eight-bit"
BLOCK_ROWS = 65_536
_LARGEST = 127


@dataclass(frozen=True)
class NearestRows:
    """The k nearest rows of each of q queries.

    Attributes:
        rows: (q, k) int64.
        cosines: (q, k) float32, falling; equal ones by rising row.
    """

    rows: Int64s
    cosines: Float32s

    def merge(self, later: NearestRows, k: int) -> NearestRows:
        """Return the k nearest of two parts, exactly what both searched as one give."""
        rows = np.concatenate([self.rows, later.rows], axis=1)
        cosines = np.concatenate([self.cosines, later.cosines], axis=1)
        order = np.lexsort((rows, -cosines), axis=1)[:, :k]
        return NearestRows(*(np.take_along_axis(table, order, axis=1) for table in (rows, cosines)))


class EightBitVectors:
    """n vectors of d dimensions in a folder; a zero row is a name of which nothing is known.

    Attributes:
        folder: where they are.
        shape: (n, d).
        seconds: what one query took, right after the rows were written.
    """

    def __init__(self, folder: Path, meta: Mapping[str, Any]) -> None:
        self.folder = folder
        self.shape = (int(meta["count"]), int(meta["dimension"]))
        self.seconds = float(meta["seconds"])
        self._block_rows = int(meta["block_rows"])
        self._blocks = [
            _map_rows(folder / _rows_name(number), rows, self.shape[1])
            for number, rows in _block_sizes(self.shape[0], self._block_rows)
        ]
        self._inverse = np.concatenate([_inverse_lengths(folder, n) for n in self._numbers()])
        if len(self._inverse) != self.shape[0]:
            _refuse_changed(folder)

    @classmethod
    def load(cls, folder: Path) -> EightBitVectors:
        """Open a folder that `write_eight_bit` made; sizes are compared, contents are not read.

        Raises:
            ValueError: files are missing, or of another size.
        """
        meta = read_meta(folder, verify=False)
        if meta.get("kind") != KIND:
            raise TrainerError("{folder} holds no 8-bit vectors", folder=folder)
        return cls(folder, meta)

    def __len__(self) -> int:
        return self.shape[0]

    def __matmul__(self, vector: Float32s) -> Float32s:
        """Return the cosine of each row with a vector (d,) of any length, (n,)."""
        quantized, inverse = quantize(np.asarray(vector, np.float32)[None])
        products = np.empty(self.shape[0], np.int32)
        self._multiply(quantized[0], products)
        return _as_cosines(products, self._inverse, inverse)

    def cosines_of(self, rows: Int64s, vector: Float32s) -> Float32s:
        """Return the cosine of some rows (m,) with a vector (d,) of any length, (m,)."""
        quantized, inverse = quantize(np.asarray(vector, np.float32)[None])
        products = self._integers(rows).astype(np.float32) @ quantized[0].astype(np.float32)
        return _as_cosines(products, self._inverse[rows], inverse)

    def __getitem__(self, rows: Int64s) -> Float32s:
        """Return rows at unit length, (m, d) float32."""
        units: Float32s = self._integers(rows).astype(np.float32) * self._inverse[rows, None]
        return units

    def read_rows(self, rows: Int64s) -> tuple[Int8s, Float32s]:
        """Return rows as they are stored, (m, d), and one over the length of each, (m,)."""
        return self._integers(rows), self._inverse[rows]

    def _integers(self, rows: Int64s) -> Int8s:
        """Return rows as they are stored, (m, d)."""
        integers = np.empty((len(rows), self.shape[1]), np.int8)
        numbers, offsets = np.divmod(rows, self._block_rows)
        for number in np.unique(numbers):
            is_here = numbers == number
            integers[is_here] = self._blocks[number][offsets[is_here]]
        return integers

    def _numbers(self) -> range:
        return range(len(self._blocks))

    def _multiply(self, vector: Int8s, products: NDArray[np.int32]) -> None:
        from termexplorer.trainer.search.eight_bit_kernel import multiply_rows

        def multiply(number: int) -> None:
            start = number * self._block_rows
            block = self._blocks[number]
            multiply_rows(block, vector, products[start : start + len(block)])

        with ThreadPoolExecutor(count_cores()) as threads:
            list(threads.map(multiply, self._numbers()))


def write_eight_bit(
    folder: Path,
    identity: Mapping[str, Any],
    count: int,
    encode: Callable[[int, int], Float32s],
    block_rows: int = BLOCK_ROWS,
) -> EightBitVectors:
    """Write vectors block by block; after a kill the next call goes on where it was.

    Args:
        folder: where they go.
        identity: what they are vectors of; what was begun of anything else is thrown away.
        count: n rows.
        encode: returns the vectors of rows from one number to before another, of any length.
        block_rows: of a block.
    """
    begun = BlockFolder(folder, {**identity, "count": count, "block_rows": block_rows})
    for number, rows in _block_sizes(count, block_rows):
        start = number * block_rows
        begun.write(
            _rows_name(number),
            lambda path, start=start, rows=rows: quantize(encode(start, start + rows))[0].tofile(  # type: ignore[misc]
                path
            ),
        )
    dimension = (begun.path(_rows_name(0)).stat().st_size // min(count, block_rows)) if count else 0
    meta = {"kind": KIND, "count": count, "dimension": dimension, "block_rows": block_rows}
    for number, rows in _block_sizes(count, block_rows):
        block = _map_rows(begun.path(_rows_name(number)), rows, dimension)
        begun.write(_lengths_name(number), _inverse_lengths_of(block).tofile)
    seconds = _time_query(EightBitVectors(begun.part, {**meta, "seconds": 0.0}))
    begun.finish({**meta, "seconds": seconds})
    return EightBitVectors.load(folder)


def quantize(vectors: Float32s) -> tuple[Int8s, Float32s]:
    """Return (q, d) vectors in 8 bits, and one over the length of each as it is now, (q,)."""
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    factors = np.divide(_LARGEST, largest, out=np.zeros_like(largest), where=largest > 0)
    rows = np.rint(vectors * factors).astype(np.int8)
    return rows, _inverse_lengths_of(rows)


def _inverse_lengths_of(rows: Int8s) -> Float32s:
    squares = np.square(rows.astype(np.float32)).sum(axis=1)
    lengths = np.sqrt(squares)
    inverse: Float32s = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return inverse


def _as_cosines(products: NDArray[Any], lengths: Float32s, inverse: Float32s) -> Float32s:
    cosines = products.astype(np.float32)
    cosines *= lengths
    cosines *= inverse
    return cosines


def _block_sizes(count: int, block_rows: int) -> Iterator[tuple[int, int]]:
    for number, start in enumerate(range(0, count, block_rows)):
        yield number, min(block_rows, count - start)


def _rows_name(number: int) -> str:
    return f"{number:05d}.rows"


def _lengths_name(number: int) -> str:
    return f"{number:05d}.lengths"


def _map_rows(path: Path, rows: int, dimension: int) -> Int8s:
    if path.stat().st_size != rows * dimension:
        _refuse_changed(path)
    return np.asarray(np.memmap(path, np.int8, "r", shape=(rows, dimension)))


def _inverse_lengths(folder: Path, number: int) -> Float32s:
    return np.fromfile(folder / _lengths_name(number), np.float32)


def _refuse_changed(path: Path) -> NoReturn:
    raise TrainerError(
        "{path} has changed since it was written; make {parent} anew",
        path=path,
        parent=path.parent,
    )


def _time_query(vectors: EightBitVectors) -> float:
    """Return the seconds of a query, once the rows have been read."""
    seconds = 0.0
    for _ in range(2):
        start = time.perf_counter()
        _ = vectors @ np.ones(vectors.shape[1], np.float32)
        seconds = time.perf_counter() - start
    return seconds
