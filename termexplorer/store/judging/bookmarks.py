"""The query about bookmarks, which are a named list of concepts."""

from termexplorer.store.database.raw_sql import SqlReader
from termexplorer.store.releases.concepts import ConceptRef, references

BOOKMARKS = "bookmarks"

_NEWEST = """
SELECT i.id, c.id FROM list_item i
JOIN list l ON l.id = i.list_id
JOIN release r ON r.terminology_id = i.terminology_id
JOIN concept c ON c.release_id = r.id AND c.curie = i.subject
WHERE l.title = ? AND r.status = 'ready'
ORDER BY i.id, r.id
"""


def bookmarked(connection: SqlReader) -> list[ConceptRef]:
    """Bookmarked concepts in their newest release, in the order in which they were marked."""
    newest = dict(iter(connection.exec_driver_sql(_NEWEST, (BOOKMARKS,))))
    concepts = references(connection, list(newest.values()))
    return [concepts[concept] for concept in newest.values()]
