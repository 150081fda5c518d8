"""A matrix that the user brings: a vector for each of a list of names, and for no other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from tokenize import TokenError
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.files.damage import check_finite
from termexplorer.trainer.files.folders import replacing
from termexplorer.trainer.representations.base import Float32s, Int64s, meta_of, repeats, texts_of
from termexplorer.trainer.text.names import composed

KIND = "matrix"
MATRIX, NAMES = "vectors.npy", "names.txt"
_BLOCK_VALUES = 4_000_000  # checked and written at a time


class MatrixNames:
    """Vectors of the names of a list, found by the whole name, upper and lower case alike.

    Attributes:
        dimension: the width d.
        names: the names, in the order of the rows; of those that differ in case alone the first
            counts.
    """

    def __init__(self, matrix: Float32s, names: Sequence[str]):
        if matrix.ndim != 2 or len(matrix) != len(names):
            raise TrainerError(
                "{names} names do not fit a matrix of {shape}", names=len(names), shape=matrix.shape
            )
        self.dimension = int(matrix.shape[1])
        self.names = tuple(names)
        self._matrix = matrix
        self._row: dict[str, int] = {}
        for row, name in enumerate(names):
            self._row.setdefault(_name_key(name), row)

    @classmethod
    def load(cls, folder: Path, *, verify: bool = True) -> Self:
        """Open a folder that ``convert_matrix`` has written.

        Raises:
            ValueError: for a folder of another kind, or one that has changed.
        """
        meta_of(folder, KIND, verify=verify)
        matrix = np.load(folder / MATRIX, mmap_mode="c", allow_pickle=False)
        names = (folder / NAMES).read_text(encoding="utf-8").split("\n")[:-1]
        if verify:
            check_finite(matrix, folder / MATRIX)
        if matrix.ndim != 2 or len(matrix) != len(names):
            raise TrainerError(
                "{file} does not fit its {names} names", file=folder / MATRIX, names=len(names)
            )
        return cls(matrix, names)

    def known(self, names: Sequence[str]) -> NDArray[np.bool_]:
        """Return which names have a vector, (n,) bool, for a caller who counts the others."""
        return self._rows(names) >= 0

    def encode(self, names: Iterable[str]) -> Float32s:
        """Return (n, d) float32; a zero row for a name that is not in the list."""
        rows = self._rows(texts_of(names))
        vectors = np.zeros((len(rows), self.dimension), dtype=np.float32)
        vectors[rows >= 0] = self._matrix[rows[rows >= 0]]
        return vectors

    def _rows(self, names: Sequence[str]) -> Int64s:
        row_numbers = (self._row.get(_name_key(name), -1) for name in names)
        return np.fromiter(row_numbers, np.int64, len(names))


def _name_key(name: str) -> str:
    return composed(name).strip().casefold()


def convert_matrix(matrix: Path, names: Path, folder: Path) -> None:
    """Write our own copy of a ``.npy`` matrix and the names of its rows.

    A row whose name an earlier one has, upper and lower case alike, is never found; ``meta.json``
    says how many there are.

    Args:
        matrix: (n, d) floating-point numbers of any width, as ``numpy.save`` writes them.
        names: a UTF-8 text file of n lines, a name each.
        folder: where the copy goes.

    Raises:
        ValueError: with file and line or row, for a file that cannot be read, an empty name,
            numbers of rows and names that differ, a value that is not a finite number, a name with
            two vectors, or nothing but zeros.
    """
    rows, lines = _open_matrix(matrix), _read_lines(names)
    if len(rows) != len(lines):
        raise TrainerError(
            "{matrix} has {rows} rows and {names} has {lines} lines; give a name a row",
            matrix=matrix,
            rows=len(rows),
            names=names,
            lines=len(lines),
        )
    repeated = len(lines) - len({_name_key(line) for line in lines})
    meta = {"kind": KIND, "dimension": rows.shape[1], **repeats(repeated)}
    with replacing(folder, meta) as part:
        copy = np.lib.format.open_memmap(part / MATRIX, "w+", np.float32, rows.shape)
        size, has_nonzero = max(1, _BLOCK_VALUES // rows.shape[1]), False
        for start in range(0, len(rows), size):
            copy[start : start + size] = _finite_rows(rows[start : start + size], matrix, start)
            has_nonzero |= bool(copy[start : start + size].any())
        if not has_nonzero:
            raise TrainerError(
                "{matrix}: every value is 0; give vectors that tell names apart", matrix=matrix
            )
        _check_repeated(lines, copy, names)
        del copy  # written out and closed
        text = "".join(f"{line}\n" for line in lines)
        (part / NAMES).write_text(text, encoding="utf-8", newline="\n")


def _open_matrix(path: Path) -> NDArray[Any]:
    try:
        matrix = np.lib.format.open_memmap(path, "r")  # no archive, and nothing that is run
    except (OSError, ValueError, OverflowError, SyntaxError, TokenError) as error:
        raise TrainerError(
            "{path} cannot be read: {error}; give a matrix as a .npy file", path=path, error=error
        ) from error
    if matrix.ndim == 2 and matrix.dtype.kind in "biu":
        raise TrainerError(
            '{path} holds whole numbers; convert them with .astype("float32") and save it again',
            path=path,
        )
    if matrix.ndim != 2 or matrix.dtype.kind != "f":
        raise TrainerError(
            "{path} is no matrix of floating-point numbers; save one with numpy.save", path=path
        )
    if not matrix.size:
        raise TrainerError(
            "{path} is empty, a matrix of {shape}; give a vector a row",
            path=path,
            shape=matrix.shape,
        )
    return matrix


def _read_lines(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise TrainerError(
            "{path} cannot be read: {error}; give a UTF-8 text of names", path=path, error=error
        ) from error
    if not lines[-1]:
        lines.pop()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            raise TrainerError(
                "{path}, line {number}: it is empty; give a name a line", path=path, number=number
            )
    return [line.strip() for line in lines]


def _check_repeated(lines: Sequence[str], rows: Float32s, path: Path) -> None:
    """Refuse a name that is there twice, with another vector each time."""
    first: dict[str, int] = {}
    for row, name in enumerate(lines):
        before = first.setdefault(name, row)
        if before != row and not np.array_equal(rows[before], rows[row]):
            raise TrainerError(
                "{path}, lines {before} and {row}: the same name has two different "
                "vectors; remove one of them",
                path=path,
                before=before + 1,
                row=row + 1,
            )


def _finite_rows(rows: NDArray[Any], path: Path, start: int) -> Float32s:
    """Return rows as float32, in which every number has to be finite."""
    with np.errstate(over="ignore"):  # found below, as infinite
        single = np.asarray(rows, dtype=np.float32)
    bad = ~np.isfinite(single).all(axis=1)
    if bad.any():
        row = start + int(bad.argmax()) + 1
        raise TrainerError(
            "{path}, row {row}: a value is not a finite number; mend or remove it",
            path=path,
            row=row,
        )
    return single
