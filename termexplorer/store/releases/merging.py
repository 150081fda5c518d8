"""Concepts that a file gives more than once: what is stored of them, and what is added to it."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from termexplorer.store.database.engine import Store
from termexplorer.store.indexes.fulltext import INDEXES
from termexplorer.store.releases.concepts import DETAILS


@dataclass(slots=True)
class Told:
    """What a release tells of a concept so far.

    Attributes:
        label: Its preferred name.
        kind: As in `Concept`.
        definition: The text, or "".
        obsolete: Whether it is withdrawn.
        names: All of them, case-folded.
        rows: How many names are stored.
        ids: The alternative ids and each of `DETAILS`, in order.
    """

    label: str
    kind: str
    definition: str
    obsolete: bool
    names: set[str]
    rows: int
    ids: dict[str, list[str]]


def told(store: Store, concept_id: int) -> Told:
    """What is stored of a concept."""
    with store.reading() as connection:
        driver, of = connection.exec_driver_sql, (concept_id,)
        row = driver(
            "SELECT label, kind, definition, obsolete, details FROM concept WHERE id = ?", of
        ).one()
        names = driver("SELECT text FROM name WHERE concept_id = ?", of).scalars().all()
        alternative = driver(
            "SELECT text FROM identifier WHERE concept_id = ? AND kind = 'alternative'", of
        ).scalars()
        details = json.loads(row.details or "{}")
        return Told(
            label=row.label,
            kind=row.kind,
            definition=row.definition,
            obsolete=bool(row.obsolete),
            names={name.casefold() for name in names},
            rows=len(names),
            ids={key: details.get(key, []) for key in DETAILS}
            | {"alternative_ids": list(alternative)},
        )


def tell(store: Store, concepts: Iterable[tuple[int, Told]]) -> None:
    """Store kinds, definitions, flags and details of concepts, given by their ids."""
    rows = [
        (concept.kind, concept.definition, concept.obsolete, packed(concept.ids), number)
        for number, concept in concepts
    ]
    with store.writing() as connection:
        connection.exec_driver_sql(
            "UPDATE concept SET kind = ?, definition = ?, obsolete = ?, details = ? WHERE id = ?",
            rows,
        )


def packed(ids: Mapping[str, Sequence[str]]) -> str | None:
    """Those of `DETAILS` that there are, as their column holds them."""
    details = {key: ids[key] for key in DETAILS if ids[key]}
    return json.dumps(details) if details else None


def rename(store: Store, concept_id: int, label: str) -> None:
    """Puts a name in the place of the preferred one, for search too."""
    with store.writing() as connection:
        driver = connection.exec_driver_sql
        name_id, old = driver(
            "SELECT id, text FROM name WHERE concept_id = ? AND kind = 'preferred'", (concept_id,)
        ).one()
        driver("UPDATE concept SET label = ? WHERE id = ?", (label, concept_id))
        driver("UPDATE name SET text = ? WHERE id = ?", (label, name_id))
        for index in INDEXES:
            delete = f"INSERT INTO {index}({index}, rowid, text) VALUES ('delete', ?, ?)"
            driver(delete, (2 * name_id, old))
            driver(f"INSERT INTO {index}(rowid, text) VALUES (?, ?)", (2 * name_id, label))
