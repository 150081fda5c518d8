"""The typed tables of encoders and of what is computed by them: vectors, indexes, maps, ranks."""

from typing import Any

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from termexplorer.store.tables.releases import Base
from termexplorer.trainer.errors import Message


class EncoderRow(Base):
    """Anything that ranks names; all share this id space."""

    __tablename__ = "encoder"
    __table_args__ = ({"sqlite_autoincrement": True},)  # what is kept by an id outlives the row

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]  # lexical | untrained | trained | blended
    method: Mapped[str]  # tfidf | bm25 | fasttext | transformer | joined | few-shot | dan ...
    title: Mapped[Message]
    input_id: Mapped[int | None] = mapped_column(ForeignKey("encoder.id"))
    dimension: Mapped[int]
    path: Mapped[str]
    content_hash: Mapped[str]
    parameters: Mapped[dict[str, Any]]
    created_at: Mapped[str]


class EncoderPartRow(Base):
    """One of the encoders that a joined or blended one is made of, in their order."""

    __tablename__ = "encoder_part"

    encoder_id: Mapped[int] = mapped_column(ForeignKey("encoder.id"), primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True)  # from 0
    part_id: Mapped[int] = mapped_column(ForeignKey("encoder.id"))


class VectorsRow(Base):
    """The vectors of one encoder for the live names of one release, in the order of name ids."""

    __tablename__ = "vectors"

    encoder_id: Mapped[int] = mapped_column(ForeignKey("encoder.id"), primary_key=True)
    release_id: Mapped[int] = mapped_column(ForeignKey("release.id"), primary_key=True)
    path: Mapped[str]
    content_hash: Mapped[str]
    rows: Mapped[int]
    dimension: Mapped[int]


class VectorIndexRow(Base):
    """An approximate nearest-neighbour index over `VectorsRow`, with its measured recall at 10."""

    __tablename__ = "vector_index"

    encoder_id: Mapped[int] = mapped_column(ForeignKey("encoder.id"), primary_key=True)
    release_id: Mapped[int] = mapped_column(ForeignKey("release.id"), primary_key=True)
    path: Mapped[str]
    content_hash: Mapped[str]
    recall: Mapped[float]


class ProjectionRow(Base):
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
    title: Mapped[str] = mapped_column(server_default="")  # the user's own; empty for none


class RanksRow(Base):
    """The first names and the best right rank of each mention, by an encoder on some data."""

    __tablename__ = "ranks"

    encoder_id: Mapped[int] = mapped_column(ForeignKey("encoder.id"), primary_key=True)
    release_id: Mapped[int] = mapped_column(ForeignKey("release.id"), primary_key=True)
    task: Mapped[str] = mapped_column(primary_key=True)  # neighbours | hypernyms | synonyms
    data_hash: Mapped[str] = mapped_column(primary_key=True)
    path: Mapped[str]
    content_hash: Mapped[str]
