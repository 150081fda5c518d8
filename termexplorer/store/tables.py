"""The typed tables of a workspace.

Dates are ISO 8601 text in UTC, hashes are SHA-256 in hexadecimal, paths are relative to the
workspace folder. The full-text indexes stand in `fulltext.py`.
"""

from typing import Any, ClassVar

from sqlalchemy import JSON, ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """What all tables share."""

    type_annotation_map: ClassVar = {
        dict[str, Any]: JSON,
        list[dict[str, Any]]: JSON,
        list[str]: JSON,
        list[int]: JSON,
        list[Any]: JSON,
    }


class Terminology(Base):
    """What releases in any format are releases of: `doid`, `icd10cm`."""

    __tablename__ = "terminology"

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(unique=True)


class Release(Base):
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
    status: Mapped[str]  # importing | ready | removing
    imported_at: Mapped[str]
    content_hash: Mapped[str]
    concepts: Mapped[int]  # live ones
    names: Mapped[int]  # of live concepts
    is_a: Mapped[int]
    obsolete: Mapped[int]
    skipped: Mapped[int]


class ImportRemark(Base):
    """A row that an import left out (with its line), or a case that it counted."""

    __tablename__ = "import_remark"

    id: Mapped[int] = mapped_column(primary_key=True)
    release_id: Mapped[int] = mapped_column(ForeignKey("release.id"), index=True)
    skipped: Mapped[bool]
    line: Mapped[int]  # 0: no line to name
    count: Mapped[int]
    text: Mapped[str]


class Concept(Base):
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


class Name(Base):
    """A name of a concept; `scope` is that of an OBO synonym, or empty."""

    __tablename__ = "name"

    id: Mapped[int] = mapped_column(primary_key=True)
    release_id: Mapped[int] = mapped_column(ForeignKey("release.id"))
    concept_id: Mapped[int] = mapped_column(ForeignKey("concept.id"), index=True)
    kind: Mapped[str]
    scope: Mapped[str]
    text: Mapped[str]


class Identifier(Base):
    """What the search box finds besides names: codes and alternative ids."""

    __tablename__ = "identifier"

    id: Mapped[int] = mapped_column(primary_key=True)
    release_id: Mapped[int] = mapped_column(ForeignKey("release.id"))
    concept_id: Mapped[int] = mapped_column(ForeignKey("concept.id"), index=True)
    kind: Mapped[str]  # code | alternative
    text: Mapped[str]


Index("concept_root", Concept.release_id, sqlite_where=text("root"))
Index("name_text", Name.release_id, Name.text.collate("NOCASE"))
Index("identifier_text", Identifier.release_id, Identifier.text.collate("NOCASE"))


class IsA(Base):
    """An asserted is-a link between two concepts of one release."""

    __tablename__ = "is_a"
    __table_args__ = (Index("is_a_parent", "parent_id", "child_id"), {"sqlite_with_rowid": False})

    child_id: Mapped[int] = mapped_column(ForeignKey("concept.id"), primary_key=True)
    parent_id: Mapped[int] = mapped_column(ForeignKey("concept.id"), primary_key=True)


class Encoder(Base):
    """Anything that ranks names; all share this id space."""

    __tablename__ = "encoder"

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]  # lexical | untrained | trained | blended
    method: Mapped[str]  # tfidf | bm25 | fasttext | transformer | joined | few-shot | dan ...
    title: Mapped[str]
    input_id: Mapped[int | None] = mapped_column(ForeignKey("encoder.id"))
    dimension: Mapped[int]
    path: Mapped[str]
    content_hash: Mapped[str]
    parameters: Mapped[dict[str, Any]]
    created_at: Mapped[str]


class EncoderPart(Base):
    """One of the encoders that a joined or blended one is made of, in their order."""

    __tablename__ = "encoder_part"

    encoder_id: Mapped[int] = mapped_column(ForeignKey("encoder.id"), primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True)  # from 0
    part_id: Mapped[int] = mapped_column(ForeignKey("encoder.id"))


class Vectors(Base):
    """The vectors of one encoder for the live names of one release, in the order of name ids."""

    __tablename__ = "vectors"

    encoder_id: Mapped[int] = mapped_column(ForeignKey("encoder.id"), primary_key=True)
    release_id: Mapped[int] = mapped_column(ForeignKey("release.id"), primary_key=True)
    path: Mapped[str]
    content_hash: Mapped[str]
    rows: Mapped[int]
    dimension: Mapped[int]


class VectorIndex(Base):
    """An approximate nearest-neighbour index over `Vectors`, with its measured recall at 10."""

    __tablename__ = "vector_index"

    encoder_id: Mapped[int] = mapped_column(ForeignKey("encoder.id"), primary_key=True)
    release_id: Mapped[int] = mapped_column(ForeignKey("release.id"), primary_key=True)
    path: Mapped[str]
    content_hash: Mapped[str]
    recall: Mapped[float]


class Projection(Base):
    """A map: the positions on a plane of names of one release, by one encoder."""

    __tablename__ = "projection"

    encoder_id: Mapped[int] = mapped_column(ForeignKey("encoder.id"), primary_key=True)
    names_hash: Mapped[str] = mapped_column(primary_key=True)
    method: Mapped[str] = mapped_column(primary_key=True)
    parameters: Mapped[str] = mapped_column(primary_key=True)  # JSON, its keys sorted
    seed: Mapped[int] = mapped_column(primary_key=True)
    release_id: Mapped[int] = mapped_column(ForeignKey("release.id"))
    path: Mapped[str]
    content_hash: Mapped[str]
    points: Mapped[int]
    card: Mapped[dict[str, Any]]  # everything that was found and measured
    made_at: Mapped[str]


class Split(Base):
    """Which names are for training, validation and test; shared by runs."""

    __tablename__ = "split"
    __table_args__ = (UniqueConstraint("release_id", "rule", "root", "depth", "seed", "hash"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    release_id: Mapped[int] = mapped_column(ForeignKey("release.id"))
    root: Mapped[str]  # CURIE, or empty for all roots
    depth: Mapped[int]
    rule: Mapped[str]
    seed: Mapped[int]
    hash: Mapped[str]


class SplitName(Base):
    """The part of a split that a name is in: 0 train, 1 validation, 2 test."""

    __tablename__ = "split_name"
    __table_args__ = ({"sqlite_with_rowid": False},)

    split_id: Mapped[int] = mapped_column(ForeignKey("split.id"), primary_key=True)
    name_id: Mapped[int] = mapped_column(ForeignKey("name.id"), primary_key=True, index=True)
    part: Mapped[int]


class Run(Base):
    """One training of one encoder, with all that is needed to do it again."""

    __tablename__ = "run"

    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str]
    recipe: Mapped[str]
    preset: Mapped[str]
    status: Mapped[str]  # queued running paused finished stopped failed interrupted cancelled
    release_id: Mapped[int] = mapped_column(ForeignKey("release.id"))
    input_id: Mapped[int] = mapped_column(ForeignKey("encoder.id"))
    encoder_id: Mapped[int | None] = mapped_column(ForeignKey("encoder.id"))
    split_id: Mapped[int | None] = mapped_column(ForeignKey("split.id"))
    request: Mapped[dict[str, Any]]  # everything that was asked for
    card: Mapped[dict[str, Any]]  # everything that was found and measured
    notes: Mapped[str]
    error: Mapped[str]
    created_at: Mapped[str]
    finished_at: Mapped[str]


class Epoch(Base):
    """One epoch of a run, as it was reported."""

    __tablename__ = "epoch"

    run_id: Mapped[int] = mapped_column(ForeignKey("run.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    losses: Mapped[dict[str, Any]]
    validation: Mapped[float]
    seconds: Mapped[float]
    names_per_second: Mapped[float]


class Figure(Base):
    """A measured figure, computed once for an encoder on one task and one set of data."""

    __tablename__ = "figure"

    encoder_id: Mapped[int] = mapped_column(ForeignKey("encoder.id"), primary_key=True)
    task: Mapped[str] = mapped_column(primary_key=True)
    data_hash: Mapped[str] = mapped_column(primary_key=True)
    metric: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[float]
    low: Mapped[float]
    high: Mapped[float]
    n: Mapped[int]


class Evaluation(Base):
    """What figures of one task were measured on, and how encoders differ there."""

    __tablename__ = "evaluation"

    task: Mapped[str] = mapped_column(primary_key=True)
    data_hash: Mapped[str] = mapped_column(primary_key=True)
    title: Mapped[str]
    metric: Mapped[str]  # by which encoders are compared
    differences: Mapped[list[dict[str, Any]]]
    seen: Mapped[dict[str, Any]]  # encoder id: share of the mentions it was trained on
    notes: Mapped[list[str]]
    evaluated_at: Mapped[str]
    level: Mapped[int | None]  # of the classes; none where the task knows no levels
    split_id: Mapped[int | None]  # which names were held out


class Ranks(Base):
    """The first names and the best right rank of each mention, by an encoder on some data."""

    __tablename__ = "ranks"

    encoder_id: Mapped[int] = mapped_column(ForeignKey("encoder.id"), primary_key=True)
    release_id: Mapped[int] = mapped_column(ForeignKey("release.id"), primary_key=True)
    task: Mapped[str] = mapped_column(primary_key=True)  # neighbours | hypernyms | synonyms
    data_hash: Mapped[str] = mapped_column(primary_key=True)
    path: Mapped[str]
    content_hash: Mapped[str]


class NamedList(Base):
    """A named set of concepts, names or pairs; the list `bookmarks` is always there."""

    __tablename__ = "list"

    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str] = mapped_column(unique=True)
    kind: Mapped[str]  # concepts | names | pairs


class ListItem(Base):
    """A member of a list, told by CURIEs or terms so that it outlives a release."""

    __tablename__ = "list_item"
    __table_args__ = (UniqueConstraint("list_id", "terminology_id", "subject", "object"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    list_id: Mapped[int] = mapped_column(ForeignKey("list.id"))
    terminology_id: Mapped[int | None] = mapped_column(ForeignKey("terminology.id"))
    subject: Mapped[str]
    object: Mapped[str]  # the other half of a pair, or empty
    added_at: Mapped[str]


class Person(Base):
    """Somebody who judges or curates."""

    __tablename__ = "person"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    orcid: Mapped[str]
