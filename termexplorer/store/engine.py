"""The connection to a workspace's SQLite file: safe settings, reads and writes."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection as Connection
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.exc import DatabaseError

from termexplorer.errors import UserError

_BUSY_SECONDS = 30


class Store:
    """The tables of one workspace.

    Every write takes the write lock at its start (`BEGIN IMMEDIATE`) and is on the disk when it
    returns (`synchronous=FULL`): with SQLite's defaults updates of several writers were lost.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._raw: list[sqlite3.Connection] = []
        self._engine = _engine(path)
        event.listen(self._engine, "connect", self._remember)
        self._writer = self._engine.execution_options(writes=True)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees one moment of the store."""
        with _as_user_error(self.path), self._engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection whose changes are all kept, or none if an error is raised."""
        with _as_user_error(self.path), self._writer.connect() as connection, connection.begin():
            yield connection

    def interrupt(self) -> None:
        """Stops what is running in SQLite, from another thread; it raises `InterruptedError`."""
        for connection in list(self._raw):
            connection.interrupt()

    def _remember(self, connection: sqlite3.Connection, _record: object) -> None:
        self._raw.append(connection)

    def close(self) -> None:
        """Closes all connections."""
        self._engine.dispose()


class ChangeWatch:
    """Tells whether anybody wrote to a store since it was asked last."""

    def __init__(self, path: Path) -> None:
        # data_version is a connection's own, so the watch needs one of its own
        self._connection = sqlite3.connect(path, check_same_thread=False)
        self._seen = self._version()

    def changed(self) -> bool:
        """Whether the store was written to since the last call."""
        before, self._seen = self._seen, self._version()
        return self._seen != before

    def close(self) -> None:
        """Closes the connection."""
        self._connection.close()

    def _version(self) -> int:
        return int(self._connection.execute("PRAGMA data_version").fetchone()[0])


def _engine(path: Path) -> Engine:
    engine = create_engine(
        f"sqlite:///{path}", connect_args={"timeout": _BUSY_SECONDS, "isolation_level": None}
    )
    event.listen(engine, "connect", _settings)
    event.listen(engine, "begin", _begin)
    return engine


def _settings(connection: sqlite3.Connection, _record: object) -> None:
    for pragma in ("journal_mode=WAL", "foreign_keys=ON", "synchronous=FULL"):
        connection.execute(f"PRAGMA {pragma}")
    # big workspaces: pages of the search index stay in memory between keystrokes
    connection.execute("PRAGMA cache_size=-65536")
    # long imports: pages that several batches change are written to the file once (16 MB of them)
    connection.execute("PRAGMA wal_autocheckpoint=4096")


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def _as_user_error(path: Path) -> Iterator[None]:
    try:
        yield
    except DatabaseError as error:
        text = str(error.orig)
        if "interrupted" in text:
            raise InterruptedError("stopped") from error
        for sign, what in _WORLD:
            if sign in text:
                raise UserError(f"{path}: {what}") from error
        raise


_WORLD = (
    ("not a database", "is not a termexplorer store; choose another workspace folder"),
    ("malformed", "is damaged; put back the newest copy from the folder `backups` beside it"),
    ("disk is full", "no room left on the disk; make room and try again"),
    ("disk I/O", "the disk takes or gives nothing; see that it is there, has room, and try again"),
    ("readonly", "cannot be written to; check the rights of the workspace folder"),
    ("locked", "another program keeps the store locked; close it and try again"),
    ("unable to open", "cannot be opened; check the rights of the workspace folder"),
)
