"""Plain reading: SQL over `sqlite3`, for what a window shows first and asks most.

A window is there before SQLAlchemy is, whose import takes longer than all else that a window needs.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol


class Rows(Protocol):
    """What a query found."""

    def __iter__(self) -> Iterator[Any]:
        """The rows, each a tuple."""

    def fetchone(self) -> Any:
        """The next row, or None."""


class Reader(Protocol):
    """A connection as plain queries use it: one from `Store.looking`, or any of SQLAlchemy."""

    def exec_driver_sql(self, statement: str, parameters: tuple[Any, ...] = (), /) -> Rows:
        """Runs a query."""


class PlainConnection(sqlite3.Connection):
    """SQLite's own connection, which answers plain queries as SQLAlchemy's does."""

    def exec_driver_sql(
        self, statement: str, parameters: tuple[Any, ...] = (), /
    ) -> sqlite3.Cursor:
        """Runs a query."""
        return self.execute(statement, parameters)


class Readers:
    """Plain connections that are used again: what each read of the file stays in its memory.

    Args:
        connect: opens one.
    """

    def __init__(self, connect: Callable[[], PlainConnection]) -> None:
        self._connect = connect
        self._idle: list[PlainConnection] = []

    @contextmanager
    def one(self) -> Iterator[PlainConnection]:
        """A connection that sees one moment of the store."""
        try:
            connection = self._idle.pop()
        except IndexError:  # all are in use by other threads
            connection = self._connect()
        try:
            connection.execute("BEGIN")
            yield connection
        finally:
            connection.rollback()
            self._idle.append(connection)

    def close(self) -> None:
        """Closes those that are not in use."""
        while self._idle:
            self._idle.pop().close()
