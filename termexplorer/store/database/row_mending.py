"""Damaged rows put right in their place: by their checksum, their copy, or a sound backup."""

import json
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from termexplorer.store.database.raw_sql import connect_read_only
from termexplorer.store.database.row_checksums import (
    ContentRow,
    MisfitRow,
    content_query,
    find_misfits,
    sum_row,
)
from termexplorer.store.database.row_copies import compare_with_copies, copy_of, table_columns

CHECKSUMS = "row_checksum"  # of which rows are made anew
_BITS = 8
_KEYS = {"concept": 1, "name": 1, "identifier": 1, "is_a": 2}  # columns that a row is told by
_COLUMNS = re.compile(r"SELECT (.+?)\s+FROM", re.DOTALL)


@dataclass(frozen=True, slots=True)
class MendedRow:
    """A damaged row, and what became of it.

    Attributes:
        table: its table.
        key: its primary key, as text.
        source: from what it was put right: bit | copy | backup | anew; none where it was not.
    """

    table: str
    key: str
    source: str


def mend_copied_rows(
    connection: sqlite3.Connection, backups: Sequence[Path]
) -> Iterator[MendedRow]:
    """Put right the rows of small tables of which the row or its copy is damaged.

    What a backup has is right, then what alone can be read; where that does not tell, the rows stay
    as they are.

    Args:
        connection: to write on, which gives texts as bytes.
        backups: sound ones, the newest first.
    """
    left: list[tuple[str, ContentRow, ContentRow]] = []
    right: set[ContentRow] = set()
    for table, key, mine, other in list(compare_with_copies(connection)):
        known = _find_in_backup(backups, table, key, connection)
        both = [row for row in (mine, other) if row is not None]
        legible = [row for row in both if is_legible(row)]
        if known in both:
            right.add(known)
            _put_row(connection, table, key, known)
            yield MendedRow(table, as_text(key), "backup")
        elif len(legible) < len(both):
            _put_row(connection, table, key, legible[0] if legible else None)
            yield MendedRow(table, as_text(key), "copy")
        elif len(both) == 1:
            left.append((table, key, both[0]))
        else:
            yield MendedRow(table, as_text(key), "none")
    for table, key, row in left:
        source = "none"
        if any(flipped in right for flipped in flip_each_bit(row)):  # its key changed
            _put_row(connection, table, key, None)
            source = "backup"
        yield MendedRow(table, as_text(key), source)


def _find_in_backup(
    backups: Sequence[Path], table: str, key: ContentRow, like: sqlite3.Connection
) -> ContentRow | None:
    columns, keys = table_columns(like, table)
    query = f"SELECT {', '.join(columns)} FROM {table} WHERE {_where_is(keys, key)}"
    for path in backups:
        with closing(connect_read_only(path)) as connection:
            connection.text_factory = bytes
            try:
                row = connection.execute(query, key).fetchone()
            except (sqlite3.DatabaseError, UnicodeDecodeError):  # of an older version
                continue
        if row is not None:
            return tuple(row)
    return None


def _put_row(
    connection: sqlite3.Connection, table: str, key: ContentRow, row: ContentRow | None
) -> None:
    where = _where_is(table_columns(connection, table)[1], key)
    for target_table in (table, copy_of(table)):
        connection.execute(f"DELETE FROM {target_table} WHERE {where}", key)
    if row is not None:  # a trigger writes its copy
        marks = ", ".join("?" for _ in row)
        connection.execute(f"INSERT INTO {table} VALUES ({marks})", _as_values(row))


def mend_content_rows(
    connection: sqlite3.Connection, release_id: int, backups: Sequence[Path]
) -> Iterator[MendedRow]:
    """Put right the rows of a release: a flipped bit by the checksum, others from a backup.

    Args:
        connection: to write on, which gives texts as bytes.
        release_id: a release with checksums.
        backups: sound ones, the newest first.
    """
    for table, width in _KEYS.items():
        misfits = list(find_misfits(connection, table, release_id))
        lost = {broken.expected for broken in misfits if broken.expected is not None}
        restored = {
            sum_row(row): (row, "bit")
            for misfit in misfits
            if misfit.row is not None and (row := _flip_back(misfit.row, lost))
        }
        restored |= _search_backups(backups, table, release_id, lost - set(restored))
        for misfit in misfits:
            if _is_sum_wrong(misfit):
                yield MendedRow(CHECKSUMS, f"{release_id} {table}", "bit")
                continue
            row, source = restored.get(misfit.expected or -1, (None, "none"))
            if misfit.row is not None and (row is not None or misfit.expected is None):
                _delete_content(connection, table, misfit.row[:width])
                source = source if row is not None else "backup"  # it was one too many
            shown = row or misfit.row or misfit.before or ()
            yield MendedRow(table, as_text(shown[:width]), source)
        for row, _source in restored.values():
            _insert_content(connection, table, release_id, row)


def _is_sum_wrong(misfit: MisfitRow) -> bool:
    """Return whether it is the checksum that changed: by one bit, where a row's changes many."""
    if misfit.row is None or misfit.expected is None:
        return False
    return (sum_row(misfit.row) ^ misfit.expected).bit_count() == 1


def _search_backups(
    backups: Sequence[Path], table: str, release_id: int, lost: set[int]
) -> dict[int, tuple[ContentRow, str]]:
    restored: dict[int, tuple[ContentRow, str]] = {}
    for path in backups if lost else ():
        with closing(connect_read_only(path)) as connection:
            connection.text_factory = bytes
            try:
                for row in connection.execute(content_query(table), (release_id,)):
                    if sum_row(row) in lost:
                        restored.setdefault(sum_row(row), (row, "backup"))
            except sqlite3.DatabaseError:  # of an older version
                continue
    return restored


def _flip_back(row: ContentRow, lost: set[int]) -> ContentRow | None:
    """Return a row with one bit changed so that its checksum is one of those that are missing."""
    return next((flipped for flipped in flip_each_bit(row) if sum_row(flipped) in lost), None)


def flip_each_bit(row: ContentRow) -> Iterator[ContentRow]:
    """Yield a row with each of the bits of its texts and numbers changed, one at a time."""
    for index, cell in enumerate(row):
        for changed in _flip_cell(cell):
            yield (*row[:index], changed, *row[index + 1 :])


def _flip_cell(cell: object) -> Iterator[object]:
    if isinstance(cell, bytes):
        for at in range(len(cell)):
            for bit in range(_BITS):
                yield cell[:at] + bytes([cell[at] ^ 1 << bit]) + cell[at + 1 :]
    elif isinstance(cell, int):
        for bit in range(6 * _BITS):
            yield cell ^ 1 << bit


def _delete_content(connection: sqlite3.Connection, table: str, key: ContentRow) -> None:
    where = _where_is(_content_columns(table)[: len(key)], key)
    connection.execute(f"DELETE FROM {table} WHERE {where}", key)


def _insert_content(
    connection: sqlite3.Connection, table: str, release_id: int, row: ContentRow
) -> None:
    names, values = _content_columns(table), _as_values(row)
    if table != "is_a":
        names, values = [*names, "release_id"], (*values, release_id)
    marks = ", ".join("?" for _ in values)
    query = f"INSERT OR REPLACE INTO {table} ({', '.join(names)}) VALUES ({marks})"
    connection.execute(query, values)


def _content_columns(table: str) -> list[str]:
    match = _COLUMNS.search(content_query(table))
    assert match is not None  # noqa: S101 - they are our own queries
    return [name.strip().removeprefix("l.") for name in match[1].split(",")]


def _where_is(names: Sequence[str], key: ContentRow) -> str:
    """Return a condition on columns for a key whose texts are bytes, damaged ones too."""
    marks = ("CAST(? AS TEXT)" if isinstance(cell, bytes) else "?" for cell in key)
    return " AND ".join(f"{name} IS {mark}" for name, mark in zip(names, marks, strict=True))


def is_legible(row: ContentRow) -> bool:
    """Return whether all texts of a row are text, and JSON where they begin like it."""
    for cell in row:
        if isinstance(cell, bytes):
            try:
                text = cell.decode()
                if text[:1] in ("{", "["):
                    json.loads(text)
            except (ValueError, RecursionError):
                return False
    return True


def _as_values(row: ContentRow) -> tuple[object, ...]:
    """Return the cells of a row to be written: texts, which were read as bytes, as such."""
    return tuple(cell.decode() if isinstance(cell, bytes) else cell for cell in row)


def as_text(key: ContentRow) -> str:
    """Return a key as it is told."""
    return " ".join(
        cell.decode("utf-8", "backslashreplace") if isinstance(cell, bytes) else str(cell)
        for cell in key
    )
