"""A right that one holder at a time has, and that the system takes back when its process dies."""

import sqlite3
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from termexplorer.errors import UserError
from termexplorer.store.private_files import make_private_file
from termexplorer.texts import tr

_PRIMARY = 0xFF  # the part of SQLite's codes that tells the kind


class LockHeldError(Exception):
    """Somebody else has the right."""


class ProcessLock:
    """SQLite's own lock on an empty database, so that it works wherever a store does.

    Args:
        path: a file of its own for the right; it stays when the right is let go.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._held: sqlite3.Connection | None = None

    def take(self) -> None:
        """Takes the right, at once or not at all; it may be had already.

        Raises:
            LockHeldError: somebody else has it.
            UserError: its file cannot be made or locked.
        """
        if self._path.is_symlink():  # SQLite would make or open the file that it leads to
            raise UserError(tr("{path}: is a link; remove it", path=self._path))
        if self._held is None:
            try:
                self._held = _open_locked(self._path)
            except sqlite3.OperationalError as error:
                if is_busy(error):
                    raise LockHeldError from error
                raise UserError(
                    tr(
                        "{path}: cannot be locked ({error}); check the rights of its folder",
                        path=self._path,
                        error=error,
                    )
                ) from error

    def let_go(self) -> None:
        """Gives the right back, if it is had."""
        if self._held:
            held, self._held = self._held, None
            held.close()

    def __enter__(self) -> Self:
        """Takes the right."""
        self.take()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """Gives it back."""
        self.let_go()


def is_busy(error: sqlite3.OperationalError) -> bool:
    """Whether SQLite says that somebody else holds a lock."""
    return error.sqlite_errorcode & _PRIMARY == sqlite3.SQLITE_BUSY


def _open_locked(path: Path) -> sqlite3.Connection:
    with suppress(OSError):  # which SQLite tells in its own words
        make_private_file(path)
    connection = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode=OFF")  # nothing is ever written
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        connection.close()
        raise
    return connection
