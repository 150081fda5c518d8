"""Queries about releases: what is in the workspace, and what an import had to say."""

from dataclasses import dataclass

from sqlalchemy import Connection, Select, select

from termexplorer.store.loading import Remark
from termexplorer.store.tables import ImportRemark, Release, Terminology


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


def ontologies(connection: Connection) -> list[Ontology]:
    """All releases that are whole, in the order of import."""
    return [_ontology(row) for row in connection.execute(_query().order_by(Release.id)).mappings()]


def ontology(connection: Connection, release_id: int) -> Ontology | None:
    """One release, or None if there is none of that id."""
    row = connection.execute(_query().where(Release.id == release_id)).mappings().one_or_none()
    return _ontology(row) if row else None


def remarks(connection: Connection, release_id: int) -> list[Remark]:
    """The report of a release's import: counted cases first, then skipped rows by line."""
    columns = (ImportRemark.skipped, ImportRemark.line, ImportRemark.count, ImportRemark.text)
    query = select(*columns).where(ImportRemark.release_id == release_id)
    rows = connection.execute(query.order_by(ImportRemark.skipped, ImportRemark.line))
    return [Remark(*row) for row in rows]


def prefixes(connection: Connection, release_id: int) -> dict[str, str]:
    """The IRI that each prefix of a release's CURIEs stands for, as far as its file tells."""
    query = select(Release.prefixes).where(Release.id == release_id)
    return dict(connection.execute(query).scalar_one())


def _query() -> Select[tuple[object, ...]]:
    fields = [name for name in Ontology.__slots__ if name != "terminology"]
    columns = [getattr(Release, name) for name in fields]
    query = select(*columns, Terminology.key.label("terminology"))
    return query.join(Terminology).where(Release.status == "ready")


def _ontology(row: object) -> Ontology:
    return Ontology(**dict(row))  # type: ignore[call-overload]
