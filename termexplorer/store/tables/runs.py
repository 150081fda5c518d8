"""The typed tables of training and evaluation: splits, runs, epochs, figures."""

from typing import Any

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from termexplorer.store.tables.releases import Base
from termexplorer.trainer.errors import Message


class SplitRow(Base):
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


class SplitNameRow(Base):
    """The part of a split that a name is in: 0 train, 1 validation, 2 test."""

    __tablename__ = "split_name"
    __table_args__ = ({"sqlite_with_rowid": False},)

    split_id: Mapped[int] = mapped_column(ForeignKey("split.id"), primary_key=True)
    name_id: Mapped[int] = mapped_column(ForeignKey("name.id"), primary_key=True, index=True)
    part: Mapped[int]


class RunRow(Base):
    """One training of one encoder, with all that is needed to do it again."""

    __tablename__ = "run"
    __table_args__ = ({"sqlite_autoincrement": True},)  # its folder and lock are called by the id

    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[Message]
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
    error: Mapped[Message]
    created_at: Mapped[str]
    finished_at: Mapped[str]


class EpochRow(Base):
    """One epoch of a run, as it was reported."""

    __tablename__ = "epoch"

    run_id: Mapped[int] = mapped_column(ForeignKey("run.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    losses: Mapped[dict[str, Any]]
    validation: Mapped[float]
    seconds: Mapped[float]
    names_per_second: Mapped[float]


class FigureRow(Base):
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


class EvaluationRow(Base):
    """What figures of one task were measured on, and how encoders differ there."""

    __tablename__ = "evaluation"

    task: Mapped[str] = mapped_column(primary_key=True)
    data_hash: Mapped[str] = mapped_column(primary_key=True)
    title: Mapped[Message]
    metric: Mapped[str]  # by which encoders are compared
    differences: Mapped[list[dict[str, Any]]]
    seen: Mapped[dict[str, Any]]  # encoder id: share of the mentions it was trained on
    notes: Mapped[list[Message]]
    evaluated_at: Mapped[str]
    level: Mapped[int | None]  # of the classes; none where the task knows no levels
    split_id: Mapped[int | None]  # which names were held out
    items: Mapped[int | None]  # of the data, whether they count or not
    name: Mapped[str] = mapped_column(server_default="")  # the user's own; empty for none
    set_hash: Mapped[str] = mapped_column(server_default="")  # of pairs, whichever of them count


class PairDetailRow(Base):
    """What stands behind the figures of an encoder on a set of pairs: curve and hardest pairs."""

    __tablename__ = "pair_detail"

    encoder_id: Mapped[int] = mapped_column(ForeignKey("encoder.id"), primary_key=True)
    task: Mapped[str] = mapped_column(primary_key=True)
    data_hash: Mapped[str] = mapped_column(primary_key=True)
    threshold: Mapped[float | None]  # none where no pair is to be taken as similar
    curve: Mapped[list[Any]]  # false and true positives, from 0 to 1
    hardest: Mapped[list[dict[str, Any]]]
