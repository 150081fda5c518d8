"""The typed tables of studies, whose verdicts are in the one log."""

from typing import Any

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from termexplorer.store.tables.releases import Base


class StudyRow(Base):
    """A study of pairs, whole, or as much of it as came in packs."""

    __tablename__ = "study"

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(unique=True)  # what the log calls it, wherever it is
    title: Mapped[str]
    question: Mapped[str]
    answers: Mapped[list[dict[str, Any]]]
    level: Mapped[str]  # nominal | ordinal | interval
    guidelines: Mapped[str]
    plan: Mapped[dict[str, Any]]  # how it was drawn; empty where it came in packs
    made_at: Mapped[str]
    look_up: Mapped[dict[str, Any]]  # where; empty where it may not be
    sent_title: Mapped[str] = mapped_column(server_default="")  # in packs, where renamed since


class StudyPairRow(Base):
    """A pair to be judged; told apart by its terms alone."""

    __tablename__ = "study_pair"
    __table_args__ = (UniqueConstraint("study_id", "subject", "object"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(ForeignKey("study.id"))
    subject: Mapped[str]  # the term that sorts first
    object: Mapped[str]
    practice: Mapped[bool]
    set_name: Mapped[str]  # where it was drawn from; empty where it came in a pack
    score: Mapped[float | None]  # there: 1 for similar, 0 for not, or a rating
    left_out: Mapped[str] = mapped_column(server_default="")  # why; empty where it is asked about
    known: Mapped[str] = mapped_column(server_default="")  # the right answer, where it is told


class StudySeatRow(Base):
    """One who judges in a study."""

    __tablename__ = "study_seat"
    __table_args__ = (UniqueConstraint("study_id", "annotator"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(ForeignKey("study.id"))
    annotator: Mapped[str]
    pack_hash: Mapped[str]  # of what this annotator is given
    pack_signature: Mapped[dict[str, Any]] = mapped_column(server_default="{}")  # as it came


class StudyTurnRow(Base):
    """One time that an annotator is asked about a pair."""

    __tablename__ = "study_turn"

    seat_id: Mapped[int] = mapped_column(ForeignKey("study_seat.id"), primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True)  # from 0, practice first
    pair_id: Mapped[int] = mapped_column(ForeignKey("study_pair.id"))
    showing: Mapped[int]  # 1, or 2 where the pair is repeated
    swapped: Mapped[bool]  # whether the object stands at the left
