"""Queries about releases: what is in the workspace, and what an import had to say."""

import json
from dataclasses import dataclass, fields
from pathlib import Path

from termexplorer.store.database.raw_sql import SqlReader
from termexplorer.store.kept_messages import read_message
from termexplorer.trainer.errors import Message


@dataclass(frozen=True, slots=True)
class Remark:
    """A row that was left out, or a case that was counted."""

    skipped: bool
    line: int
    count: int
    text: Message


@dataclass(frozen=True, slots=True)
class Ontology:
    """One release of a terminology, with counts of its live concepts."""

    id: int
    terminology: str
    title: str
    version: str
    licence: str
    format: str
    source: str
    imported_at: str
    content_hash: str
    concepts: int
    names: int
    is_a: int
    obsolete: int
    skipped: int

    @property
    def label(self) -> str:
        """What people call it: title and version."""
        return f"{self.title} {self.version}".strip()


def ontologies(connection: SqlReader) -> list[Ontology]:
    """All releases that are whole, in the order of import."""
    return [Ontology(*row) for row in connection.exec_driver_sql(f"{_ONTOLOGY} ORDER BY r.id")]


def graph_file(release_id: int) -> Path:
    """Where the links of a release are kept, relative to the workspace; no row tells of it."""
    return Path("levels", f"{release_id}.npz")


def ontology(connection: SqlReader, release_id: int) -> Ontology | None:
    """One release, or None if there is none of that id."""
    row = connection.exec_driver_sql(f"{_ONTOLOGY} AND r.id = ?", (release_id,)).fetchone()
    return Ontology(*row) if row else None


_FIELDS = [field.name for field in fields(Ontology)]
_COLUMNS = ", ".join("t.key" if name == "terminology" else f"r.{name}" for name in _FIELDS)
_ONTOLOGY = f"""SELECT {_COLUMNS} FROM release r JOIN terminology t ON t.id = r.terminology_id
                WHERE r.status = 'ready'"""


def remarks(connection: SqlReader, release_id: int) -> list[Remark]:
    """The report of a release's import: counted cases first, then skipped rows by line."""
    query = """SELECT skipped, line, count, text FROM import_remark
               WHERE release_id = ? ORDER BY skipped, line"""
    rows = connection.exec_driver_sql(query, (release_id,))
    return [
        Remark(bool(skipped), line, count, read_message(text))
        for skipped, line, count, text in rows
    ]


def prefixes(connection: SqlReader, release_id: int) -> dict[str, str]:
    """The IRI that each prefix of a release's CURIEs stands for, as far as its file tells."""
    query = "SELECT prefixes FROM release WHERE id = ?"
    return dict(json.loads(connection.exec_driver_sql(query, (release_id,)).fetchone()[0]))
