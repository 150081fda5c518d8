"""Writing a release: what nobody else sees, then one small transaction that shows it.

One big transaction would lock verdicts and epochs out for as long as an import takes.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, insert, select, update

from termexplorer.store.database.engine import Store
from termexplorer.store.indexes.fulltext import GATHER, INDEXES, MERGE, USUAL, set_merging
from termexplorer.store.releases.ontologies import Remark
from termexplorer.store.tables.releases import ImportRemarkRow, ReleaseRow, TerminologyRow


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
        set_merging(connection, GATHER)
        terminology = _find_or_add_terminology(connection, "")
        row = insert(ReleaseRow).values(
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


def merge_indexes(store: Store, progress: Callable[[], None]) -> None:
    """Merges the parts of the search indexes, calling `progress` after each short transaction."""
    with store.writing() as connection:
        set_merging(connection, USUAL)
    for index in INDEXES:
        merging = True
        while merging:
            with store.filling() as connection:
                merging = _count_changes(connection, MERGE.format(index)) > 1
            progress()


def _count_changes(connection: Connection, statement: str) -> int:
    """How many rows a statement changed, those of an index's own tables too."""
    count = "SELECT total_changes()"
    before = int(connection.exec_driver_sql(count).scalar_one())
    connection.exec_driver_sql(statement)
    return int(connection.exec_driver_sql(count).scalar_one()) - before


def add_links(store: Store, links: Sequence[tuple[int, int]]) -> None:
    """Writes is-a links, (child id, parent id), each at most once."""
    with store.filling(trusted=True) as connection:
        connection.exec_driver_sql("INSERT OR IGNORE INTO is_a VALUES (?, ?)", list(links))


def mark_roots(store: Store, concept_ids: Sequence[int]) -> None:
    """Marks the concepts at which a tree starts."""
    with store.filling() as connection:
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
            connection.execute(insert(ImportRemarkRow), rows)


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
            "terminology_id": _find_or_add_terminology(connection, terminology),
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
        connection.execute(update(ReleaseRow).where(ReleaseRow.id == release_id).values(**values))


def _find_or_add_terminology(connection: Connection, key: str) -> int:
    terminology_id = connection.scalar(select(TerminologyRow.id).where(TerminologyRow.key == key))
    if terminology_id is not None:
        return int(terminology_id)
    row = connection.execute(insert(TerminologyRow).values(key=key))
    return int(row.inserted_primary_key[0])  # type: ignore[index]
