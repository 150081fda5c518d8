"""Queries about concepts: the tree, one concept, and its surroundings."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from termexplorer.store.database.raw_sql import ResultRows, SqlReader

_TREE = """
SELECT c.id, c.code, c.label,
       EXISTS (SELECT 1 FROM is_a k JOIN concept d ON d.id = k.child_id
               WHERE k.parent_id = c.id AND NOT d.obsolete)
FROM concept c {source}
ORDER BY c.id LIMIT ? OFFSET ?
"""


REPLACEMENTS = ("replaced_by", "same_as", "consider")  # of an obsolete concept, the surest first
DETAILS = ("cross_references", *REPLACEMENTS, "associations", "modules")  # kept as JSON, one column


@dataclass(frozen=True, slots=True)
class TreeItem:
    """A concept as a tree shows it."""

    id: int
    code: str
    label: str
    has_children: bool


@dataclass(frozen=True, slots=True)
class ConceptRef:
    """A concept as a link shows it."""

    id: int
    release_id: int
    curie: str
    code: str
    label: str
    obsolete: bool


@dataclass(frozen=True, slots=True)
class ConceptName:
    """One name of a concept."""

    id: int
    kind: str
    scope: str
    text: str


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept with all that its own rows tell."""

    id: int
    release_id: int
    curie: str
    code: str
    kind: str
    label: str
    definition: str
    obsolete: bool
    names: tuple[ConceptName, ...]
    alternative_ids: tuple[str, ...]
    cross_references: tuple[str, ...]
    replaced_by: tuple[str, ...]
    same_as: tuple[str, ...]
    consider: tuple[str, ...]
    associations: tuple[str, ...]
    modules: tuple[str, ...]

    @property
    def replacements(self) -> tuple[str, ...]:
        """CURIEs of what takes its place or may do so, the surest first."""
        return tuple(dict.fromkeys((*self.replaced_by, *self.same_as, *self.consider)))

    @property
    def associated(self) -> tuple[str, ...]:
        """CURIEs of its other associations, each of which is `KIND CURIE`."""
        return tuple(association.rpartition(" ")[2] for association in self.associations)


def roots(connection: SqlReader, release_id: int, limit: int, offset: int) -> list[TreeItem]:
    """Live concepts at which the tree of a release starts."""
    source = "WHERE c.release_id = ? AND c.root"
    return _tree_items(connection, source, (release_id, limit, offset))


def children(connection: SqlReader, concept_id: int, limit: int, offset: int) -> list[TreeItem]:
    """Live children of a concept."""
    source = "JOIN is_a l ON l.child_id = c.id WHERE l.parent_id = ? AND NOT c.obsolete"
    return _tree_items(connection, source, (concept_id, limit, offset))


def _tree_items(connection: SqlReader, source: str, values: tuple[int, ...]) -> list[TreeItem]:
    rows = connection.exec_driver_sql(_TREE.format(source=source), values)
    return [TreeItem(i, code, label, bool(more)) for i, code, label, more in rows]


def count_children(connection: SqlReader, concept_id: int) -> int:
    """How many live children a concept has."""
    query = """SELECT count(*) FROM is_a l JOIN concept c ON c.id = l.child_id
               WHERE l.parent_id = ? AND NOT c.obsolete"""
    return _scalar_of(connection.exec_driver_sql(query, (concept_id,)))


def count_roots(connection: SqlReader, release_id: int) -> int:
    """How many roots a release has."""
    query = "SELECT count(*) FROM concept WHERE release_id = ? AND root"
    return _scalar_of(connection.exec_driver_sql(query, (release_id,)))


def concept(connection: SqlReader, concept_id: int) -> Concept | None:
    """A concept with its names, preferred first, or None."""
    query = """SELECT id, release_id, curie, code, kind, label, definition, obsolete, details
               FROM concept WHERE id = ?"""
    row = connection.exec_driver_sql(query, (concept_id,)).fetchone()
    if row is None:
        return None
    id_, release_id, curie, code, kind, label, definition, obsolete, details = row
    known: dict[str, list[str]] = json.loads(details or "{}")
    return Concept(
        id=id_,
        release_id=release_id,
        curie=curie,
        code=code,
        kind=kind,
        label=label,
        definition=definition,
        obsolete=bool(obsolete),
        names=_names_of_concept(connection, concept_id),
        alternative_ids=_alternative_ids(connection, concept_id),
        **{key: tuple(known.get(key, ())) for key in DETAILS},
    )


def _names_of_concept(connection: SqlReader, concept_id: int) -> tuple[ConceptName, ...]:
    query = "SELECT id, kind, scope, text FROM name WHERE concept_id = ? ORDER BY id"
    rows = [ConceptName(*row) for row in connection.exec_driver_sql(query, (concept_id,))]
    return tuple(sorted(rows, key=lambda name: name.kind != "preferred"))


def _alternative_ids(connection: SqlReader, concept_id: int) -> tuple[str, ...]:
    query = "SELECT text FROM identifier WHERE concept_id = ? AND kind = 'alternative' ORDER BY id"
    return tuple(text for (text,) in connection.exec_driver_sql(query, (concept_id,)))


def find(connection: SqlReader, release_id: int, identifier: str) -> ConceptRef | None:
    """A concept by its CURIE, code or alternative id (letter case aside for the last two)."""
    query = _REF + "WHERE c.release_id = ? AND c.curie = ?"
    row = connection.exec_driver_sql(query, (release_id, identifier)).fetchone()
    if row is None:
        query = (
            _REF + "JOIN identifier i ON i.concept_id = c.id "
            "WHERE i.release_id = ? AND i.text = ? COLLATE NOCASE ORDER BY i.kind = 'alternative'"
        )
        row = connection.exec_driver_sql(query, (release_id, identifier)).fetchone()
    return _make_ref(row) if row else None


def find_unknown_ids(connection: SqlReader, ids: Sequence[str]) -> list[str]:
    """Return those of some ids, in their order, that no ontology has as a CURIE or other id."""
    query = """SELECT each.value FROM json_each(?) each WHERE NOT EXISTS (
                   SELECT 1 FROM release r WHERE r.status = 'ready' AND (
                       EXISTS (SELECT 1 FROM concept c
                               WHERE c.release_id = r.id AND c.curie = each.value)
                       OR EXISTS (SELECT 1 FROM identifier i WHERE i.release_id = r.id
                                  AND i.text = each.value COLLATE NOCASE)))
               ORDER BY each.key"""
    rows = connection.exec_driver_sql(query, (json.dumps(list(ids)),))
    return [str(row[0]) for row in rows]


def with_name(connection: SqlReader, release_id: int, text: str) -> int | None:
    """The live concept that has a name, letter case aside; of several the first."""
    query = """SELECT c.id FROM sorted_name s JOIN name n ON n.id = s.name_id
               JOIN concept c ON c.id = n.concept_id
               WHERE s.release_id = ? AND s.text = ? AND NOT c.obsolete
               ORDER BY n.kind <> 'preferred', c.id LIMIT 1"""
    row = connection.exec_driver_sql(query, (release_id, text)).fetchone()
    return int(row[0]) if row else None


def parents(connection: SqlReader, concept_id: int) -> list[ConceptRef]:
    """Live asserted parents."""
    query = _REF + "JOIN is_a l ON l.parent_id = c.id WHERE l.child_id = ? AND NOT c.obsolete"
    return [_make_ref(row) for row in connection.exec_driver_sql(query, (concept_id,))]


def references(connection: SqlReader, concept_ids: Sequence[int]) -> dict[int, ConceptRef]:
    """Links to several concepts, by their ids."""
    query = _REF + "WHERE c.id IN (SELECT value FROM json_each(?))"
    rows = connection.exec_driver_sql(query, (json.dumps(list(concept_ids)),))
    return {row[0]: _make_ref(row) for row in rows}


_REF = "SELECT c.id, c.release_id, c.curie, c.code, c.label, c.obsolete FROM concept c "


def _make_ref(row: Any) -> ConceptRef:
    id_, release_id, curie, code, label, obsolete = row
    return ConceptRef(id_, release_id, curie, code, label, bool(obsolete))


def ancestors(connection: SqlReader, concept_id: int) -> set[int]:
    """Ids of all that lies above a concept; itself only if it is on a cycle."""
    query = """WITH RECURSIVE up(id) AS (
        SELECT parent_id FROM is_a WHERE child_id = ?
        UNION SELECT l.parent_id FROM is_a l JOIN up ON l.child_id = up.id)
        SELECT id FROM up"""
    return {id_ for (id_,) in connection.exec_driver_sql(query, (concept_id,))}


def descendants(connection: SqlReader, concept_id: int) -> set[int]:
    """Ids of all that lies below a concept; itself only if it is on a cycle."""
    query = """WITH RECURSIVE down(id) AS (
        SELECT child_id FROM is_a WHERE parent_id = ?
        UNION SELECT l.child_id FROM is_a l JOIN down ON l.parent_id = down.id)
        SELECT id FROM down"""
    return {id_ for (id_,) in connection.exec_driver_sql(query, (concept_id,))}


def count_descendants(connection: SqlReader, concept_id: int) -> int:
    """How many concepts lie below a concept; itself counts only if it is on a cycle."""
    query = """WITH RECURSIVE down(id) AS (
        SELECT child_id FROM is_a WHERE parent_id = ?
        UNION SELECT l.child_id FROM is_a l JOIN down ON l.parent_id = down.id)
        SELECT count(*) FROM down"""
    return _scalar_of(connection.exec_driver_sql(query, (concept_id,)))


def count_all_descendants(connection: SqlReader, concept_ids: Sequence[int]) -> dict[int, int]:
    """Return how many concepts lie below each of several concepts, by their ids."""
    query = """WITH RECURSIVE down(top, id) AS (
        SELECT parent_id, child_id FROM is_a
        WHERE parent_id IN (SELECT value FROM json_each(?))
        UNION SELECT d.top, l.child_id FROM down d JOIN is_a l ON l.parent_id = d.id)
        SELECT top, count(*) FROM down GROUP BY top"""
    counts = dict.fromkeys(concept_ids, 0)
    counts.update(connection.exec_driver_sql(query, (json.dumps(list(concept_ids)),)))
    return counts


def siblings(connection: SqlReader, concept_id: int) -> set[int]:
    """Ids of the live concepts that share a parent with a concept, without itself."""
    query = """SELECT DISTINCT b.child_id FROM is_a a JOIN is_a b ON b.parent_id = a.parent_id
               JOIN concept c ON c.id = b.child_id AND NOT c.obsolete
               WHERE a.child_id = ? AND b.child_id <> a.child_id"""
    return {id_ for (id_,) in connection.exec_driver_sql(query, (concept_id,))}


def _scalar_of(rows: ResultRows) -> int:
    return int(rows.fetchone()[0])
