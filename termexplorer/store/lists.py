"""Named lists of concepts, names or pairs. Bookmarks are the first of them."""

from datetime import UTC, datetime

from sqlalchemy import Connection, delete, insert, select

from termexplorer.store.concepts import ConceptRef, references
from termexplorer.store.tables import Concept, ListItem, NamedList, Release

BOOKMARKS = "bookmarks"


def bookmarked(connection: Connection) -> list[ConceptRef]:
    """Bookmarked concepts in their newest release, in the order in which they were marked."""
    query = (
        select(ListItem.id, Concept.id)
        .join(NamedList, NamedList.id == ListItem.list_id)
        .join(Release, Release.terminology_id == ListItem.terminology_id)
        .join(Concept, (Concept.release_id == Release.id) & (Concept.curie == ListItem.subject))
        .where(NamedList.title == BOOKMARKS, Release.status == "ready")
        .order_by(ListItem.id, Release.id)
    )
    newest = dict(iter(connection.execute(query).tuples()))
    found = references(connection, list(newest.values()))
    return [found[concept] for concept in newest.values()]


def toggle_bookmark(connection: Connection, concept_id: int) -> bool:
    """Adds or takes away a bookmark, told by terminology and CURIE; returns whether it is set."""
    query = (
        select(Release.terminology_id, Concept.curie)
        .join(Release, Release.id == Concept.release_id)
        .where(Concept.id == concept_id)
    )
    terminology_id, curie = connection.execute(query).tuples().one()
    list_id = _bookmarks(connection)
    there = (
        (ListItem.list_id == list_id)
        & (ListItem.terminology_id == terminology_id)
        & (ListItem.subject == curie)
    )
    if connection.execute(delete(ListItem).where(there)).rowcount:
        return False
    connection.execute(
        insert(ListItem).values(
            list_id=list_id,
            terminology_id=terminology_id,
            subject=curie,
            object="",
            added_at=datetime.now(UTC).isoformat(timespec="seconds"),
        )
    )
    return True


def _bookmarks(connection: Connection) -> int:
    found = connection.scalar(select(NamedList.id).where(NamedList.title == BOOKMARKS))
    if found is not None:
        return int(found)
    row = connection.execute(insert(NamedList).values(title=BOOKMARKS, kind="concepts"))
    return int(row.inserted_primary_key[0])  # type: ignore[index]
