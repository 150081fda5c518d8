"""Concepts and names of a release, written by short batches with their rows of the search indexes.

A batch is written by statements of SQLite's that need no lock of Python's, from its rows as JSON;
the next batch is put together meanwhile, on the other core.
"""

import json
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import product
from types import TracebackType

from sqlalchemy import Connection

from termexplorer.store.database.engine import Store
from termexplorer.store.indexes.fulltext import ADD, INDEXES

_ZERO = "\\u0000"  # as JSON writes the character at which SQLite would end a text


def _insert_statement(table: str, columns: str) -> str:
    """A statement that adds the rows of a JSON array, each an array of the named columns."""
    cells = (f"json_extract(value, '$[{n}]')" for n, _ in enumerate(columns.split(",")))
    return (
        f"INSERT INTO {table} (release_id, {columns}) SELECT ?1, {', '.join(cells)}"
        " FROM json_each(?2)"
    )


_ADD_CONCEPTS = _insert_statement(
    "concept", "id, curie, code, kind, label, definition, obsolete, root, details"
)
# identifiers before names: their rows in an index come first, and have to for its speed
_ADD_SEARCHED = {
    "identifier": _insert_statement("identifier", "concept_id, kind, text"),
    "name": _insert_statement("name", "concept_id, kind, scope, text"),
}


@dataclass
class RowBatch:
    """Rows of one short transaction, without their release, and without ids that SQLite gives."""

    concepts: list[tuple[int, str, str, str, str, str, bool, bool, str | None]] = field(
        default_factory=list
    )
    names: list[tuple[int, str, str, str]] = field(default_factory=list)
    identifiers: list[tuple[int, str, str]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.concepts) + len(self.names)

    def encoded(self) -> dict[str, str]:
        """The rows of each table as a JSON array."""
        return {
            "concept": _rows_to_json(self.concepts),
            "identifier": _rows_to_json(self.identifiers),
            "name": _rows_to_json(self.names),
        }


class BatchWriter:
    """Writes the batches of one release; leaving it as a context waits for the last of them.

    Args:
        store: Where to.
        release_id: Of the release that they belong to.
    """

    def __init__(self, store: Store, release_id: int) -> None:
        self._store = store
        self._release_id = release_id
        self._writing = ThreadPoolExecutor(1)
        self._written: Future[None] | None = None

    def __enter__(self) -> "BatchWriter":
        """Itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Waits, and raises what the last batch raised, if nothing else was."""
        self._writing.shutdown()
        if error is None:
            self.settle()

    def add(self, batch: RowBatch) -> None:
        """Has a batch written; others see it after `settle`.

        Raises:
            UserError: the store did not take the batch before.
        """
        rows = batch.encoded()
        self.settle()
        self._written = self._writing.submit(_write_rows, self._store, self._release_id, rows)

    def settle(self) -> None:
        """Waits until what was added is committed, which is before it is on the disk.

        Raises:
            UserError: the store did not take it.
        """
        written, self._written = self._written, None
        if written:
            written.result()


def _write_rows(store: Store, release_id: int, rows: dict[str, str]) -> None:
    """Writes rows, and those to be searched to the search indexes too, and commits."""
    with store.filling(trusted=True) as connection:
        run = connection.exec_driver_sql
        run(_ADD_CONCEPTS, (release_id, rows["concept"]))
        added = {}
        for table, statement in _ADD_SEARCHED.items():
            top = _highest_id(connection, table)
            run(statement, (release_id, rows[table]))
            added[table] = (top + 1, _highest_id(connection, table))
        for index, (table, ids) in product(INDEXES, added.items()):
            run(ADD[table].format(index), ids)


def _highest_id(connection: Connection, table: str) -> int:
    return connection.exec_driver_sql(f"SELECT max(id) FROM {table}").scalar_one() or 0


def _rows_to_json(rows: Sequence[tuple[object, ...]]) -> str:
    encoded = json.dumps(rows, ensure_ascii=False)
    if _ZERO in encoded:
        whole = [[_without_zero(cell) for cell in row] for row in rows]
        encoded = json.dumps(whole, ensure_ascii=False)
    return encoded


def _without_zero(cell: object) -> object:
    return cell.replace("\0", "") if isinstance(cell, str) else cell
