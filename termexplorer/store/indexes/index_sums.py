"""Checksums of the search indexes' own pages: a bit in them may change no answer, or hide some.

SQLite compares an index with its rows by a sum in which changes can cancel each other. These sums
say what was written, as long as nothing was written since, which the index's structure tells.
"""

import sqlite3
import struct
import zlib
from collections.abc import Callable, Iterator

from termexplorer.store.database.engine import Store
from termexplorer.store.database.raw_sql import SqlReader
from termexplorer.store.database.row_checksums import list_content_tables
from termexplorer.store.database.row_copies import DamagedRow
from termexplorer.store.indexes.fulltext import INDEXES
from termexplorer.store.indexes.search_keys import FOLDED_INDEX

SUMMED_INDEXES = (*INDEXES, FOLDED_INDEX)
_SUMS = struct.Struct("<III")  # of the two others, of the structure, and of all pages
_COOKIE = 4  # bytes of the structure that each setting changes
_STRUCTURE = "SELECT block FROM {0}_data WHERE id = 10"
_PAGES = (
    "SELECT id, block FROM {0}_data NOT INDEXED WHERE id <> 10 ORDER BY id",
    "SELECT segid, CAST(term AS BLOB), pgno FROM {0}_idx ORDER BY segid, term",
)
_HAS_SUMS = "SELECT 1 FROM sqlite_master WHERE name = 'row_checksum'"
_NOT_OF_ROWS = f"WHERE table_name NOT IN ({', '.join(map(repr, list_content_tables()))})"
_OWNER = "SELECT min(id) FROM release"  # a checksum belongs to a release
_ADD = "INSERT INTO row_checksum VALUES (?, ?, 0, ?)"
_KEPT = "SELECT sums FROM row_checksum WHERE table_name = ?"


def write_index_sums(store: Store, progress: Callable[[], None] = lambda: None) -> None:
    """Keep the checksums of the indexes as they are now.

    Args:
        store: with the indexes.
        progress: called after each; may raise to stop.
    """
    sums = []
    for index in SUMMED_INDEXES:
        with store.looking() as reader:
            sums.append((index, _sum_index(reader, index)))
        progress()
    with store.writing() as connection:
        owner = connection.exec_driver_sql(_OWNER).scalar()
        connection.exec_driver_sql(f"DELETE FROM row_checksum {_NOT_OF_ROWS}")
        for row in sums if owner is not None else ():
            connection.exec_driver_sql(_ADD, (owner, *row))


def forget_index_sums(connection: SqlReader, index: str) -> None:
    """Remove the checksums of an index that is made anew, whose structure may be as it was."""
    connection.exec_driver_sql("DELETE FROM row_checksum WHERE table_name = ?", (index,))


def find_stray_sums(connection: sqlite3.Connection) -> Iterator[DamagedRow]:
    """Yield checksums that are of no table and no search index."""
    if connection.execute(_HAS_SUMS).fetchone() is None:  # a store of an earlier version
        return
    query = f"SELECT DISTINCT CAST(table_name AS BLOB) FROM row_checksum {_NOT_OF_ROWS}"
    for (name,) in connection.execute(query):
        table = name.decode("utf-8", "backslashreplace")
        if table not in SUMMED_INDEXES:
            yield DamagedRow("row_checksum", table)


def has_index_sums(reader: sqlite3.Connection) -> bool:
    """Return whether each index has checksums that are of its pages as they are now."""
    return all(_read_sums(reader, index)[1] for index in SUMMED_INDEXES)


def fits_index_sums(connection: sqlite3.Connection, index: str) -> bool:
    """Return whether the pages of an index are what was written, or were written since.

    Args:
        connection: to a store, or a copy of one.
        index: its name.
    """
    try:
        stored, current = _read_sums(connection, index)
        if stored is None:
            return True
        if len(stored) != _SUMS.size or zlib.crc32(stored[4:]) != _SUMS.unpack(stored)[0]:
            return False
        # whatever is written changes both; without its pages only the structure can be damaged
        return current == (stored[8:] == _sum_index(connection, index)[8:])
    except (sqlite3.DatabaseError, UnicodeDecodeError, TypeError):  # a page is broken
        return False


def _read_sums(reader: sqlite3.Connection, index: str) -> tuple[bytes | None, bool]:
    """Return the checksums of an index, and whether its structure is still the one they are of."""
    row = reader.execute(_KEPT, (index,)).fetchone()
    if row is None:
        return None, False
    sums = bytes(row[0])
    structure = struct.pack("<I", _sum_structure(reader, index))
    return sums, sums[4:8] == structure


def _sum_structure(reader: sqlite3.Connection, index: str) -> int:
    row = reader.execute(_STRUCTURE.format(index)).fetchone()
    return zlib.crc32(bytes(row[0])[_COOKIE:] if row else b"")


def _sum_index(reader: sqlite3.Connection, index: str) -> bytes:
    structure, pages = _sum_structure(reader, index), 0
    for query in _PAGES:
        for row in reader.execute(query.format(index)):
            pages = zlib.crc32(repr(row).encode(), pages)
    rest = struct.pack("<II", structure, pages)
    return struct.pack("<I", zlib.crc32(rest)) + rest
