"""What a task comes to, as a file: the k nearest among some columns of each of some rows."""

import json
from hashlib import sha256 as hash_bytes
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.errors import UserError
from termexplorer.files import atomic_write
from termexplorer.store.tasks.task_table import TaskKey
from termexplorer.texts import tr
from termexplorer.trainer.files.folders import read_meta, sha256
from termexplorer.trainer.search.eight_bit import EightBitVectors, NearestRows, quantize
from termexplorer.workers.encoders.release_vectors import load_vectors
from termexplorer.workers.process.child import trainer_errors

if TYPE_CHECKING:
    from termexplorer.trainer.search.all_pairs import EightBitRows

_PARTS = "parts"  # their folder
_FIELDS = np.dtype([("row", "<i8"), ("cosine", "<f4")])
_AT_ONCE = 65_536  # rows that are rounded


def locate_part(folder: Path, key: TaskKey) -> Path:
    """Return where the part of a task is."""
    row, column = map(int, key)
    return folder / _PARTS / f"{row:05d}-{column:05d}.npy"


def write_part(path: Path, nearest: NearestRows) -> str:
    """Write the part of a task, which appears whole; return its SHA-256."""
    table = np.empty(nearest.rows.shape, _FIELDS)
    table["row"], table["cosine"] = nearest.rows, nearest.cosines
    path.parent.mkdir(exist_ok=True)
    with atomic_write(path) as fresh:
        with fresh.open("wb") as file:
            np.save(file, table)
        return sha256(fresh)


def is_part_sound(path: Path, content_hash: str) -> bool:
    """Return whether a part is there and what was written."""
    return path.is_file() and sha256(path) == content_hash


def read_part(path: Path, content_hash: str) -> NearestRows:
    """Return the part of a task.

    Raises:
        UserError: it is not what was written.
    """
    content = path.read_bytes()
    if hash_bytes(content).hexdigest() != content_hash:
        raise UserError(
            tr("{path}: has changed since it was written; rank again: it is made anew", path=path)
        )
    table = np.load(BytesIO(content), allow_pickle=False)
    return NearestRows(table["row"].copy(), table["cosine"].copy())


def hash_vectors(path: Path) -> str:
    """Return a hash of the vectors of a release; of large ones of the hashes of their blocks.

    Raises:
        UserError: they are not there.
    """
    try:
        if not path.is_dir():
            return sha256(path)
        files = read_meta(path, verify=False)["files"]
    except (OSError, ValueError, KeyError) as error:
        raise UserError(
            tr("{path}: the vectors are not there; give each machine the same workspace", path=path)
        ) from error
    return hash_bytes(json.dumps(files, sort_keys=True).encode()).hexdigest()


def open_rounded(path: Path) -> "EightBitRows":
    """Open the vectors of a release in 8 bits; those of 32 bits are rounded in memory.

    Raises:
        UserError: files are missing, or of another size.
    """
    from termexplorer.trainer.search.all_pairs import RoundedRows

    with trainer_errors():
        vectors = load_vectors(path)
    if isinstance(vectors, EightBitVectors):
        return vectors
    rows = np.empty(vectors.shape, np.int8)
    inverse = np.empty(len(vectors), np.float32)
    for start in range(0, len(vectors), _AT_ONCE):
        block = slice(start, start + _AT_ONCE)
        rows[block], inverse[block] = quantize(np.asarray(vectors[block]))
    return RoundedRows(rows, inverse)


def find_known(table: "EightBitRows", rows: range) -> NDArray[np.bool_]:
    """Return of which rows an encoder knows anything, (m,)."""
    known: NDArray[np.bool_] = table.read_rows(np.array(rows, np.int64))[1] > 0
    return known
