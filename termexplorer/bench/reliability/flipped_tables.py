"""Bits of a store that are flipped, table by table: which of them change content, and where."""

from __future__ import annotations

import sqlite3
import struct
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random

Key = tuple[str, ...]
Rows = dict[Key, tuple[object, ...]]
AGAIN = "again "  # begins what is put to a key that stands there more than once
_DRAWS = 10_000  # of a bit, until one changes content
_INNER_PAGES, _TREE_PAGES = (2, 5), (2, 5, 10, 13)
_HEAD = 100  # bytes of the file's own before the first page's


@dataclass(frozen=True)
class TableBits:
    """The bytes of a table in a store's file.

    Args:
        store: the file, with nothing in a log beside it.
        table: its name.
    """

    store: Path
    table: str

    @cached_property
    def whole(self) -> bytes:
        """The file as it was."""
        return self.store.read_bytes()

    @cached_property
    def rows(self) -> Rows | None:
        """The rows as they were."""
        return read_rows(self.store, self.table)

    @cached_property
    def _pages(self) -> list[tuple[int, int]]:
        with closing(sqlite3.connect(f"{self.store.as_uri()}?mode=ro", uri=True)) as connection:
            query = "SELECT pgoffset, pgsize FROM dbstat WHERE name = ? ORDER BY pgoffset"
            pages = connection.execute(query, (self.table,)).fetchall()
        return [(max(offset, _HEAD), offset + size) for offset, size in pages]

    @cached_property
    def _places(self) -> list[tuple[int, int]]:
        """Where the pages have something: head and pointers, and what they point to."""
        places = []
        for start, end in self._pages:
            page = start if start != _HEAD else 0
            kind, _, cells, content = struct.unpack_from(">BHHH", self.whole, start)
            if kind not in _TREE_PAGES:  # it goes on with a long row
                places.append((start, end))
                continue
            head = (12 if kind in _INNER_PAGES else 8) + 2 * cells
            places += [(start, start + head), (page + (content or 65536), end)]
        return [(start, end) for start, end in places if start < end]

    def flip(self, draw: Random) -> list[Key] | None:
        """Flip a bit of the file that changes the table's rows.

        Returns:
            The keys of the rows that it changed; None where they cannot be read any more.
        """
        whole, rows = self.whole, self.rows  # before the first change
        for _ in range(_DRAWS):
            start, end = draw.choices(self._places, [end - start for start, end in self._places])[0]
            changed = bytearray(whole)
            changed[draw.randrange(start, end)] ^= 1 << draw.randrange(8)
            self.store.write_bytes(changed)
            flipped_rows = read_rows(self.store, self.table)
            if flipped_rows != rows:
                return None if flipped_rows is None else list_differing(rows or {}, flipped_rows)
        raise RuntimeError(f"no bit of {self.table} changes anything")

    def put_back(self) -> None:
        """Put the file back as it was."""
        for side in ("-wal", "-shm"):
            self.store.with_name(f"{self.store.name}{side}").unlink(missing_ok=True)
        self.store.write_bytes(self.whole)


def list_tables(store: Path) -> list[str]:
    """Return the tables of a store that have rows, their copies and search indexes among them."""
    with _open_unchecked(store) as connection:
        names = [
            name.decode()
            for (name,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 ORDER BY name"
            )
        ]
        return [name for name in names if connection.execute(f"SELECT 1 FROM {name}").fetchone()]


def read_rows(store: Path, table: str) -> Rows | None:
    """Return the rows of a table by their keys, texts as bytes; None where they can't be read."""
    with _open_unchecked(store) as connection:
        try:
            keys = _key_columns(connection, table)
            order = ", ".join(str(index + 1) for index in keys)  # an index has no part in it then
            query = f"SELECT * FROM {table} NOT INDEXED ORDER BY {order}"
            content = connection.execute(query).fetchall()
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            return None
    rows_by_key: Rows = {}
    seen: Counter[Key] = Counter()
    for row in content:
        key = tuple(_as_text(row[index]) for index in keys)
        seen[key] += 1
        again = () if seen[key] == 1 else (f"{AGAIN}{seen[key]}",)
        rows_by_key[*key, *again] = tuple(map(_as_value, row))
    return rows_by_key


def list_differing(before: Rows, after: Rows) -> list[Key]:
    """Return the keys of rows that are not the same, or that only one has."""
    return sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))


def _key_columns(connection: sqlite3.Connection, table: str) -> list[int]:
    columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
    keys = sorted((row[5], row[0]) for row in columns if row[5])
    return [index for _order, index in keys] or [0]


def _as_value(cell: object) -> object:
    return (type(cell).__name__, repr(cell))  # 1 is not 1.0, and no number itself


def _as_text(cell: object) -> str:
    return cell.decode("utf-8", "backslashreplace") if isinstance(cell, bytes) else str(cell)


@contextmanager
def _open_unchecked(store: Path) -> Iterator[sqlite3.Connection]:
    address = f"{store.as_uri()}?mode=ro&immutable=1"
    with closing(sqlite3.connect(address, uri=True)) as connection:
        connection.text_factory = bytes
        yield connection
