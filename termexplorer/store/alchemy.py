"""SQLAlchemy's engine over the connections of a store."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import Connection as Connection
from sqlalchemy import Engine, create_engine, event


class Alchemy:
    """Transactions for queries and operations on typed tables.

    Args:
        connect: opens a connection to the store.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._engine = _engine(connect)
        self._writer = self._engine.execution_options(writes=True)
        self._filler = _engine(lambda: _for_filling(connect())).execution_options(writes=True)

    @contextmanager
    def transaction(self, *, writes: bool) -> Iterator[Connection]:
        """A connection within one transaction; one that writes takes the write lock first."""
        engine = self._writer if writes else self._engine
        with engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def filling(self) -> Iterator[Connection]:
        """A connection that writes, within one transaction; its commits wait for no disk."""
        with self._filler.connect() as connection, connection.begin():
            yield connection

    def close(self) -> None:
        """Closes all connections."""
        self._engine.dispose()
        self._filler.dispose()


def _engine(connect: Callable[[], sqlite3.Connection]) -> Engine:
    engine = create_engine("sqlite:///the store's own connections", creator=connect)
    event.listen(engine, "begin", _begin)
    return engine


def _for_filling(connection: sqlite3.Connection) -> sqlite3.Connection:
    connection.execute("PRAGMA synchronous=NORMAL")
    # pages that several batches change are written to the file once (256 MB of them)
    connection.execute("PRAGMA wal_autocheckpoint=65536")
    return connection


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
