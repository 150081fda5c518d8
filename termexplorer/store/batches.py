"""Concepts and names of a release, written by short batches with their rows of the search indexes.

Half of an import passes in the search indexes, in statements of SQLite's that need no lock of
Python's; the next batch is put together meanwhile, on the other core.
"""

from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import product
from types import TracebackType

from sqlalchemy import Connection

from termexplorer.store.engine import Store
from termexplorer.store.fulltext import ADD, INDEXES

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
            connection = transaction.enter_context(self._store.filling())
            added = _add(connection, self._release_id, batch)
            self._commit = self._commits.submit(_index, connection, added, transaction.pop_all())

    def settle(self) -> None:
        """Waits until what was added is committed, which is before it is on the disk.

        Raises:
            UserError: the store did not take it.
        """
        commit, self._commit = self._commit, None
        if commit:
            commit.result()


def _add(connection: Connection, release_id: int, batch: Batch) -> dict[str, tuple[int, int]]:
    """Writes rows; returns the first and the last id of those to be searched, by their tables."""
    if batch.concepts:
        connection.exec_driver_sql(_ADD_CONCEPT, batch.concepts)
    added = {}
    # identifiers before names: their rows in an index come first, and have to for its speed
    for table, rows, statement in (
        ("identifier", batch.identifiers, _ADD_IDENTIFIER),
        ("name", batch.names, _ADD_NAME),
    ):
        if rows:
            top = connection.exec_driver_sql(f"SELECT max(id) FROM {table}").scalar_one() or 0
            numbered = [(top + 1 + n, release_id, *row) for n, row in enumerate(rows)]
            connection.exec_driver_sql(statement, numbered)
            added[table] = (top + 1, top + len(rows))
    return added


def _index(
    connection: Connection, added: Mapping[str, tuple[int, int]], transaction: ExitStack
) -> None:
    """Writes what was added to the search indexes, and commits."""
    with transaction:
        for index, (table, ids) in product(INDEXES, added.items()):
            connection.exec_driver_sql(ADD[table].format(index), ids)
