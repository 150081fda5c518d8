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
    for table in _copied_tables(connection):
        columns, keys = _table_columns(connection, table)
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

    Args:
        connection: plain, to a store with copies; what texts are damaged is of no matter.
    """
    for table in _copied_tables(connection):
        columns, keys = _table_columns(connection, table)
        copy = f"{_PREFIX}{table}"
        key = " || ' ' || ".join(f"quote({name})" for name in keys)
        # letters of another case are not the same here, whatever a column says
        exactly = ", ".join(f"{column} COLLATE BINARY AS {column}" for column in columns)
        mine, other = (f"SELECT {exactly} FROM {each} NOT INDEXED" for each in (table, copy))
        differing: set[str] = set()
        for query in (f"{mine} EXCEPT {other}", f"{other} EXCEPT {mine}"):
            rows = connection.execute(f"SELECT CAST({key} AS BLOB) FROM ({query})")
            differing.update(row[0].decode("utf-8", "backslashreplace") for row in rows)
        yield from (DamagedRow(table, row) for row in sorted(differing))


def _copied_tables(connection: "Connection | sqlite3.Connection") -> list[str]:
    query = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
    names = [str(name) for (name,) in _run_query(connection, query)]
    left_out = {*LARGE, *_OTHERS}
    return [
        name
        for name in names
        if name not in left_out and not name.startswith(("sqlite_", "search_", _PREFIX))
    ]


def _table_columns(
    connection: "Connection | sqlite3.Connection", table: str
) -> tuple[list[str], list[str]]:
    """Return the names of a table's columns, quoted, and those of its primary key in order."""
    rows = list(_run_query(connection, f"PRAGMA table_info({table})"))
    columns = [f'"{row[1]}"' for row in rows]
    keys = [f'"{row[1]}"' for row in sorted(rows, key=lambda row: row[5]) if row[5]]
    return columns, keys


def _run_query(connection: "Connection | sqlite3.Connection", query: str) -> list[tuple[Any, ...]]:
    if isinstance(connection, sqlite3.Connection):
        return [tuple(row) for row in connection.execute(query)]
    return [tuple(row) for row in connection.exec_driver_sql(query)]
