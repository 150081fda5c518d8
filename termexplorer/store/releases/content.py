"""All concepts of a release at once, as two releases are compared by them."""

import json
from dataclasses import dataclass

from sqlalchemy import Connection

from termexplorer.store.releases.concepts import REPLACEMENTS


@dataclass(frozen=True, slots=True)
class ContentConcept:
    """What a comparison looks at.

    Attributes:
        id: in its release.
        label: the preferred name.
        obsolete: whether it is out of use.
        replaced_by: what an obsolete concept says stands in its place, or else to consider.
        parents: CURIEs of its live asserted parents.
    """

    id: int
    label: str
    obsolete: bool
    replaced_by: tuple[str, ...]
    parents: frozenset[str]


@dataclass(frozen=True, slots=True)
class ReleaseContent:
    """A release as a whole.

    Attributes:
        concepts: by CURIE, obsolete ones too, in the order of import.
        merged: alternative id -> CURIE of the concept that has it.
    """

    concepts: dict[str, ContentConcept]
    merged: dict[str, str]


def release_content(connection: Connection, release_id: int) -> ReleaseContent:
    """The concepts, is-a links and alternative ids of a release."""
    parents: dict[str, set[str]] = {}
    query = """SELECT c.curie, p.curie FROM is_a l JOIN concept c ON c.id = l.child_id
               JOIN concept p ON p.id = l.parent_id WHERE c.release_id = ? AND NOT p.obsolete"""
    for child, parent in connection.exec_driver_sql(query, (release_id,)):
        parents.setdefault(child, set()).add(parent)
    query = "SELECT id, curie, label, obsolete, details FROM concept WHERE release_id = ?"
    concepts = {
        curie: ContentConcept(
            id_, label, bool(obsolete), _replacements_of(details), frozenset(parents.get(curie, ()))
        )
        for id_, curie, label, obsolete, details in connection.exec_driver_sql(
            f"{query} ORDER BY id", (release_id,)
        )
    }
    return ReleaseContent(concepts, alternative_ids(connection, release_id))


def alternative_ids(connection: Connection, release_id: int) -> dict[str, str]:
    """The CURIE of the live concept that each alternative id of a release stands for."""
    query = """SELECT i.text, c.curie FROM identifier i JOIN concept c ON c.id = i.concept_id
               WHERE i.release_id = ? AND i.kind = 'alternative' AND NOT c.obsolete"""
    rows = connection.exec_driver_sql(query, (release_id,))
    return {row.text: row.curie for row in rows}


def _replacements_of(details: str | None) -> tuple[str, ...]:
    known: dict[str, list[str]] = json.loads(details or "{}")
    return tuple(next((known[key] for key in REPLACEMENTS if known.get(key)), ()))
