"""The typed tables of judging: people, the log of verdicts, suggestions that wait for them."""

from typing import Any

from sqlalchemy import ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from termexplorer.store.tables.releases import Base
from termexplorer.trainer.errors import Message


class PersonRow(Base):
    """Somebody who judges or curates."""

    __tablename__ = "person"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    orcid: Mapped[str]


class VerdictRow(Base):
    """One row of the log, which triggers keep from ever being changed.

    A row either answers a question on a pair, or takes back the row `undoes`.
    """

    __tablename__ = "verdict"

    id: Mapped[int] = mapped_column(primary_key=True)
    study: Mapped[str]  # whose undo it is: a study of pairs; empty: the curators' work
    judge: Mapped[str]
    orcid: Mapped[str]
    question: Mapped[str]  # of curators the predicate: skos:broadMatch, skos:exactMatch ...
    subject: Mapped[str]  # a CURIE, or a term
    term: Mapped[str]  # the name of the subject that is meant; empty: all of it
    object: Mapped[str]  # a CURIE, or a term
    showing: Mapped[int] = mapped_column(server_default="1")  # which time it was asked
    release_hash: Mapped[str]  # of the subject's release when it was judged
    answer: Mapped[str]
    note: Mapped[str]
    shown_at: Mapped[str]
    answered_at: Mapped[str]
    undoes: Mapped[int | None]
    details: Mapped[dict[str, Any]]
    before: Mapped[str]  # hash of the row before
    hash: Mapped[str]


Index(
    "verdict_about",
    VerdictRow.study,
    VerdictRow.subject,
    VerdictRow.object,
    VerdictRow.judge,
    VerdictRow.orcid,
    VerdictRow.answered_at,
)
Index("verdict_by", VerdictRow.study, VerdictRow.judge, VerdictRow.orcid)
Index("verdict_undoes", VerdictRow.undoes, sqlite_where=VerdictRow.undoes.is_not(None))


class SuggestionListRow(Base):
    """A table of suggestions that a finder made, or that came from a file."""

    __tablename__ = "suggestion_list"

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]  # misplaced | names | duplicates | mappings | imported
    title: Mapped[str]
    release_id: Mapped[int | None] = mapped_column(ForeignKey("release.id"))
    object_release_id: Mapped[int | None] = mapped_column(ForeignKey("release.id"))
    encoder_ids: Mapped[list[int]]
    parameters: Mapped[dict[str, Any]]  # what else the finder was asked for
    header: Mapped[list[str]]  # titles of the cells of each suggestion
    facts: Mapped[list[Message]]  # sentences on how good the finder is
    head: Mapped[dict[str, Any]]  # slots of a whole mapping set that came from a file
    made_at: Mapped[str]


class SuggestionRow(Base):
    """One suggestion: a mapping."""

    __tablename__ = "suggestion"
    __table_args__ = (UniqueConstraint("list_id", "place"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    list_id: Mapped[int] = mapped_column(ForeignKey("suggestion_list.id"))
    place: Mapped[int]  # from 0, the most likely first
    question: Mapped[str]  # the predicate
    subject: Mapped[str]
    term: Mapped[str]
    object: Mapped[str]
    cells: Mapped[list[Any]]
    slots: Mapped[dict[str, Any]]  # the other slots of the mapping, as SSSOM calls them
