"""Writing a release: short batches that nobody else sees, then one small transaction that shows it.

One big transaction would lock verdicts and epochs out for as long as an import takes.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, insert, select, update

from termexplorer.store.engine import Store
from termexplorer.store.fulltext import GATHER, INDEXES, MERGE
from termexplorer.store.ontologies import Remark
from termexplorer.store.tables import ImportRemark, Release, Terminology


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


@dataclass(frozen=True, slots=True)
class ReleaseCounts:
    """What came in: of live concepts, but for `obsolete` ones and `skipped` rows."""

    concepts: int
    names: int
    is_a: int
    obsolete: int
    skipped: int


def begin_release(store: Store, format_name: str, source: str) -> int:
    """Adds a release that nobody sees yet, and returns its id."""
    with store.writing() as connection:
        for index in INDEXES:
            connection.exec_driver_sql(GATHER.format(index))
        terminology = _terminology(connection, "")
        row = insert(Release).values(
            terminology_id=terminology,
            title="",
            version="",
            licence="",
            format=format_name,
            source=source,
            prefixes={},
            status="importing",
            imported_at=datetime.now(UTC).isoformat(timespec="seconds"),
            content_hash="",
            concepts=0,
            names=0,
            is_a=0,
            obsolete=0,
            skipped=0,
        )
        return int(connection.execute(row).inserted_primary_key[0])  # type: ignore[index]


def first_concept_id(store: Store) -> int:
    """The first free concept id; it stays free as long as imports follow each other."""
    with store.reading() as connection:
        return int(connection.exec_driver_sql("SELECT max(id) FROM concept").scalar() or 0) + 1


def add_batch(store: Store, release_id: int, batch: Batch) -> None:
    """Writes one batch with its rows of the search indexes."""
    with store.writing() as connection:
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


_ADD_CONCEPT = "INSERT INTO concept VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_ADD_NAME = "INSERT INTO name VALUES (?, ?, ?, ?, ?, ?)"
_ADD_IDENTIFIER = "INSERT INTO identifier VALUES (?, ?, ?, ?, ?)"


def _numbered(
    connection: Connection, table: str, release_id: int, rows: Sequence[tuple[Any, ...]]
) -> list[tuple[Any, ...]]:
    top = connection.exec_driver_sql(f"SELECT max(id) FROM {table}").scalar_one() or 0
    return [(top + 1 + n, release_id, *row) for n, row in enumerate(rows)]


def merge_indexes(store: Store, progress: Callable[[], None]) -> None:
    """Merges the parts of the search indexes, calling `progress` after each short transaction."""
    for index in INDEXES:
        merging = True
        while merging:
            with store.writing() as connection:
                merging = _changes(connection, MERGE.format(index)) > 1
            progress()


def _changes(connection: Connection, statement: str) -> int:
    """How many rows a statement changed, those of an index's own tables too."""
    count = "SELECT total_changes()"
    before = int(connection.exec_driver_sql(count).scalar_one())
    connection.exec_driver_sql(statement)
    return int(connection.exec_driver_sql(count).scalar_one()) - before


def add_links(store: Store, links: Sequence[tuple[int, int]]) -> None:
    """Writes is-a links, (child id, parent id), each at most once."""
    with store.writing() as connection:
        connection.exec_driver_sql("INSERT OR IGNORE INTO is_a VALUES (?, ?)", list(links))


def mark_roots(store: Store, concept_ids: Sequence[int]) -> None:
    """Marks the concepts at which a tree starts."""
    with store.writing() as connection:
        connection.exec_driver_sql(
            "UPDATE concept SET root = 1 WHERE id = ?", [(i,) for i in concept_ids]
        )


def add_remarks(store: Store, release_id: int, remarks: Iterable[Remark]) -> None:
    """Keeps the report of an import."""
    rows = [
        {
            "release_id": release_id,
            "skipped": remark.skipped,
            "line": remark.line,
            "count": remark.count,
            "text": remark.text,
        }
        for remark in remarks
    ]
    if rows:
        with store.writing() as connection:
            connection.execute(insert(ImportRemark), rows)


def show_release(
    store: Store,
    release_id: int,
    *,
    terminology: str,
    title: str,
    version: str,
    licence: str,
    prefixes: dict[str, str],
    content_hash: str,
    counts: ReleaseCounts,
) -> None:
    """Makes a release visible; the one small transaction at the end of an import."""
    with store.writing() as connection:
        values = {
            "terminology_id": _terminology(connection, terminology),
            "title": title,
            "version": version,
            "licence": licence,
            "prefixes": prefixes,
            "content_hash": content_hash,
            "status": "ready",
            "concepts": counts.concepts,
            "names": counts.names,
            "is_a": counts.is_a,
            "obsolete": counts.obsolete,
            "skipped": counts.skipped,
        }
        connection.execute(update(Release).where(Release.id == release_id).values(**values))


def _terminology(connection: Connection, key: str) -> int:
    found = connection.scalar(select(Terminology.id).where(Terminology.key == key))
    if found is not None:
        return int(found)
    row = connection.execute(insert(Terminology).values(key=key))
    return int(row.inserted_primary_key[0])  # type: ignore[index]
