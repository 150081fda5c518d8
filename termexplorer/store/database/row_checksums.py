"""Checksums of the rows of a release, in blocks: four bytes a row tell whether it was damaged."""

import sqlite3
import struct
import zlib
from array import array
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from termexplorer.store.database.damaged_links import find_lost_link, read_links_as_they_lie
from termexplorer.store.database.engine import Store
from termexplorer.store.database.raw_sql import connect_read_only
from termexplorer.store.database.row_copies import DamagedRow
from termexplorer.texts import tr

ContentRow = tuple[object, ...]
OF_ROWS = "WHERE table_name NOT LIKE 'search%'"  # others are of search indexes
_BLOCK = 4096  # rows
_FAR = 1000  # rows that may be missing at a time, as those of a page
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


@dataclass(frozen=True, slots=True)
class MisfitRow:
    """A row that is not what its checksum says.

    Attributes:
        row: as it is, texts as bytes; None where it is missing.
        expected: the checksum in its place; None where there is a row too many.
        before: the row before it; None at the start.
        after: the row after it; None at the end.
    """

    row: ContentRow | None
    expected: int | None
    before: ContentRow | None
    after: ContentRow | None = None


def write_checksums(store: Store, release_id: int, progress: Callable[[], None]) -> None:
    """Keep the checksums of a release's rows as they are now; earlier ones are replaced.

    Args:
        store: where they are.
        release_id: the release, whose rows will not change any more.
        progress: is called after each table; may raise to stop.
    """
    delete = "DELETE FROM row_checksum WHERE release_id = ? AND table_name = ?"
    add = "INSERT INTO row_checksum VALUES (?, ?, ?, ?)"
    with closing(_connect_for_bytes(store.path)) as rows:
        for table in _QUERIES:
            blocks = [
                (release_id, table, number, sums)
                for number, sums in enumerate(_checked_blocks(rows, table, release_id))
            ]
            with store.writing() as connection:
                connection.exec_driver_sql(delete, (release_id, table))
                for block in blocks:
                    connection.exec_driver_sql(add, block)
            progress()


def list_content_tables() -> list[str]:
    """Return the tables whose rows have checksums."""
    return list(_QUERIES)


def has_checksums(store: Store, release_id: int) -> bool:
    """Return whether a release's rows have checksums; releases of older versions had none."""
    query = f"SELECT 1 FROM row_checksum {OF_ROWS} AND release_id = ?"
    with store.looking() as connection:
        return connection.execute(query, (release_id,)).fetchone() is not None


def find_damaged_content(
    path: Path, release_id: int, progress: Callable[[], None]
) -> Iterator[DamagedRow]:
    """Yield the rows of a release that do not fit their checksums, or are missing or too many.

    Args:
        path: of the store's file.
        release_id: a release with checksums.
        progress: is called after each table; may raise to stop.
    """
    with closing(_connect_for_bytes(path)) as rows:
        for table in _list_tables(rows):
            try:
                yield from _find_damaged_in(rows, table, release_id)
            except sqlite3.DatabaseError:
                yield DamagedRow(table, _after_last_readable(rows, table, release_id), large=True)
            progress()


def _list_tables(rows: sqlite3.Connection) -> list[str]:
    """Return the tables with checksums; a store of an older version has fewer."""
    existing = {name for (name,) in rows.execute("SELECT CAST(name AS BLOB) FROM sqlite_master")}
    return [table for table in _QUERIES if table.encode() in existing]


def _find_damaged_in(rows: sqlite3.Connection, table: str, release_id: int) -> Iterator[DamagedRow]:
    last = ""
    for misfit in find_misfits(rows, table, release_id):
        key = _name_misfit(rows, table, release_id, misfit)
        if key != last:  # many may be missing in one place
            yield DamagedRow(table, key, large=True)
        last = key


def _name_misfit(rows: sqlite3.Connection, table: str, release_id: int, misfit: MisfitRow) -> str:
    """Return the key of a row that is damaged or missing, or else what it comes after."""
    if misfit.row is not None and None not in misfit.row[: _QUERIES[table][0]]:
        return _key_of(table, misfit.row)
    if table == "is_a" and misfit.expected is not None:
        between = misfit.before, misfit.after
        link = find_lost_link(
            rows, release_id, between, lambda link: sum_row(link) == misfit.expected
        )
        if link is not None:
            return _key_of(table, link)
    if misfit.before:
        return tr("missing after {key}", key=_key_of(table, misfit.before))
    return tr("missing at the start")


def find_misfits(rows: sqlite3.Connection, table: str, release_id: int) -> Iterator[MisfitRow]:
    """Yield the rows of a release that are not what their checksums say, in their order.

    Args:
        rows: gives texts as bytes.
        table: one with checksums.
        release_id: of the release.
    """
    due = _read_sums(rows, table, release_id)
    at, before, numbered_rows = 0, None, _read_content(rows, table, release_id)
    row, following = next(numbered_rows, None), next(numbered_rows, None)
    while row is not None:
        gap = _find_sum(due, sum_row(row), at)
        ahead = gap if following is None or gap == 0 else _find_sum(due, sum_row(following), at)
        if gap is None and ahead == 0:  # the one after it stands where it does
            yield MisfitRow(row, None, before, following)
        else:
            for _ in range(gap or 0):
                yield MisfitRow(None, due[at], before, row)
                at += 1
            if gap is None:
                expected = due[at] if at < len(due) else None
                yield MisfitRow(row, expected, before, following)
            at += 1
        before, row, following = row, following, next(numbered_rows, None)
    yield from (MisfitRow(None, checksum, before) for checksum in due[at:])


def _read_content(rows: sqlite3.Connection, table: str, release_id: int) -> Iterator[ContentRow]:
    """Return the rows of a release; links as they lie where one stops looking them up."""
    query = _QUERIES[table][1]
    if table != "is_a":
        return iter(rows.execute(query, (release_id,)))
    try:
        return iter(rows.execute(query, (release_id,)).fetchall())
    except sqlite3.DatabaseError:
        return read_links_as_they_lie(rows, release_id)


def _read_sums(rows: sqlite3.Connection, table: str, release_id: int) -> "array[int]":
    query = "SELECT sums FROM row_checksum WHERE release_id = ? AND table_name = ? ORDER BY block"
    due = array("I")
    for (sums,) in rows.execute(query, (release_id, table)):
        due.extend(_unpack_sums(sums))
    return due


def _find_sum(due: "array[int]", wanted: int, at: int) -> int | None:
    """Return how many checksums come before one, not far from a place; None if it is not there."""
    if at < len(due) and due[at] == wanted:
        return 0
    try:
        return due.index(wanted, at, at + _FAR) - at
    except ValueError:
        return None


def content_query(table: str) -> str:
    """Return the query for the rows of a release in a table with checksums, keys first."""
    return _QUERIES[table][1]


def sum_row(row: ContentRow) -> int:
    """Return the checksum of a row whose texts are bytes."""
    return zlib.crc32(repr(row).encode())


def _after_last_readable(rows: sqlite3.Connection, table: str, release_id: int) -> str:
    """Return which rows of a table cannot be read, of which a page is broken."""
    width, query = _QUERIES[table]
    last = ""
    try:
        for row in rows.execute(query, (release_id,)):
            last = " ".join(_as_text(cell) for cell in row[:width])
    except sqlite3.DatabaseError:
        pass
    return tr("after {key}", key=last) if last else ""


def _unpack_sums(sums: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(sums) // 4}I", sums[: len(sums) // 4 * 4])


def _checked_blocks(connection: sqlite3.Connection, table: str, release_id: int) -> Iterator[bytes]:
    """Yield the checksums of the rows of a release, packed, block by block."""
    rows = connection.execute(_QUERIES[table][1], (release_id,))
    while part := rows.fetchmany(_BLOCK):
        # as `sum_row`, without a call for each of millions
        yield struct.pack(f"<{len(part)}I", *[zlib.crc32(repr(row).encode()) for row in part])


def _key_of(table: str, row: ContentRow) -> str:
    return " ".join(_as_text(cell) for cell in row[: _QUERIES[table][0]])


def _as_text(cell: object) -> str:
    return cell.decode("utf-8", "backslashreplace") if isinstance(cell, bytes) else str(cell)


def _connect_for_bytes(path: Path) -> sqlite3.Connection:
    """Open a connection that gives texts as bytes, damaged ones too."""
    connection = connect_read_only(path)
    connection.text_factory = bytes
    return connection
