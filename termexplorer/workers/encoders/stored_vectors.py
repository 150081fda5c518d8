"""Vectors of whole releases that are in the workspace, found by name."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from termexplorer.store.database.engine import Store
from termexplorer.store.encoders.encoders import VectorFile, vector_files
from termexplorer.store.kept_paths import locate_kept
from termexplorer.store.releases.corpus import release_names
from termexplorer.trainer.search.eight_bit import EightBitVectors
from termexplorer.workers.process.sound_files import is_sound, is_there

Int64s = NDArray[np.int64]
Float32s = NDArray[np.float32]
Bools = NDArray[np.bool_]

_FEW = 64  # names are encoded sooner than they are looked up among all of a release


class StoredVectors:
    """The unit-length vectors that encoders have for the names of releases."""

    def __init__(self, folder: Path, store: Store) -> None:
        self._folder = folder
        self._store = store
        self._rows = cache(self._read_rows)
        self._matrix = cache(self._read_matrix)

    def units(self, encoder_id: int, names: Sequence[str]) -> tuple[Float32s | None, Bools]:
        """The vectors of names as far as they are there.

        Returns:
            (n, d), or None where there is none or it is not worth the while to look; and (n,)
            which of them are there.
        """
        is_stored = np.zeros(len(names), np.bool_)
        vectors: Float32s | None = None
        if len(names) <= _FEW:
            return None, is_stored
        with self._store.reading() as connection:
            files = vector_files(connection, encoder_id)
        for file in files:
            matrix = self._matrix(file)
            if matrix is None:
                continue
            if vectors is None:
                vectors = np.zeros((len(names), file.dimension), np.float32)
            of_name = self._rows(file.release_id)
            rows = np.fromiter((of_name.get(name, -1) for name in names), np.int64, len(names))
            vectors[rows >= 0] = matrix[rows[rows >= 0]]
            is_stored |= rows >= 0
        return vectors, is_stored

    def large_rows(
        self, encoder_id: int, names: Sequence[str]
    ) -> tuple[EightBitVectors | None, Int64s]:
        """The large vectors that hold most of the names, and the row of each, -1 for none, (n,).

        None where no large vectors hold any.
        """
        with self._store.reading() as connection:
            files = vector_files(connection, encoder_id)
        best: EightBitVectors | None = None
        best_rows = np.full(len(names), -1)
        for file in files:
            path = locate_kept(self._folder, file.path)
            if not path.is_dir() or not is_there(self._folder, file):
                continue
            with self._store.reading() as connection:
                texts = release_names(connection, file.release_id).texts
            rows = _find_rows(texts, names)
            if np.count_nonzero(rows >= 0) > np.count_nonzero(best_rows >= 0):
                best, best_rows = EightBitVectors.load(path), rows
        return best, best_rows

    def _read_rows(self, release_id: int) -> dict[str, int]:
        with self._store.reading() as connection:
            texts = release_names(connection, release_id).texts
        return {text: row for row, text in enumerate(texts)}

    def _read_matrix(self, file: VectorFile) -> Float32s | None:
        """The vectors of a release; None if they are not what they were."""
        path = locate_kept(self._folder, file.path)
        if path.is_dir() or not is_sound(self._folder, file):  # by name, millions are too many
            return None
        matrix: Float32s = np.load(path, mmap_mode="r", allow_pickle=False)
        return matrix


def _find_rows(texts: Sequence[str], names: Sequence[str]) -> Int64s:
    """Return the row of each name among texts, -1 for none, (n,), without a dictionary of millions.

    Names whose hashes are equal by chance are taken not to be there.
    """
    if not texts or not names:
        return np.full(len(names), -1)
    hashes, asked = (np.fromiter(map(hash, some), np.int64, len(some)) for some in (texts, names))
    order = np.argsort(hashes, kind="stable")
    first = np.searchsorted(hashes, asked, sorter=order).clip(max=len(texts) - 1)
    rows = order[first]
    is_same = [texts[row] == name for row, name in zip(rows.tolist(), names, strict=True)]
    return np.where(is_same, rows, -1)
