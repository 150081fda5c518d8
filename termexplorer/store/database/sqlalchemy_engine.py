"""SQLAlchemy's engine over the connections of a store."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from sqlalchemy import Connection as Connection
from sqlalchemy import Engine, create_engine, event

from termexplorer.store.database.raw_sql import BUSY_SECONDS

_LOOK = 0.001  # seconds between two looks whether the write lock is free
_LET_IN = 0.004  # seconds in which others that wait for it are let in


class Alchemy:
    """Transactions for queries and operations on typed tables.

    Args:
        connect: opens a connection to the store.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._engine = _make_engine(connect)
        self._writer = self._engine.execution_options(writes=True)
        self._fillers = {
            trusted: _make_engine(partial(_connect_filler, connect, trusted)).execution_options(
                writes=True
            )
            for trusted in (False, True)
        }

    @contextmanager
    def transaction(self, *, writes: bool) -> Iterator[Connection]:
        """A connection within one transaction; one that writes takes the write lock first."""
        engine = self._writer if writes else self._engine
        with engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def filling(self, *, trusted: bool) -> Iterator[Connection]:
        """A connection that writes, within one transaction; its commits wait for no disk.

        Who fills begins again at once: those who wait to write are let in before. What `trusted`
        rows refer to is not looked up.
        """
        with self._fillers[trusted].connect() as connection, connection.begin():
            yield connection
        time.sleep(_LET_IN)

    def close(self) -> None:
        """Closes all connections."""
        self._engine.dispose()
        for filler in self._fillers.values():
            filler.dispose()


def _make_engine(connect: Callable[[], sqlite3.Connection]) -> Engine:
    engine = create_engine("sqlite:///the store's own connections", creator=connect)
    event.listen(engine, "begin", _begin_transaction)
    return engine


def _connect_filler(connect: Callable[[], sqlite3.Connection], trusted: bool) -> sqlite3.Connection:
    connection = connect()
    if trusted:
        connection.execute("PRAGMA foreign_keys=OFF")
    if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
        return connection  # without such a log, a power cut could damage what was there before
    connection.execute("PRAGMA synchronous=NORMAL")
    # pages that several batches change are written to the file once (256 MB of them)
    connection.execute("PRAGMA wal_autocheckpoint=65536")
    return connection


def _begin_transaction(connection: Connection) -> None:
    if connection.get_execution_options().get("writes", False):
        raw = connection.connection.driver_connection
        assert isinstance(raw, sqlite3.Connection)  # noqa: S101 - there is no other driver here
        _begin_writing(raw)
    else:
        connection.exec_driver_sql("BEGIN")


def _begin_writing(connection: sqlite3.Connection) -> None:
    """Takes the write lock as soon as it is free.

    SQLite itself would look every 100 ms, and miss the moments between the batches of an import:
    a verdict waited four seconds.
    """
    end = time.monotonic() + BUSY_SECONDS
    connection.execute("PRAGMA busy_timeout=0")
    try:
        while not _try_begin_writing(connection, time.monotonic() > end):
            time.sleep(_LOOK)
    finally:
        connection.execute(f"PRAGMA busy_timeout={1000 * BUSY_SECONDS}")


def _try_begin_writing(connection: sqlite3.Connection, last: bool) -> bool:
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        if last or error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        return False
    return True
