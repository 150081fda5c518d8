"""Checksums of the rows of a release, in blocks: four bytes a row tell whether it was damaged."""

import sqlite3
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing

from termexplorer.store.database.engine import Store
from termexplorer.store.database.raw_sql import connect_read_only
from termexplorer.store.database.row_copies import DamagedRow
from termexplorer.texts import tr

_BLOCK = 4096  # rows
# Table -> how many columns are its key, and its rows of a release in a fixed order. No index is
# used: SQLite would take what stands there too from it, and a damaged row would look sound.
_QUERIES = {
    "concept": (
        1,
        "SELECT id, curie, code, kind, label, definition, obsolete, root, details"
        " FROM concept NOT INDEXED WHERE release_id = ? ORDER BY id",
    ),
    "name": (
        1,
        "SELECT id, concept_id, kind, scope, text"
        " FROM name NOT INDEXED WHERE release_id = ? ORDER BY id",
    ),
    "identifier": (
        1,
        "SELECT id, concept_id, kind, text"
        " FROM identifier NOT INDEXED WHERE release_id = ? ORDER BY id",
    ),
    "is_a": (
        2,
        "SELECT l.child_id, l.parent_id"
        " FROM concept c NOT INDEXED CROSS JOIN is_a l ON l.child_id = c.id"
        " WHERE c.release_id = ? ORDER BY l.child_id, l.parent_id",
    ),
    "sorted_name": (
        1,
        "SELECT name_id, text, concept_id FROM sorted_name WHERE release_id = ?"
        " ORDER BY text COLLATE NOCASE, name_id",
    ),
    "lookup_key": (
        1,
        "SELECT concept_id, key, text, kind FROM lookup_key WHERE release_id = ?"
        " ORDER BY key, concept_id, text",
    ),
    "name_word": (
        1,
        "SELECT names, word FROM name_word WHERE release_id = ? ORDER BY word",
    ),
}


def write_checksums(store: Store, release_id: int, progress: Callable[[], None]) -> None:
    """Keep the checksums of a release's rows as they are now; earlier ones are replaced.

    Args:
        store: where they are.
        release_id: the release, whose rows will not change any more.
        progress: is called after each table; may raise to stop.
    """
    delete = "DELETE FROM row_checksum WHERE release_id = ? AND table_name = ?"
    add = "INSERT INTO row_checksum VALUES (?, ?, ?, ?)"
    with closing(_connect_for_bytes(store)) as rows:
        for table in _QUERIES:
            blocks = [
                (release_id, table, number, sums)
                for number, (sums, _keys) in enumerate(_checked_blocks(rows, table, release_id))
            ]
            with store.writing() as connection:
                connection.exec_driver_sql(delete, (release_id, table))
                for block in blocks:
                    connection.exec_driver_sql(add, block)
            progress()


def has_checksums(store: Store, release_id: int) -> bool:
    """Return whether a release's rows have checksums; releases of older versions had none."""
    query = "SELECT 1 FROM row_checksum WHERE release_id = ?"
    with store.looking() as connection:
        return connection.execute(query, (release_id,)).fetchone() is not None


def find_damaged_content(
    store: Store, release_id: int, progress: Callable[[], None]
) -> Iterator[DamagedRow]:
    """Yield the rows of a release that do not fit their checksums, or are missing or too many.

    Args:
        store: where they are.
        release_id: a release with checksums.
        progress: is called after each table; may raise to stop.
    """
    query = "SELECT sums FROM row_checksum WHERE release_id = ? AND table_name = ? ORDER BY block"
    with closing(_connect_for_bytes(store)) as rows:
        for table in _QUERIES:
            kept = [sums for (sums,) in rows.execute(query, (release_id, table))]
            found = _checked_blocks(rows, table, release_id)
            for number, (sums, keys) in enumerate(found):
                expected = kept[number] if number < len(kept) else b""
                yield from _compare_block(table, sums, expected, keys)
            for _ in kept[_count_blocks(rows, table, release_id) :]:
                yield DamagedRow(table, tr("missing at the end"), large=True)
            progress()


def _compare_block(
    table: str, sums: bytes, expected: bytes, keys: list[str]
) -> Iterator[DamagedRow]:
    if sums == expected:
        return
    mine, theirs = _unpack_sums(sums), _unpack_sums(expected)
    if len(mine) == len(theirs):
        for key, found, kept in zip(keys, mine, theirs, strict=True):
            if found != kept:
                yield DamagedRow(table, key, large=True)
        return
    # rows are missing or too many: those that no checksum is of, or else the one after the gap
    known = set(theirs)
    strangers = [key for key, found in zip(keys, mine, strict=True) if found not in known]
    for key in strangers or [tr("missing after {key}", key=keys[0])]:
        yield DamagedRow(table, key, large=True)


def _unpack_sums(sums: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(sums) // 4}I", sums[: len(sums) // 4 * 4])


def _count_blocks(connection: sqlite3.Connection, table: str, release_id: int) -> int:
    (count,) = connection.execute(
        f"SELECT count(*) FROM ({_QUERIES[table][1]})", (release_id,)
    ).fetchone()
    return -(-int(count) // _BLOCK)


def _checked_blocks(
    connection: sqlite3.Connection, table: str, release_id: int
) -> Iterator[tuple[bytes, list[str]]]:
    """Yield for each block the checksums of its rows, and their keys as text."""
    width, query = _QUERIES[table]
    rows = connection.execute(query, (release_id,))
    while part := rows.fetchmany(_BLOCK):
        sums = [zlib.crc32(repr(row).encode()) for row in part]
        keys = [" ".join(_as_text(cell) for cell in row[:width]) for row in part]
        yield struct.pack(f"<{len(sums)}I", *sums), keys


def _as_text(cell: object) -> str:
    return cell.decode("utf-8", "backslashreplace") if isinstance(cell, bytes) else str(cell)


def _connect_for_bytes(store: Store) -> sqlite3.Connection:
    """Open a connection that gives texts as bytes, damaged ones too."""
    connection = connect_read_only(store.path)
    connection.text_factory = bytes
    return connection
