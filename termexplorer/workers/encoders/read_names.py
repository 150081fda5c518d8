"""What transformers made of names they have read, kept beside them for the next one who asks."""

import sqlite3
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Float32s = NDArray[np.float32]
Read = Callable[[Sequence[str]], Float32s]

READ_NAMES = "read-names.sqlite"  # in the folder of the encoder, and gone with it
_FEW = 16  # names are read as fast as they are looked up, and what is typed is not kept
_MOST = 200_000  # names: 600 MB of the usual 768 numbers each
_AT_ONCE = 500  # SQLite takes no more than 999 values in a query, where it is old
_BUSY_SECONDS = 5.0

_TABLE = """CREATE TABLE IF NOT EXISTS read_name (
    name TEXT PRIMARY KEY, vector BLOB NOT NULL, checksum INTEGER NOT NULL)"""
_FOUND = "SELECT name, vector, checksum FROM read_name WHERE name IN ({marks})"
_ADDED = "INSERT OR REPLACE INTO read_name VALUES (?, ?, ?)"


class ReadNames:
    """The vectors of names that one encoder has read.

    It is a convenience: where its file cannot be read or written, names are read anew, and a
    damaged one is removed.

    Args:
        folder: of the encoder.
        dimension: the width of its vectors.
    """

    def __init__(self, folder: Path, dimension: int) -> None:
        self._path = folder / READ_NAMES
        self._dimension = dimension

    def encode(self, names: Sequence[str], read: Read) -> Float32s:
        """The vectors of names, (n, d).

        Args:
            names: n names.
            read: gives the vectors of those that are not there yet.
        """
        if len(names) <= _FEW:
            return read(names)
        different = list(dict.fromkeys(names))
        known = self._known(different)
        missing = [name for name in different if name not in known]
        if missing:
            vectors = read(missing)
            self._keep(missing, vectors)
            known.update(zip(missing, vectors, strict=True))
        return np.stack([known[name] for name in names])

    def _known(self, names: Sequence[str]) -> dict[str, Float32s]:
        try:
            if not self._path.is_file():
                return {}
            with closing(self._connected()) as connection:
                return dict(self._sound(connection, names))
        except (sqlite3.Error, OSError) as error:
            self._remove_damaged(error)
            return {}

    def _sound(
        self, connection: sqlite3.Connection, names: Sequence[str]
    ) -> Iterator[tuple[str, Float32s]]:
        for start in range(0, len(names), _AT_ONCE):
            some = names[start : start + _AT_ONCE]
            query = _FOUND.format(marks=", ".join("?" * len(some)))
            for name, vector, checksum in connection.execute(query, some):
                if len(vector) == 4 * self._dimension and _checksum_of(name, vector) == checksum:
                    yield name, np.frombuffer(vector, "<f4")

    def _keep(self, names: Sequence[str], vectors: Float32s) -> None:
        bits = [row.astype("<f4").tobytes() for row in vectors]
        rows = [(name, row, _checksum_of(name, row)) for name, row in zip(names, bits, strict=True)]
        try:
            with closing(self._connected()) as connection, connection:
                connection.execute(_TABLE)
                (stored_count,) = connection.execute("SELECT count(*) FROM read_name").fetchone()
                connection.executemany(_ADDED, rows[: max(_MOST - stored_count, 0)])
        except (sqlite3.Error, OSError) as error:
            self._remove_damaged(error)

    def _connected(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=_BUSY_SECONDS)
        connection.execute("PRAGMA synchronous = OFF")  # what a power cut takes is read anew
        return connection

    def _remove_damaged(self, error: Exception) -> None:
        if type(error) is sqlite3.DatabaseError:  # not its kinds: busy, full, not to be written
            self._path.unlink(missing_ok=True)


def _checksum_of(name: str, vector: bytes) -> int:
    return zlib.crc32(vector, zlib.crc32(name.encode()))
