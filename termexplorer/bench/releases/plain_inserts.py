"""The rows of a workspace put into another file with plain `sqlite3`: the least an import does."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from termexplorer.store.indexes.fulltext import INDEXES

_TABLES = ("terminology", "release", "concept", "name", "sorted_name", "identifier", "is_a")
_AT_ONCE = 20_000  # rows, so that millions of them need no memory


def plain_inserts(source: Path, target: Path) -> float:
    """Seconds to insert the same rows, with the same indexes, in one plain transaction.

    Args:
        source: The store of a workspace; reading it is not counted.
        target: The file to make.
    """
    seconds = 0.0
    with closing(sqlite3.connect(source)) as read, closing(sqlite3.connect(target)) as write:
        for name, sql in read.execute("SELECT name, sql FROM sqlite_master WHERE sql <> ''"):
            if not name.startswith(("search_words_", "search_trigrams_", "sqlite_")):
                write.execute(sql)
        for table in _TABLES:
            seconds += _time_inserts(write, table, _read_blocks(read, f"SELECT * FROM {table}"))
        for index in INDEXES:
            rows = _read_blocks(read, "SELECT id, text FROM searchable")
            seconds += _time_inserts(write, f"{index}(rowid, text)", rows)
        start = time.perf_counter()
        write.commit()
        return seconds + time.perf_counter() - start


def _read_blocks(connection: sqlite3.Connection, query: str) -> Iterator[list[Any]]:
    cursor = connection.execute(query)
    while rows := cursor.fetchmany(_AT_ONCE):
        yield rows


def _time_inserts(connection: sqlite3.Connection, table: str, parts: Iterator[list[Any]]) -> float:
    seconds = 0.0
    for rows in parts:
        marks = ", ".join("?" * len(rows[0]))
        start = time.perf_counter()
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
        seconds += time.perf_counter() - start
    return seconds
