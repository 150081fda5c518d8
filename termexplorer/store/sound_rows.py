"""The sound rows of a damaged store, copied into a new one; what is left out is told."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from termexplorer.store.database.raw_sql import connect_read_only
from termexplorer.store.database.row_checksums import ContentRow, find_damaged_content
from termexplorer.store.database.row_copies import (
    DamagedRow,
    copy_of,
    list_copied_tables,
    table_columns,
)
from termexplorer.store.database.row_mending import as_text, is_legible
from termexplorer.store.judging.log_mending import LOG_COLUMNS, is_whole_alone
from termexplorer.store.whole_copy import list_with_checksums
from termexplorer.texts import tr

_CONTENT = ("concept", "name", "identifier", "is_a")
_LOG = "verdict"
_MOST_TRIED = 100_000  # rows of a broken page that are looked for one by one
_Row = ContentRow
_Found = Iterator[_Row | DamagedRow]


class _TextBytes(bytes):
    """A text as it lies in the file, which a blob is told from."""


def copy_sound_rows(source: Path, target: Path) -> list[DamagedRow]:
    """Copy what is sound in a store, whatever pages of it are broken.

    Args:
        source: the damaged store.
        target: a new store of this version, which gets no search indexes.

    Returns:
        The rows that are left out.

    Raises:
        sqlite3.DatabaseError: not even its tables can be listed.
    """
    with (
        closing(connect_read_only(source)) as reader,
        closing(sqlite3.connect(target, isolation_level=None)) as writer,
    ):
        reader.text_factory = _TextBytes
        writer.execute("PRAGMA foreign_keys=OFF")
        writer.execute("BEGIN")
        left_out = list(_copy_content(reader, writer, source))
        left_out += _copy_table(reader, writer, _LOG, _keep_whole_verdict, LOG_COLUMNS)
        for table in list_copied_tables(writer):
            writer.execute(f"DELETE FROM {table}")  # what a new store has in it
            left_out += _copy_small_table(reader, writer, table)
        writer.execute("COMMIT")
    return left_out


def _copy_content(
    reader: sqlite3.Connection, writer: sqlite3.Connection, source: Path
) -> Iterator[DamagedRow]:
    damaged = [
        row
        for release_id in _list_releases(reader)
        for row in find_damaged_content(source, release_id, lambda: None)
        if row.table in _CONTENT
    ]
    yield from damaged
    unfit = {(row.table, row.key) for row in damaged}
    for table in _CONTENT:

        def keep_fit(key: _Row, row: _Row, table: str = table) -> _Row | None:
            return None if (table, as_text(key)) in unfit else row if is_legible(row) else None

        left_out = _copy_table(reader, writer, table, keep_fit)
        yield from (row for row in left_out if (row.table, row.key) not in unfit)


def _list_releases(reader: sqlite3.Connection) -> list[int]:
    try:
        return list_with_checksums(reader)
    except sqlite3.DatabaseError:
        return []


def _keep_whole_verdict(_key: _Row, row: _Row) -> _Row | None:
    return row if is_whole_alone(row) else None


def _copy_small_table(
    reader: sqlite3.Connection, writer: sqlite3.Connection, table: str
) -> Iterator[DamagedRow]:
    """Copy a table whose rows have copies: of two that differ the one that can be read is taken."""
    columns, keys = table_columns(writer, table)
    second = {
        _key_of(row, columns, keys): row
        for row in _read_rows(reader, copy_of(table), columns, keys)
        if not isinstance(row, DamagedRow)
    }
    done: set[_Row] = set()

    def choose(key: _Row, row: _Row) -> _Row | None:
        done.add(key)
        other = second.get(key)
        if other is None or row == other:
            return None if other is None else row
        legible = [copy for copy in (row, other) if is_legible(copy)]
        return legible[0] if len(legible) == 1 else None

    left_out = list(_copy_table(reader, writer, table, choose))
    for key, row in second.items():
        if key not in done and is_legible(row) and _insert_row(writer, table, columns, row):
            left_out = [misfit for misfit in left_out if misfit.key != as_text(key)]
    yield from left_out


def _copy_table(
    reader: sqlite3.Connection,
    writer: sqlite3.Connection,
    table: str,
    choose: Callable[[_Row, _Row], _Row | None],
    columns: list[str] | None = None,
) -> Iterator[DamagedRow]:
    """Copy the rows that `choose` returns for a key and a row, and yield the others."""
    every, keys = table_columns(writer, table)
    columns = columns or every
    for row in _read_rows(reader, table, columns, keys):
        if isinstance(row, DamagedRow):
            yield row
            continue
        key = _key_of(row, columns, keys)
        chosen = choose(key, row)
        if chosen is None or not _insert_row(writer, table, columns, chosen):
            yield DamagedRow(table, as_text(key))


def _insert_row(writer: sqlite3.Connection, table: str, columns: list[str], row: _Row) -> bool:
    marks = ", ".join("?" for _ in row)
    query = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"
    values = [cell.decode() if isinstance(cell, _TextBytes) else cell for cell in row]
    try:
        writer.execute(query, values)
    except (sqlite3.DatabaseError, OverflowError):  # it is there already, or lacks something
        return False
    return True


def _read_rows(
    reader: sqlite3.Connection, table: str, columns: list[str], keys: list[str]
) -> _Found:
    """Yield the rows of a table, and from both of its ends where a page is broken between."""
    query = f"SELECT {', '.join(columns)} FROM {table} NOT INDEXED ORDER BY {', '.join(keys)}"
    last: _Row = ()
    try:
        for row in reader.execute(query):
            yield row
            last = _key_of(row, columns, keys)
        return
    except sqlite3.DatabaseError:
        pass
    after: list[_Row] = []
    upwards = f" ORDER BY {', '.join(keys)}"
    downwards = f" ORDER BY {', '.join(f'{key} DESC' for key in keys)}"
    try:
        for row in reader.execute(query.replace(upwards, downwards)):
            if _key_of(row, columns, keys) == last:
                break
            after.append(row)
    except sqlite3.DatabaseError:
        pass
    yield from _read_one_by_one(reader, table, columns, keys, last, after)
    yield from reversed(after)


def _read_one_by_one(
    reader: sqlite3.Connection,
    table: str,
    columns: list[str],
    keys: list[str],
    last: _Row,
    after: list[_Row],
) -> _Found:
    """Yield the rows between two by their numbers, where they have one, and which are broken."""
    end = _key_of(after[-1], columns, keys) if after else ()
    numbers = [*(last or (0,)), *(end or _read_greatest(reader, table, keys))]
    if len(keys) > 1 or len(numbers) != 2 or not all(isinstance(part, int) for part in numbers):
        where = tr("after {key}", key=as_text(last)) if last else tr("at the start")
        yield DamagedRow(table, where)
        return
    query = f"SELECT {', '.join(columns)} FROM {table} NOT INDEXED WHERE {keys[0]} = ?"
    first, stop = int(str(numbers[0])) + 1, int(str(numbers[1])) + (0 if end else 1)
    for number in range(first, min(stop, first + _MOST_TRIED)):
        try:
            yield from reader.execute(query, (number,)).fetchall()
        except sqlite3.DatabaseError:
            yield DamagedRow(table, str(number))


def _read_greatest(reader: sqlite3.Connection, table: str, keys: list[str]) -> _Row:
    query = f"SELECT seq FROM sqlite_sequence WHERE name = '{table}'"
    try:
        row = reader.execute(query).fetchone() if len(keys) == 1 else None
    except sqlite3.DatabaseError:
        return ()
    return tuple(row or ())


def _key_of(row: _Row, columns: list[str], keys: list[str]) -> _Row:
    return tuple(row[columns.index(key)] for key in keys)
