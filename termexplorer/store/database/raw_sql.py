"""Plain reading: SQL over `sqlite3`, for what a window shows first and asks most.

A window is there before SQLAlchemy is, whose import takes longer than all else that a window needs.
"""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from termexplorer.store.database.process_lock import is_busy

BUSY_SECONDS = 30
_STEPS = 50  # of SQLite's machine between two looks at the clock; a full-text index takes few


class ResultRows(Protocol):
    """What a query found."""

    def __iter__(self) -> Iterator[Any]:
        """The rows, each a tuple."""

    def fetchone(self) -> Any:
        """The next row, or None."""


class SqlReader(Protocol):
    """A connection as plain queries use it: one from `Store.looking`, or any of SQLAlchemy."""

    def exec_driver_sql(self, statement: str, parameters: tuple[Any, ...] = (), /) -> ResultRows:
        """Runs a query."""


class PlainConnection(sqlite3.Connection):
    """SQLite's own connection, which answers plain queries as SQLAlchemy's does."""

    def exec_driver_sql(
        self, statement: str, parameters: tuple[Any, ...] = (), /
    ) -> sqlite3.Cursor:
        """Runs a query."""
        return self.execute(statement, parameters)


def connect_read_only(path: Path) -> PlainConnection:
    """Open a store's file without the right to change it, on a read-only or full medium too.

    Args:
        path: absolute, or relative to the current directory.

    Raises:
        sqlite3.DatabaseError: there is no such file, it cannot be read, or it is no database.
    """
    address = f"{path.absolute().as_uri()}?mode=ro"
    connection = _connect_by_address(address)
    try:
        connection.execute("PRAGMA schema_version").fetchone()
    except sqlite3.OperationalError as error:
        connection.close()
        if is_busy(error) or not path.is_file() or _has_unwritten_pages(path):
            raise
        # SQLite cannot make the files that it shares with writers, and there are no writers
        return _connect_by_address(f"{address}&immutable=1")
    except BaseException:
        connection.close()
        raise
    return connection


def _connect_by_address(address: str) -> PlainConnection:
    return sqlite3.connect(
        address,
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,  # one thread at a time has it, not always the same
        factory=PlainConnection,
    )


def _has_unwritten_pages(path: Path) -> bool:
    """Return whether the log beside a store holds pages that are not in its file yet."""
    log = path.with_name(f"{path.name}-wal")
    return log.is_file() and log.stat().st_size > 0


class Deadline:
    """How long a thread may work for a query.

    Args:
        end: by `time.thread_time`.

    Attributes:
        missed: whether the query was not done by then.
    """

    def __init__(self, end: float) -> None:
        self.end = end
        self.missed = False


def rows_until(
    connection: PlainConnection, deadline: Deadline, statement: str, parameters: tuple[Any, ...]
) -> Iterator[Any]:
    """The rows of a query that it finds until its thread has worked so long.

    What a thread waits for on a busy computer does not count, so that the answer is as good there.

    Args:
        connection: Asked for nothing else meanwhile.
        deadline: Is told whether rows are missing.
        statement: The query.
        parameters: Its values.
    """
    connection.set_progress_handler(lambda: time.thread_time() > deadline.end, _STEPS)
    try:
        yield from connection.execute(statement, parameters)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
            raise
        deadline.missed = True
    finally:
        connection.set_progress_handler(None, 0)


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
