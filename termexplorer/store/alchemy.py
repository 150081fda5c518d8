"""SQLAlchemy's engine over the connections of a store."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import Connection as Connection
from sqlalchemy import create_engine, event


class Alchemy:
    """Transactions for queries and operations on typed tables.

    Args:
        connect: opens a connection to the store.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._engine = create_engine("sqlite:///the store's own connections", creator=connect)
        event.listen(self._engine, "begin", _begin)
        self._writer = self._engine.execution_options(writes=True)

    @contextmanager
    def transaction(self, *, writes: bool) -> Iterator[Connection]:
        """A connection within one transaction; one that writes takes the write lock first."""
        engine = self._writer if writes else self._engine
        with engine.connect() as connection, connection.begin():
            yield connection

    def close(self) -> None:
        """Closes all connections."""
        self._engine.dispose()


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
