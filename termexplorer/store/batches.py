"""Concepts and names of a release, written by short batches with their rows of the search indexes.

A third of an import passes in commits, in which SQLite writes the search indexes; the next batch
is put together meanwhile, on the other core.
"""

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from sqlalchemy import Connection

from termexplorer.store.engine import Store
from termexplorer.store.fulltext import INDEXES

_ADD_CONCEPT = "INSERT INTO concept VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_ADD_NAME = "INSERT INTO name VALUES (?, ?, ?, ?, ?, ?)"
_ADD_IDENTIFIER = "INSERT INTO identifier VALUES (?, ?, ?, ?, ?)"


@dataclass
class Batch:
    """Rows of one short transaction, without their ids where SQLite is to give them."""

    concepts: list[tuple[int, int, str, str, str, str, str, bool, bool, str | None]] = field(
        default_factory=list
    )
    names: list[tuple[int, str, str, str]] = field(default_factory=list)
    identifiers: list[tuple[int, str, str]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.concepts) + len(self.names)


class BatchWriter:
    """Writes the batches of one release; leaving it as a context waits for the last of them.

    Args:
        store: Where to.
        release_id: Of the release that they belong to.
    """

    def __init__(self, store: Store, release_id: int) -> None:
        self._store = store
        self._release_id = release_id
        self._commits = ThreadPoolExecutor(1)
        self._commit: Future[None] | None = None

    def __enter__(self) -> "BatchWriter":
        """Itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Waits, and raises what the last commit raised, if nothing else was."""
        self._commits.shutdown()
        if error is None:
            self.settle()

    def add(self, batch: Batch) -> None:
        """Writes a batch; others see it after `settle`.

        Raises:
            UserError: the store takes no more; it may be the batch before that it did not take.
        """
        self.settle()
        with ExitStack() as transaction:
            _add(transaction.enter_context(self._store.writing()), self._release_id, batch)
            self._commit = self._commits.submit(transaction.pop_all().close)

    def settle(self) -> None:
        """Waits until what was added is on the disk.

        Raises:
            UserError: the store did not take it.
        """
        commit, self._commit = self._commit, None
        if commit:
            commit.result()


def _add(connection: Connection, release_id: int, batch: Batch) -> None:
    driver = connection.exec_driver_sql
    if batch.concepts:
        driver(_ADD_CONCEPT, batch.concepts)
    names = _numbered(connection, "name", release_id, batch.names)
    identifiers = _numbered(connection, "identifier", release_id, batch.identifiers)
    if names:
        driver(_ADD_NAME, names)
    if identifiers:
        driver(_ADD_IDENTIFIER, identifiers)
    found = [(2 * row[0], row[-1]) for row in names]
    found += [(2 * row[0] + 1, row[-1]) for row in identifiers]
    for index in INDEXES if found else ():
        driver(f"INSERT INTO {index}(rowid, text) VALUES (?, ?)", found)


def _numbered(
    connection: Connection, table: str, release_id: int, rows: Sequence[tuple[Any, ...]]
) -> list[tuple[Any, ...]]:
    top = connection.exec_driver_sql(f"SELECT max(id) FROM {table}").scalar_one() or 0
    return [(top + 1 + n, release_id, *row) for n, row in enumerate(rows)]
