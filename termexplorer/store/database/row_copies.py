"""A second copy of each row of the small tables, by which a damaged row is told from a sound one.

SQLite notices a page whose structure is broken, but not a text or number that a bad disk changed.
Triggers keep the copies, so that whatever writes a row writes its copy in the same transaction.
Tables of whole releases are too large for this; `row_checksums` holds for them. The log of verdicts
is chained by its own hashes.
"""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Connection

Row = tuple[Any, ...]
_PREFIX = "copy_of_"
LARGE = ("concept", "name", "sorted_name", "identifier", "is_a")
_OTHERS = ("verdict", "alembic_version", "row_checksum", "lookup_key", "name_word")


@dataclass(frozen=True, slots=True)
class DamagedRow:
    """A row that is not what was written.

    Attributes:
        table: its table.
        key: its primary key, as text.
        large: whether it is of a release's content, which is imported as a whole.
    """

    table: str
    key: str
    large: bool = False


def install_row_copies(connection: "Connection") -> None:
    """Make the copies and their triggers anew from the rows and columns that there are.

    To be called after each change of the tables; the rows are taken as sound.
    """
    run = connection.exec_driver_sql
    for table in list_copied_tables(connection):
        columns, keys = table_columns(connection, table)
        copy, names = f"{_PREFIX}{table}", ", ".join(columns)
        run(f"DROP TABLE IF EXISTS {copy}")
        run(f"CREATE TABLE {copy} ({names}, PRIMARY KEY ({', '.join(keys)}))")
        run(f"INSERT INTO {copy} SELECT {names} FROM {table}")
        new = ", ".join(f"NEW.{column}" for column in columns)
        old = " AND ".join(f"{key} IS OLD.{key}" for key in keys)
        add = f"INSERT OR REPLACE INTO {copy} VALUES ({new});"
        drop = f"DELETE FROM {copy} WHERE {old};"
        for event, body in (("INSERT", add), ("UPDATE", drop + add), ("DELETE", drop)):
            trigger = f"{copy}_{event.lower()}"
            run(f"DROP TRIGGER IF EXISTS {trigger}")
            run(f"CREATE TRIGGER {trigger} AFTER {event} ON {table} BEGIN {body} END")


def find_damaged_rows(connection: sqlite3.Connection) -> Iterator[DamagedRow]:
    """Yield the rows that differ from their copies, or that only one of the two has.

    A table of which a page is broken is read row by row, by the keys of its copy or its own.

    Args:
        connection: plain, to a store with copies; what texts are damaged is of no matter.
    """
    for table in _list_with_copies(connection):
        try:
            keys = _find_differing_keys(connection, table)
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            keys = _find_unreadable_keys(connection, table) or {""}
        yield from (DamagedRow(table, key) for key in sorted(keys))
    yield from _find_wrong_counters(connection)


def _find_wrong_counters(connection: sqlite3.Connection) -> Iterator[DamagedRow]:
    """Yield those of SQLite's counters of ids that are of no table, or behind the ids there are."""
    query = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'"
    tables = {name for (name,) in connection.execute(query)}
    if not tables:  # a store of an early version
        return
    try:
        counters = dict(connection.execute("SELECT name, seq FROM sqlite_sequence").fetchall())
        least = {
            table: connection.execute(f"SELECT max(id) FROM {table} NOT INDEXED").fetchone()[0]
            for table in sorted(tables)
        }
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        yield DamagedRow("sqlite_sequence", "")
        return
    wrong = {name for name in counters if name not in tables}
    for table, newest in least.items():
        counter = counters.get(table)
        if newest is not None and not (isinstance(counter, int) and counter >= newest):
            wrong.add(table)
    yield from (DamagedRow("sqlite_sequence", repr(name)) for name in sorted(map(str, wrong)))


def _find_differing_keys(connection: sqlite3.Connection, table: str) -> set[str]:
    mine, other = (
        _select_exactly(connection, table, from_table) for from_table in _both_tables(table)
    )
    key = _key_as_text(connection, table)
    keys: set[str] = set()
    for query in (f"{mine} EXCEPT {other}", f"{other} EXCEPT {mine}"):
        rows = connection.execute(f"SELECT CAST({key} AS BLOB) FROM ({query})")
        keys.update(row[0].decode("utf-8", "backslashreplace") for row in rows)
    return keys


def compare_with_copies(
    connection: sqlite3.Connection,
) -> Iterator[tuple[str, Row, Row | None, Row | None]]:
    """Yield the tables and keys of rows that differ from their copies, with the row and its copy.

    Args:
        connection: gives texts as bytes.

    Raises:
        sqlite3.DatabaseError: a page cannot be read.
    """
    for table in _list_with_copies(connection):
        columns, keys = table_columns(connection, table)
        places = [columns.index(key) for key in keys]
        mine, other = (
            _select_exactly(connection, table, from_table) for from_table in _both_tables(table)
        )
        rows_by_key: list[dict[Row, Row]] = []
        for query in (f"{mine} EXCEPT {other}", f"{other} EXCEPT {mine}"):
            rows = map(tuple, connection.execute(query))
            rows_by_key.append({tuple(row[index] for index in places): row for row in rows})
        for key in dict.fromkeys([*rows_by_key[0], *rows_by_key[1]]):
            yield table, key, rows_by_key[0].get(key), rows_by_key[1].get(key)


def copy_of(table: str) -> str:
    """Return the name of the table with the copies of a table's rows."""
    return f"{_PREFIX}{table}"


def _find_unreadable_keys(connection: sqlite3.Connection, table: str) -> set[str]:
    """Return the keys of rows of which one of the two cannot be read, or is another."""
    columns = table_columns(connection, table)[1]
    where = " AND ".join(f"{name} IS ?" for name in columns)
    keys: set[str] = set()
    for key in _list_keys(connection, table, columns):
        rows = []
        for source_table in _both_tables(table):
            query = f"{_select_exactly(connection, table, source_table)} WHERE {where}"
            try:
                rows.append(connection.execute(query, key).fetchall())
            except (sqlite3.DatabaseError, UnicodeDecodeError):
                rows.append([])
        if not rows[0] or rows[0] != rows[1]:
            written = " || ' ' || ".join("quote(?)" for _ in key)
            keys.add(str(connection.execute(f"SELECT {written}", key).fetchone()[0]))
    return keys


def _list_keys(
    connection: sqlite3.Connection, table: str, columns: list[str]
) -> set[tuple[Any, ...]]:
    """Return the keys of a table and of its copy, as far as they can be read."""
    keys: set[tuple[Any, ...]] = set()
    for source_table in _both_tables(table):
        try:
            for row in connection.execute(f"SELECT {', '.join(columns)} FROM {source_table}"):
                keys.add(tuple(row))
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            continue
    return keys


def _both_tables(table: str) -> tuple[str, str]:
    return table, copy_of(table)


def _select_exactly(connection: sqlite3.Connection, table: str, of: str) -> str:
    """Return a query for all columns, to which letters of another case are not the same."""
    columns = table_columns(connection, table)[0]
    exactly = ", ".join(f"{column} COLLATE BINARY AS {column}" for column in columns)
    return f"SELECT {exactly} FROM {of} NOT INDEXED"


def _key_as_text(connection: sqlite3.Connection, table: str) -> str:
    return " || ' ' || ".join(f"quote({name})" for name in table_columns(connection, table)[1])


def list_copied_tables(connection: "Connection | sqlite3.Connection") -> list[str]:
    """Return the tables whose rows have copies, or are to have them."""
    query = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
    names = [_as_name(name) for (name,) in _run_query(connection, query)]
    left_out = {*LARGE, *_OTHERS}
    return [
        name
        for name in names
        if name not in left_out and not name.startswith(("sqlite_", "search_", _PREFIX))
    ]


def _list_with_copies(connection: sqlite3.Connection) -> list[str]:
    """Return the tables that have copies; a store of an older version has fewer, or none."""
    existing = {_as_name(name) for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    return [table for table in list_copied_tables(connection) if f"{_PREFIX}{table}" in existing]


def table_columns(
    connection: "Connection | sqlite3.Connection", table: str
) -> tuple[list[str], list[str]]:
    """Return the names of a table's columns, quoted, and those of its primary key in order."""
    rows = list(_run_query(connection, f"PRAGMA table_info({table})"))
    columns = [f'"{_as_name(row[1])}"' for row in rows]
    keys = [f'"{_as_name(row[1])}"' for row in sorted(rows, key=lambda row: row[5]) if row[5]]
    return columns, keys


def _as_name(name: str | bytes) -> str:
    return name.decode("utf-8", "backslashreplace") if isinstance(name, bytes) else name


def _run_query(connection: "Connection | sqlite3.Connection", query: str) -> list[tuple[Any, ...]]:
    if isinstance(connection, sqlite3.Connection):
        return [tuple(row) for row in connection.execute(query)]
    return [tuple(row) for row in connection.exec_driver_sql(query)]
