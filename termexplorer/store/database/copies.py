"""Copies of a store: made of it, and put in its place."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.files import atomic_write
from termexplorer.store.database.process_lock import LockHeldError, is_busy
from termexplorer.store.database.raw_sql import connect_read_only
from termexplorer.texts import tr

_PAGES = 2_000  # that are copied at once
_WAIT = 1  # seconds, for others to close the store
_SIDES = ("-wal", "-shm")


def copy_store(source: Path, target: Path) -> None:
    """Copies a store as it is at one moment, also while others write to it, onto the disk.

    Raises:
        UserError: it is damaged, or there is no room.
    """
    with _tell_copy_errors(source, target), closing(connect_read_only(source)) as of:
        write_copy(of, target, source)


def put_back(backup: Path, store: Path, kept_copy: Path) -> None:
    """Puts a copy in the place of a store, which is kept as a copy itself; no row comes between.

    A store that is damaged is kept as it lies, and its file is replaced.

    Args:
        backup: a sound copy.
        store: in whose place it is put.
        kept_copy: where the copy of what was there goes.

    Raises:
        TakenError: somebody has the store open.
        UserError: there is no room.
    """
    with _tell_copy_errors(backup, store):
        try:
            _fill_from_backup(store, backup, kept_copy)
        except sqlite3.OperationalError as error:
            if is_busy(error):
                raise LockHeldError from error
            raise
        except sqlite3.DatabaseError:  # it is damaged
            _replace_by_backup(store, backup, kept_copy)


def _fill_from_backup(store: Path, backup: Path, kept_copy: Path) -> None:
    with closing(sqlite3.connect(store, isolation_level=None, timeout=_WAIT)) as live:
        # whoever has it open holds this up, and whoever wants to open it waits
        live.execute("PRAGMA locking_mode=EXCLUSIVE").fetchall()
        live.execute("BEGIN EXCLUSIVE")
        live.execute("COMMIT")
        write_copy(live, kept_copy, store)
        with closing(connect_read_only(backup)) as of:
            of.backup(live, pages=_PAGES)


def _replace_by_backup(store: Path, backup: Path, kept_copy: Path) -> None:
    sides = [store.with_name(f"{store.name}{side}") for side in _SIDES]
    shutil.copy2(store, kept_copy)
    for side, name in zip(sides, _SIDES, strict=True):  # what was not written into it yet
        if side.exists():
            shutil.copy2(side, f"{kept_copy}{name}")
    with atomic_write(store) as fresh:
        copy_store(backup, fresh)
        for side in sides:
            side.unlink(missing_ok=True)


def write_copy(of: sqlite3.Connection, target: Path, source: Path) -> None:
    """Write what a connection sees to a file, which is whole and on the disk, or not there.

    Args:
        of: the connection.
        target: the file.
        source: what the connection is to, for whoever is told.

    Raises:
        UserError: it cannot be written.
    """
    with (
        _tell_copy_errors(source, target),
        atomic_write(target) as fresh,
        closing(sqlite3.connect(fresh)) as to,
    ):
        to.execute("PRAGMA synchronous=FULL")
        with _hold_moment(of):
            of.backup(to, pages=_PAGES)
        # one file by itself: reading it makes no others beside it, which a medium may not allow
        to.execute("PRAGMA journal_mode=DELETE")


@contextmanager
def _hold_moment(connection: sqlite3.Connection) -> Iterator[None]:
    """Have a connection see one moment: SQLite begins a copy anew whenever somebody writes.

    While somebody judged, a copy of a store of 250 MB did not end within an hour. Without a
    write-ahead log whoever writes would wait for all of it, so there it is left as it is.
    """
    if connection.in_transaction or connection.execute("PRAGMA journal_mode").fetchone() != (
        "wal",
    ):
        yield
        return
    connection.execute("BEGIN")
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        yield
    finally:
        connection.execute("ROLLBACK")


@contextmanager
def _tell_copy_errors(source: Path, target: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise UserError(
            tr(
                "{source} cannot be copied to {target}: {error}",
                source=source,
                target=target,
                error=error,
            )
        ) from None
