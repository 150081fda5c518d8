"""All concepts of a release with their names and what they became, as pairs of terms need them."""

import json
from dataclasses import dataclass

from sqlalchemy import Connection

from termexplorer.store.releases.concepts import REPLACEMENTS


@dataclass(frozen=True, slots=True)
class TermConcept:
    """A concept, in use or not.

    Attributes:
        curie: its id.
        kind: what the terminology calls such a concept: of SNOMED CT its semantic tag.
        label: the preferred name.
        obsolete: whether it is out of use.
        names: the kind, scope and text of each, in the order of import.
        modules: CURIEs of the parts of the release that it belongs to, but for the usual one.
        became: `replaced_by`, `same_as` and `consider` -> CURIEs.
    """

    curie: str
    kind: str
    label: str
    obsolete: bool
    names: tuple[tuple[str, str, str], ...]
    modules: tuple[str, ...]
    became: dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class TermContent:
    """A release.

    Attributes:
        concepts: in the order of import.
        is_a: CURIEs of a live concept and of one of its live parents.
    """

    concepts: list[TermConcept]
    is_a: list[tuple[str, str]]


def term_content(connection: Connection, release_id: int) -> TermContent:
    """The concepts and is-a links of a release."""
    names: dict[int, list[tuple[str, str, str]]] = {}
    query = "SELECT concept_id, kind, scope, text FROM name WHERE release_id = ? ORDER BY id"
    for concept_id, *name in connection.exec_driver_sql(query, (release_id,)):
        names.setdefault(concept_id, []).append((name[0], name[1], name[2]))
    query = "SELECT id, curie, kind, label, obsolete, details FROM concept WHERE release_id = ?"
    concepts = []
    for row in connection.exec_driver_sql(f"{query} ORDER BY id", (release_id,)):
        details: dict[str, list[str]] = json.loads(row.details or "{}")
        became = {key: details[key] for key in REPLACEMENTS if key in details}
        modules = tuple(details.get("modules", ()))
        concept_names = tuple(names.get(row.id, ()))
        concepts.append(
            TermConcept(
                row.curie, row.kind, row.label, bool(row.obsolete), concept_names, modules, became
            )
        )
    query = """SELECT c.curie, p.curie FROM is_a l JOIN concept c ON c.id = l.child_id
               JOIN concept p ON p.id = l.parent_id WHERE c.release_id = ?"""
    links = connection.exec_driver_sql(query, (release_id,))
    return TermContent(concepts, [(child, parent) for child, parent in links])
