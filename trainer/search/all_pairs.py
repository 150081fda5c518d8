"""All rows of one table ranked for each row of another, by blocks, exactly, on any device.

Rows are of 8 bits, see `eight_bit`: their products are whole numbers that floating point holds
exactly, so that every device, every block and every split of the rows give the same cosines, bit by
bit, and what parts came to is merged to what the whole comes to.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.search.eight_bit import NearestRows, quantize
from termexplorer.trainer.search.ties import largest
from termexplorer.trainer.tensors.products import multiply_each

Float32s = NDArray[np.float32]
Int8s = NDArray[np.int8]
Int64s = NDArray[np.int64]

_EXACT_WIDTH = 1_040  # 127² · 1,040 < 2²⁴; above it products are of double precision
_ROWS, _COLUMNS = 1_024, 8_192  # of a block of cosines
_ROWS_ON_GPU, _COLUMNS_ON_GPU = 16_384, 32_768
_TABLES = 3  # of the size of a block of cosines, at most at once
_MEASURED_SECONDS = 0.3
_MEASURED_BLOCKS = 8


class EightBitRows(Protocol):
    """Rows of 8 bits, wherever they lie."""

    @property
    def shape(self) -> tuple[int, int]:
        """(n, d)."""
        ...

    def read_rows(self, rows: Int64s) -> tuple[Int8s, Float32s]:
        """Return some rows (m, d), and one over the length of each, (m,)."""
        ...


class RoundedRows:
    """Rows in memory, rounded to 8 bits as they are stored.

    Args:
        rows: (n, d), as `quantize` returns them.
        inverse: (n,) likewise.
    """

    def __init__(self, rows: Int8s, inverse: Float32s) -> None:
        self._rows, self._inverse = rows, inverse
        self.shape: tuple[int, int] = (rows.shape[0], rows.shape[1])

    @classmethod
    def of(cls, vectors: Float32s) -> RoundedRows:
        """Round vectors of any length, (n, d) float32."""
        return cls(*quantize(vectors))

    def read_rows(self, rows: Int64s) -> tuple[Int8s, Float32s]:
        """Return some rows (m, d), and one over the length of each, (m,)."""
        return self._rows[rows], self._inverse[rows]


@dataclass(frozen=True, slots=True)
class PairsPlan:
    """What ranking all pairs takes.

    Attributes:
        rows: for each of which is ranked.
        columns: what is ranked for each.
        width: of the vectors.
        device: as PyTorch calls it.
        operations: multiplications and additions.
        blocks: of cosines, one after the other.
        memory: bytes of a block and what is made of it.
        seconds: estimated from blocks that were measured on this device, just before.
    """

    rows: int
    columns: int
    width: int
    device: str
    operations: int
    blocks: int
    memory: int
    seconds: float


class CosineBlock(NamedTuple):
    """Cosines of all rows of a part and some columns.

    Attributes:
        start: the first of the columns.
        cosines: (q, b) float32, on the device.
    """

    start: int
    cosines: Tensor


def count_block_rows(device: str) -> tuple[int, int]:
    """Return how many rows and columns a block of cosines has."""
    return (_ROWS, _COLUMNS) if device == "cpu" else (_ROWS_ON_GPU, _COLUMNS_ON_GPU)


def compute_blocks(
    left: EightBitRows, of_left: Int64s, right: EightBitRows, of_right: Int64s, device: str = "cpu"
) -> Iterator[CosineBlock]:
    """Yield the cosines of some rows and others, columns block by block.

    Args:
        left: whose rows are asked for.
        of_left: (q,) which of them; as many as a block has rows, at most.
        right: whose rows are ranked.
        of_right: (c,) which of them.
        device: where it is done.

    Raises:
        ValueError: their widths differ.
    """
    if left.shape[1] != right.shape[1]:
        raise TrainerError(
            "queries of {shape} and candidates of {other_shape} differ",
            shape=left.shape,
            other_shape=right.shape,
        )
    rows, row_lengths = _to_device(left, of_left, device)
    step = count_block_rows(device)[1]
    for start in range(0, len(of_right), step):
        columns, lengths = _to_device(right, of_right[start : start + step], device)
        yield CosineBlock(
            start, _as_cosines(multiply_each(rows, columns), lengths, row_lengths[:, None])
        )


def compute_pairs(
    left: EightBitRows, of_left: Int64s, right: EightBitRows, of_right: Int64s
) -> Tensor:
    """Return the cosine of each of p pairs, (p,) float32, bit by bit those of `compute_blocks`."""
    cosines = torch.empty(len(of_left))
    for start in range(0, len(of_left), _COLUMNS):
        part = slice(start, start + _COLUMNS)
        rows, row_lengths = _to_device(left, of_left[part], "cpu")
        columns, lengths = _to_device(right, of_right[part], "cpu")
        cosines[part] = _as_cosines((rows * columns).sum(1), lengths, row_lengths)
    return cosines


def rank_all_pairs(
    left: EightBitRows,
    right: EightBitRows,
    k: int,
    *,
    rows: range | None = None,
    columns: range | None = None,
    but_itself: bool = False,
    device: str = "cpu",
    tick: Callable[[float], None] = lambda done: None,
) -> NearestRows:
    """Return the k nearest rows of one table for each row of another, in memory of a block.

    Args:
        left: for whose rows is ranked.
        right: whose rows are ranked.
        k: how many to keep; of fewer all.
        rows: only for these of the left; parts, one after the other, are what all come to.
        columns: only these of the right; parts, merged, are what all come to.
        but_itself: leave out of each ranking the row of the same number, where both are one table.
        device: where it is done.
        tick: called with the share that is done; may raise to stop.
    """
    asked = range(left.shape[0]) if rows is None else rows
    ranked = range(right.shape[0]) if columns is None else columns
    step = count_block_rows(device)[0]
    parts = []
    for start in range(asked.start, asked.stop, step):
        part = range(start, min(start + step, asked.stop))
        share = (start - asked.start) / len(asked), len(part) / len(asked)

        def tick_part(done: float, share: tuple[float, float] = share) -> None:
            tick(share[0] + done * share[1])

        parts.append(_rank_part(left, right, k, part, ranked, but_itself, device, tick_part))
    if not parts:
        return NearestRows(np.empty((0, k), np.int64), np.empty((0, k), np.float32))
    return NearestRows(
        *(np.concatenate(tables) for tables in zip(*((p.rows, p.cosines) for p in parts)))  # noqa: B905
    )


def _rank_part(
    left: EightBitRows,
    right: EightBitRows,
    k: int,
    rows: range,
    columns: range,
    but_itself: bool,
    device: str,
    tick: Callable[[float], None],
) -> NearestRows:
    best = NearestColumns(k, len(rows), device)
    blocks = compute_blocks(left, np.array(rows), right, np.array(columns), device)
    for start, cosines in blocks:
        tick(start / len(columns))
        if but_itself:
            _leave_out(cosines, rows, columns.start + start)
        best.add(cosines, columns.start + start)
    return best.finish()


class NearestColumns:
    """The k largest of each row so far, of equal ones the earlier columns."""

    def __init__(self, k: int, rows: int, device: str = "cpu") -> None:
        self._k = k
        self._values = torch.empty((rows, 0), device=device)
        self._columns = torch.empty((rows, 0), dtype=torch.int64, device=device)

    def add(self, cosines: Tensor, start: int) -> None:
        """Add columns after all before."""
        if self._values.shape[1] < self._k:
            everything = torch.arange(len(cosines), device=cosines.device)
            self._values, self._columns = self._merge(everything, cosines, start)
            return
        is_nearer = cosines.amax(1) > self._values[:, -1]  # most blocks have few such rows
        rows = is_nearer.nonzero().squeeze(1)
        if len(rows):
            self._values[rows], self._columns[rows] = self._merge(rows, cosines[rows], start)

    def finish(self) -> NearestRows:
        """Return them."""
        return NearestRows(self._columns.cpu().numpy(), self._values.cpu().numpy())

    def _merge(self, rows: Tensor, cosines: Tensor, start: int) -> tuple[Tensor, Tensor]:
        top = largest(cosines, min(self._k, cosines.shape[1]))
        values = torch.cat([self._values[rows], top.values], dim=1)
        columns = torch.cat([self._columns[rows], top.places + start], dim=1)
        # what was there comes first, and has lower columns
        order = values.argsort(dim=1, descending=True, stable=True)[:, : self._k]
        return values.gather(1, order), columns.gather(1, order)


def plan_all_pairs(rows: int, columns: int, width: int, device: str = "cpu") -> PairsPlan:
    """Return what ranking all pairs takes; some blocks are done for it, which takes a moment.

    Args:
        rows: how many are ranked for.
        columns: how many are ranked.
        width: of the vectors.
        device: where it will be done.
    """
    block_rows, block_columns = count_block_rows(device)
    used_rows, used_columns = min(rows, block_rows), min(columns, block_columns)
    blocks = -(-rows // block_rows) * -(-columns // block_columns)
    pairs_a_second = measure_speed(used_rows, used_columns, width, device) if blocks else 1.0
    return PairsPlan(
        rows=rows,
        columns=columns,
        width=width,
        device=device,
        operations=2 * rows * columns * width,
        blocks=blocks,
        memory=4 * (_TABLES * used_rows * used_columns + 2 * (used_rows + used_columns) * width),
        seconds=rows * columns / pairs_a_second,
    )


def measure_speed(rows: int, columns: int, width: int, device: str = "cpu") -> float:
    """Return how many pairs a second are ranked in blocks of made vectors."""
    noise = np.random.default_rng(0)
    left = RoundedRows.of(noise.standard_normal((rows, width), np.float32))
    right = RoundedRows.of(noise.standard_normal((columns, width), np.float32))
    times: list[float] = []
    best = NearestColumns(10, rows, device)
    while len(times) < 2 or (sum(times) < _MEASURED_SECONDS and len(times) < _MEASURED_BLOCKS):
        start = time.perf_counter()
        for _, cosines in compute_blocks(left, np.arange(rows), right, np.arange(columns), device):
            best.add(cosines, columns * len(times))
        if device != "cpu":
            torch.cuda.synchronize(device)
        times.append(time.perf_counter() - start)
    return rows * columns / min(times[1:])  # the first one warms up; others slow some down


def _leave_out(cosines: Tensor, rows: range, start: int) -> None:
    """Have rows of a block never find themselves."""
    first, last = max(rows.start, start), min(rows.stop, start + cosines.shape[1])
    if first < last:
        both = torch.arange(first, last, device=cosines.device)
        cosines[both - rows.start, both - start] = -torch.inf


def _to_device(table: EightBitRows, rows: Int64s, device: str) -> tuple[Tensor, Tensor]:
    """Return rows as whole numbers in floating point, and one over their lengths."""
    integers, inverse = table.read_rows(rows)
    dtype = torch.float32 if table.shape[1] <= _EXACT_WIDTH else torch.float64
    return (
        torch.from_numpy(integers).to(device).to(dtype),
        torch.from_numpy(np.ascontiguousarray(inverse)).to(device),
    )


def _as_cosines(products: Tensor, lengths: Tensor, row_lengths: Tensor) -> Tensor:
    """Return float32 cosines, by the same operations in the same order everywhere."""
    return products.float().mul_(lengths).mul_(row_lengths)
