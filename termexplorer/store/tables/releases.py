"""The typed tables of a workspace.

Dates are ISO 8601 text in UTC, hashes are SHA-256 in hexadecimal, paths are relative to the
workspace folder. The full-text indexes stand in `fulltext.py`.
"""

from typing import Any, ClassVar

from sqlalchemy import JSON, ForeignKey, Index, String, UniqueConstraint, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from termexplorer.store.tables.message_columns import MessageColumn, MessagesColumn
from termexplorer.trainer.errors import Message


class Base(DeclarativeBase):
    """What all tables share."""

    type_annotation_map: ClassVar = {
        dict[str, Any]: JSON,
        list[dict[str, Any]]: JSON,
        list[str]: JSON,
        list[int]: JSON,
        list[Any]: JSON,
        Message: MessageColumn,
        list[Message]: MessagesColumn,
    }


class TerminologyRow(Base):
    """What releases in any format are releases of: `doid`, `icd10cm`."""

    __tablename__ = "terminology"

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(unique=True)


class ReleaseRow(Base):
    """One release of a terminology: an ontology. Seen by the rest only when `ready`."""

    __tablename__ = "release"

    id: Mapped[int] = mapped_column(primary_key=True)
    terminology_id: Mapped[int] = mapped_column(ForeignKey("terminology.id"))
    title: Mapped[str]
    version: Mapped[str]
    licence: Mapped[str]
    format: Mapped[str]
    source: Mapped[str]
    prefixes: Mapped[dict[str, Any]]
    status: Mapped[str]  # importing | ready | removing | removed
    imported_at: Mapped[str]
    content_hash: Mapped[str]
    concepts: Mapped[int]  # live ones
    names: Mapped[int]  # of live concepts
    is_a: Mapped[int]
    obsolete: Mapped[int]
    skipped: Mapped[int]


class ImportRemarkRow(Base):
    """A row that an import left out (with its line), or a case that it counted."""

    __tablename__ = "import_remark"

    id: Mapped[int] = mapped_column(primary_key=True)
    release_id: Mapped[int] = mapped_column(ForeignKey("release.id"), index=True)
    skipped: Mapped[bool]
    line: Mapped[int]  # 0: no line to name
    count: Mapped[int]
    text: Mapped[Message]


class ConceptRow(Base):
    """A concept of one release, known everywhere by its CURIE."""

    __tablename__ = "concept"
    __table_args__ = (UniqueConstraint("release_id", "curie"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    release_id: Mapped[int] = mapped_column(ForeignKey("release.id"))
    curie: Mapped[str]
    code: Mapped[str]
    kind: Mapped[str]
    label: Mapped[str]
    definition: Mapped[str]
    obsolete: Mapped[bool]
    root: Mapped[bool]  # live and without a parent once cycles are cut
    details: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))


class NameRow(Base):
    """A name of a concept; `scope` is that of an OBO synonym, or empty."""

    __tablename__ = "name"

    id: Mapped[int] = mapped_column(primary_key=True)
    release_id: Mapped[int] = mapped_column(ForeignKey("release.id"))
    concept_id: Mapped[int] = mapped_column(ForeignKey("concept.id"), index=True)
    kind: Mapped[str]
    scope: Mapped[str]
    text: Mapped[str]


class SortedNameRow(Base):
    """A name in the order of the texts of its release, letter case aside: see `sorted_names`."""

    __tablename__ = "sorted_name"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012 - SQLAlchemy's own way

    release_id: Mapped[int] = mapped_column(ForeignKey("release.id"), primary_key=True)
    text: Mapped[str] = mapped_column(String(collation="NOCASE"), primary_key=True)
    name_id: Mapped[int] = mapped_column(primary_key=True)
    concept_id: Mapped[int]


class IdentifierRow(Base):
    """What the search box finds besides names: codes and alternative ids."""

    __tablename__ = "identifier"

    id: Mapped[int] = mapped_column(primary_key=True)
    release_id: Mapped[int] = mapped_column(ForeignKey("release.id"))
    concept_id: Mapped[int] = mapped_column(ForeignKey("concept.id"), index=True)
    kind: Mapped[str]  # code | alternative
    text: Mapped[str]


class LookupKeyRow(Base):
    """What a concept is found by besides its names: see `search_keys`."""

    __tablename__ = "lookup_key"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012 - SQLAlchemy's own way

    release_id: Mapped[int] = mapped_column(ForeignKey("release.id"), primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    concept_id: Mapped[int] = mapped_column(primary_key=True)
    text: Mapped[str] = mapped_column(primary_key=True)  # as the release has it
    kind: Mapped[str]  # code | reference


class NameWordRow(Base):
    """A word of the names of a release, folded, and how often it is there."""

    __tablename__ = "name_word"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012 - SQLAlchemy's own way

    release_id: Mapped[int] = mapped_column(ForeignKey("release.id"), primary_key=True)
    word: Mapped[str] = mapped_column(primary_key=True)
    names: Mapped[int]


Index("concept_root", ConceptRow.release_id, sqlite_where=text("root"))
Index("name_release", NameRow.release_id)
Index("identifier_text", IdentifierRow.release_id, IdentifierRow.text.collate("NOCASE"))


class IsARow(Base):
    """An asserted is-a link between two concepts of one release."""

    __tablename__ = "is_a"
    __table_args__ = (Index("is_a_parent", "parent_id", "child_id"), {"sqlite_with_rowid": False})

    child_id: Mapped[int] = mapped_column(ForeignKey("concept.id"), primary_key=True)
    parent_id: Mapped[int] = mapped_column(ForeignKey("concept.id"), primary_key=True)


class RowChecksumRow(Base):
    """Checksums of a block of a release's rows: see `row_checksums`."""

    __tablename__ = "row_checksum"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012 - SQLAlchemy's own way

    release_id: Mapped[int] = mapped_column(ForeignKey("release.id"), primary_key=True)
    table_name: Mapped[str] = mapped_column(primary_key=True)
    block: Mapped[int] = mapped_column(primary_key=True)
    sums: Mapped[bytes]
