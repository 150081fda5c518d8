"""A right that one holder at a time has, and that the system takes back when its process dies."""

import sqlite3
from pathlib import Path
from types import TracebackType
from typing import Self


class TakenError(Exception):
    """Somebody else has the right."""


class Claim:
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
            TakenError: somebody else has it.
        """
        if self._held:
            return
        connection = sqlite3.connect(
            self._path, timeout=0, isolation_level=None, check_same_thread=False
        )
        try:
            connection.execute("PRAGMA journal_mode=OFF")  # nothing is ever written
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            connection.close()
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise TakenError from error
            raise
        self._held = connection

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
