"""All terms of a release with what a check of new terms looks at."""

import json
from dataclasses import dataclass

from sqlalchemy import Connection


@dataclass(frozen=True, slots=True)
class StoredTerm:
    """A concept, in use or not.

    Attributes:
        curie: its id.
        names: the kind, scope and text of each, in the order of import.
        parents: CURIEs of its asserted parents.
        definition: the text, or "".
        cross_references: ids in other systems.
        alternative_ids: ids that mean it too.
        replaced_by: CURIEs of what takes its place or may do so.
        obsolete: whether it is out of use.
    """

    curie: str
    names: tuple[tuple[str, str, str], ...]
    parents: tuple[str, ...]
    definition: str
    cross_references: tuple[str, ...]
    alternative_ids: tuple[str, ...]
    replaced_by: tuple[str, ...]
    obsolete: bool


def stored_terms(connection: Connection, release_id: int) -> list[StoredTerm]:
    """Return the terms of a release, in the order of import."""
    names: dict[int, list[tuple[str, str, str]]] = {}
    query = "SELECT concept_id, kind, scope, text FROM name WHERE release_id = ? ORDER BY id"
    for concept_id, kind, scope, text in connection.exec_driver_sql(query, (release_id,)):
        names.setdefault(concept_id, []).append((kind, scope, text))
    query = """SELECT l.child_id, p.curie FROM is_a l JOIN concept c ON c.id = l.child_id
               JOIN concept p ON p.id = l.parent_id WHERE c.release_id = ?"""
    parents = _group_texts(connection, query, release_id)
    query = """SELECT concept_id, text FROM identifier
               WHERE release_id = ? AND kind = 'alternative'"""
    alternative_ids = _group_texts(connection, query, release_id)
    query = """SELECT id, curie, definition, obsolete, details FROM concept
               WHERE release_id = ? ORDER BY id"""
    terms = []
    for id_, curie, definition, obsolete, details in connection.exec_driver_sql(
        query, (release_id,)
    ):
        known: dict[str, list[str]] = json.loads(details or "{}")
        terms.append(
            StoredTerm(
                curie,
                tuple(names.get(id_, ())),
                tuple(parents.get(id_, ())),
                definition,
                tuple(known.get("cross_references", ())),
                tuple(alternative_ids.get(id_, ())),
                (*known.get("replaced_by", ()), *known.get("consider", ())),
                bool(obsolete),
            )
        )
    return terms


def _group_texts(connection: Connection, query: str, release_id: int) -> dict[int, list[str]]:
    texts: dict[int, list[str]] = {}
    for concept_id, text in connection.exec_driver_sql(query, (release_id,)):
        texts.setdefault(concept_id, []).append(text)
    return texts
