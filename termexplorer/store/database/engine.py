"""The connections to a workspace's SQLite file: safe settings, reads and writes."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from termexplorer.errors import DiskFullError, NotWritableError, StoreError, StoreGoneError
from termexplorer.store.database.raw_sql import (
    BUSY_SECONDS,
    PlainConnection,
    Readers,
    connect_read_only,
)
from termexplorer.store.file_systems import find_network_type
from termexplorer.store.private_files import make_private_file
from termexplorer.texts import mark, tr, translated

if TYPE_CHECKING:
    from termexplorer.store.database.sqlalchemy_engine import Alchemy, Connection

_PRAGMAS = ("journal_mode=WAL", "foreign_keys=ON", "synchronous=FULL")
# computers of a network share no memory, which a write-ahead log needs
_NETWORK_PRAGMAS = ("journal_mode=DELETE", "foreign_keys=ON", "synchronous=EXTRA")


class Store:
    """The tables of one workspace.

    Every write takes the write lock at its start (`BEGIN IMMEDIATE`) and is on the disk when it
    returns (`synchronous=FULL`): with SQLite's defaults updates of several writers were lost.
    Only rows that nobody sees yet are not waited for, see `filling`.

    Args:
        path: of the file.
        read_only: why nothing can be written to it; "" where it can.
        is_full: whether that is because the disk takes no more.

    Attributes:
        path: the file.
        network: the type of the file system of a network that it lies on; "" on a local one.
    """

    def __init__(self, path: Path, read_only: str = "", *, is_full: bool = False) -> None:
        self.path = path
        self.read_only = read_only
        self._refusal = DiskFullError if is_full else NotWritableError
        self._raw: list[sqlite3.Connection] = []
        self._readers = Readers(self._connected)
        self._lock = threading.Lock()
        self._alchemy: Alchemy | None = None
        self._file: tuple[int, int] | None = None
        self.network = find_network_type(path)

    @contextmanager
    def looking(self) -> Iterator[PlainConnection]:
        """A connection that sees one moment of the store, for queries in plain SQL."""
        with _as_user_error(self.path), self._readers.one() as connection:
            yield connection

    @contextmanager
    def reading(self) -> "Iterator[Connection]":
        """A connection that sees one moment of the store, for queries of all kinds."""
        with _as_user_error(self.path), self._typed().transaction(writes=False) as connection:
            yield connection

    @contextmanager
    def writing(self) -> "Iterator[Connection]":
        """A connection whose changes are all kept, or none if an error is raised."""
        self.check_writable()
        with _as_user_error(self.path):
            with self._typed().transaction(writes=True) as connection:
                yield connection
                self._check_in_place()  # what is refused is not written either: it is tried again
            self._check_in_place()

    @contextmanager
    def filling(self, *, trusted: bool = False) -> "Iterator[Connection]":
        """As `writing`, for rows that nobody sees until a commit of `writing` shows them.

        Its own commits wait for no disk: a power cut may take the last of them, but only all
        together with that one, which puts all before it on the disk. Waiting took a third of a
        long import.

        Args:
            trusted: whether rows are added alone, and what they refer to was added before, so that
                SQLite need not look it up for each: this took a third of adding them.
        """
        self.check_writable()
        with _as_user_error(self.path):
            with self._typed().filling(trusted=trusted) as connection:
                yield connection
                self._check_in_place()
            self._check_in_place()

    def check_writable(self) -> None:
        """Refuse to write to a store that is open for reading only.

        Raises:
            NotWritableError: it is.
        """
        if self.read_only:
            raise self._refusal(
                tr(
                    "{path}: is open for reading only, since nothing can be written there "
                    "({why}); copy the workspace to another disk, or make room on this one",
                    path=self.path,
                    why=self.read_only,
                )
            )

    def save_copy(self, target: Path) -> None:
        """Write what this program sees of the store to another file, wherever the store is by now.

        Args:
            target: the file, which is not there yet.

        Raises:
            UserError: it cannot be written.
        """
        from termexplorer.store.database.copies import write_copy

        with self._readers.one() as connection:
            write_copy(connection, target, self.path)

    def write_log_aside(self) -> None:
        """Write what the log beside the file has into the file, as far as nobody waits for it."""
        with _as_user_error(self.path), self._readers.one() as connection:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def write_log_into_file(self) -> None:
        """Write what commits left in the log beside the file into it, so that the log is empty."""
        with _as_user_error(self.path), closing(self._connect_writer()) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def interrupt(self) -> None:
        """Stops what is running in SQLite, from another thread; it raises `InterruptedError`."""
        for connection in list(self._raw):
            connection.interrupt()

    def close(self) -> None:
        """Closes all connections."""
        self._raw.clear()
        self._readers.close()
        self._file = None
        if self._alchemy:
            self._alchemy.close()

    def _connect_writer(self) -> PlainConnection:
        return _connect_store(self.path, _NETWORK_PRAGMAS if self.network else _PRAGMAS)

    def _connected(self) -> PlainConnection:
        if self._file is not None:
            self._check_in_place()  # SQLite would make a new, empty file
        connection = _connect_reader(self.path) if self.read_only else self._connect_writer()
        self._file = _file_id(self.path)
        self._raw.append(connection)
        return connection

    def _check_in_place(self) -> None:
        """Refuse to acknowledge what was written to a file that is no longer the store.

        A sync client, or a person, deletes, moves or replaces a file under an open program, which
        goes on to write into what has no name any more.
        """
        if self._file != _file_id(self.path):
            raise StoreGoneError(
                tr(
                    "{path}: was deleted, moved or replaced while it was open, and what you did "
                    "last is not in it; save a copy of what is open elsewhere, then put the file "
                    "back or restore a backup",
                    path=self.path,
                )
            )

    def _typed(self) -> "Alchemy":
        from termexplorer.store.database.sqlalchemy_engine import (
            Alchemy,  # a window shows before it is imported
        )

        with self._lock:
            if self._alchemy is None:
                self._alchemy = Alchemy(self._connected)
        return self._alchemy


class ChangeWatch:
    """Tells whether anybody wrote to a store since it was asked last.

    Raises:
        UserError: there is no store at its place.
    """

    def __init__(self, path: Path) -> None:
        # data_version is a connection's own, so the watch needs one of its own
        with _as_user_error(path):
            self._connection = connect_read_only(path)
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


def _connect_store(path: Path, pragmas: tuple[str, ...]) -> PlainConnection:
    is_new = True
    with suppress(OSError):  # which SQLite tells in its own words
        make_private_file(path)
        is_new = path.stat().st_size == 0
    connection = sqlite3.connect(
        path,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,  # one thread at a time has it, not always the same
        factory=PlainConnection,
    )
    if is_new:
        # what is free in it can be given back step by step, where there is no room for a copy;
        # to a store that is there this would write at each opening, and wait for others' writing
        connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
    for pragma in pragmas:
        connection.execute(f"PRAGMA {pragma}")
    # big workspaces: pages of the search index stay in memory between keystrokes
    connection.execute("PRAGMA cache_size=-65536")
    # pages that several commits change are written to the file once (16 MB of them)
    connection.execute("PRAGMA wal_autocheckpoint=4096")
    return connection


def _connect_reader(path: Path) -> PlainConnection:
    connection = connect_read_only(path)
    connection.execute("PRAGMA cache_size=-65536")
    connection.execute("PRAGMA temp_store=MEMORY")  # the disk may be full
    return connection


def _file_id(path: Path) -> tuple[int, int] | None:
    """Return the device and inode of a file; None where it is not there."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


@contextmanager
def _as_user_error(path: Path) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        cause = getattr(error, "orig", error)  # SQLAlchemy holds SQLite's own so
        if not isinstance(cause, sqlite3.DatabaseError | UnicodeDecodeError):
            raise
        if "interrupted" in str(cause):
            raise InterruptedError("stopped") from error
        for sign, kind, template in _WORLD:
            if sign in str(cause):
                raise kind(f"{path}: {translated(template)}") from error
        raise


_DAMAGED = mark(
    "is damaged; `termexplorer workspace check --mend` puts right what can be, and names the "
    "backup that has the rest"
)
_WORLD: tuple[tuple[str, type[StoreError], str], ...] = (
    (
        "not a database",
        StoreError,
        mark("is not a termexplorer store; choose another workspace folder"),
    ),
    ("malformed", StoreError, _DAMAGED),
    ("unsupported file format", StoreError, _DAMAGED),
    ("codec can't decode", StoreError, _DAMAGED),
    ("no such table", StoreError, _DAMAGED),
    ("no such column", StoreError, _DAMAGED),
    ("no such module", StoreError, _DAMAGED),
    ("vtable", StoreError, _DAMAGED),
    ("not decode", StoreError, _DAMAGED),
    ("disk is full", DiskFullError, mark("no room left on the disk; make room and try again")),
    (
        "disk I/O",
        DiskFullError,
        mark("the disk takes or gives nothing; see that it is there, has room, and try again"),
    ),
    (
        "readonly",
        NotWritableError,
        mark("cannot be written to; check the rights of the workspace folder"),
    ),
    ("locked", StoreError, mark("another program keeps the store locked; close it and try again")),
    (
        "unable to open",
        NotWritableError,
        mark("cannot be opened; check the rights of the workspace folder"),
    ),
)
