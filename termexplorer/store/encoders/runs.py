"""Queries and operations on runs, their epochs, splits and figures."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from math import inf, isnan, nan
from typing import Any

from sqlalchemy import Connection, RowMapping, delete, insert, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from termexplorer.store.kept_messages import translate_message
from termexplorer.store.tables.encoders import EncoderPartRow
from termexplorer.store.tables.runs import EpochRow, FigureRow, RunRow, SplitNameRow, SplitRow
from termexplorer.trainer.errors import Message

ACTIVE = ("queued", "running", "paused")
LARGEST = 2**63 - 1  # id that the store can look for


@dataclass(frozen=True, slots=True)
class RunInfo:
    """One training of one encoder."""

    id: int
    title: Message
    recipe: str
    preset: str
    status: str
    release_id: int
    input_id: int
    encoder_id: int | None
    split_id: int | None
    request: Mapping[str, Any]
    card: Mapping[str, Any]
    notes: str
    error: Message
    created_at: str
    finished_at: str

    @property
    def shown_title(self) -> str:
        """Return its title in the language in use."""
        return translate_message(self.title)


@dataclass(frozen=True, slots=True)
class EpochInfo:
    """One epoch of a run."""

    number: int
    losses: Mapping[str, float]
    validation: float
    seconds: float
    names_per_second: float


@dataclass(frozen=True, slots=True)
class FigureInfo:
    """A figure with its interval, over n mentions."""

    encoder_id: int
    task: str
    data_hash: str
    metric: str
    value: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True)
class SplitInfo:
    """What a split was drawn from, and the hash of what came out."""

    release_id: int
    root: str
    depth: int
    rule: str
    seed: int
    hash: str


def runs(connection: Connection) -> list[RunInfo]:
    """All runs, the newest first."""
    query = select(*_INFO).order_by(RunRow.id.desc())
    return [RunInfo(**row) for row in connection.execute(query).mappings()]


def run(connection: Connection, run_id: int) -> RunInfo | None:
    """One run, or None."""
    if run_id > LARGEST:
        return None
    query = select(*_INFO).where(RunRow.id == run_id)
    row = connection.execute(query).mappings().one_or_none()
    return RunInfo(**row) if row else None


_INFO = [getattr(RunRow, name) for name in RunInfo.__slots__]


def run_of_encoder(connection: Connection, encoder_id: int) -> RunInfo | None:
    """The run that trained an encoder, or None for an untrained one."""
    run_id = connection.scalar(select(RunRow.id).where(RunRow.encoder_id == encoder_id))
    return None if run_id is None else run(connection, run_id)


def run_behind(connection: Connection, encoder_id: int) -> RunInfo | None:
    """The run that trained an encoder, or the first run of what it is made of; or None."""
    parts = select(EncoderPartRow.part_id).where(EncoderPartRow.encoder_id == encoder_id)
    made_of = connection.scalars(parts.order_by(EncoderPartRow.place)).all()
    earlier_runs = (run_behind(connection, part_id) for part_id in made_of)
    return run_of_encoder(connection, encoder_id) or next(
        (run for run in earlier_runs if run), None
    )


def add_run(
    connection: Connection,
    *,
    title: str,
    recipe: str,
    preset: str,
    release_id: int,
    input_id: int,
    request: Mapping[str, Any],
) -> int:
    """Adds a run that waits to be done, and returns its id."""
    row = insert(RunRow).values(
        title=title,
        recipe=recipe,
        preset=preset,
        status="queued",
        release_id=release_id,
        input_id=input_id,
        request=dict(request),
        card={},
        notes="",
        error=Message(""),
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        finished_at="",
    )
    return int(connection.execute(row).inserted_primary_key[0])  # type: ignore[index]


def update_run(connection: Connection, run_id: int, **values: Any) -> None:
    """Changes columns of a run."""
    connection.execute(update(RunRow).where(RunRow.id == run_id).values(**values))


def end_run(connection: Connection, run_id: int, status: str, **values: Any) -> None:
    """Notes how and when a run ended."""
    finished = datetime.now(UTC).isoformat(timespec="seconds")
    update_run(connection, run_id, status=status, finished_at=finished, **values)


def delete_run(connection: Connection, run_id: int) -> None:
    """Removes a run with its epochs; its encoder, if it made one, is the caller's to remove."""
    connection.execute(delete(EpochRow).where(EpochRow.run_id == run_id))
    connection.execute(delete(RunRow).where(RunRow.id == run_id))


def epochs(connection: Connection, run_id: int) -> list[EpochInfo]:
    """The epochs of a run, in their order."""
    columns = [getattr(EpochRow, name) for name in EpochInfo.__slots__]
    query = select(*columns).where(EpochRow.run_id == run_id).order_by(EpochRow.number)
    return [EpochInfo(**row) for row in connection.execute(query).mappings()]


def put_epochs(connection: Connection, run_id: int, reports: Sequence[EpochInfo]) -> None:
    """Keeps epochs as they are reported, one after the other.

    A run that went on, or began anew, reports some again; what came after the first of them goes.
    """
    if not reports:
        return
    again = EpochRow.number >= reports[0].number
    connection.execute(delete(EpochRow).where(EpochRow.run_id == run_id, again))
    connection.execute(
        insert(EpochRow),
        [
            {"run_id": run_id} | {name: getattr(report, name) for name in EpochInfo.__slots__}
            for report in reports
        ],
    )


def put_split(
    connection: Connection, split: SplitInfo, name_ids: Sequence[int], parts: Sequence[int]
) -> int:
    """Keeps a split, or finds the equal one that is there; returns its id."""
    values = {name: getattr(split, name) for name in SplitInfo.__slots__}
    existing_id = connection.scalar(select(SplitRow.id).filter_by(**values))
    if existing_id is not None:
        return int(existing_id)
    row = connection.execute(insert(SplitRow).values(**values))
    split_id = int(row.inserted_primary_key[0])  # type: ignore[index]
    members = [
        {"split_id": split_id, "name_id": name_id, "part": part}
        for name_id, part in zip(name_ids, parts, strict=True)
    ]
    connection.execute(insert(SplitNameRow), members)
    return split_id


def find_split(connection: Connection, split_id: int) -> SplitInfo | None:
    """One split, or None."""
    if split_id > LARGEST:
        return None
    columns = [getattr(SplitRow, name) for name in SplitInfo.__slots__]
    row = connection.execute(select(*columns).where(SplitRow.id == split_id)).mappings().first()
    return SplitInfo(**row) if row else None


def split_parts(connection: Connection, split_id: int) -> dict[int, int]:
    """The part of each name of a split, by the name's id: 0 train, 1 validation, 2 test ..."""
    query = select(SplitNameRow.name_id, SplitNameRow.part).where(SplitNameRow.split_id == split_id)
    return dict(connection.execute(query).tuples().all())


def run_of_split(connection: Connection, split_id: int) -> RunInfo | None:
    """The first run that was trained on a split, or None."""
    if split_id > LARGEST:
        return None
    query = select(RunRow.id).where(RunRow.split_id == split_id).order_by(RunRow.id)
    run_id = connection.scalar(query.limit(1))
    return None if run_id is None else run(connection, run_id)


def runs_beneath(connection: Connection, encoder_ids: Sequence[int]) -> list[RunInfo]:
    """The runs that made some encoders and what lies beneath them, in their order."""
    query = """
    WITH RECURSIVE beneath(above_id, id) AS (
        SELECT id, input_id FROM encoder WHERE input_id NOT NULL
        UNION SELECT encoder_id, part_id FROM encoder_part),
      chain(id) AS (SELECT value FROM json_each(?)
        UNION SELECT beneath.id FROM beneath JOIN chain ON above_id = chain.id)
    SELECT id FROM run WHERE encoder_id IN (SELECT id FROM chain)"""
    ids = connection.exec_driver_sql(query, (json.dumps(list(encoder_ids)),)).scalars().all()
    rows = connection.execute(
        select(*_INFO).where(RunRow.id.in_(ids)).order_by(RunRow.id)
    ).mappings()
    return [RunInfo(**row) for row in rows]


def put_figures(connection: Connection, figures: Iterable[FigureInfo]) -> None:
    """Keeps figures; those computed before on the same data are replaced."""
    rows = [_figure_values(figure) for figure in figures]
    if rows:
        query = upsert(FigureRow)
        values = {name: query.excluded[name] for name in ("value", "low", "high", "n")}
        keys = ("encoder_id", "task", "data_hash", "metric")
        connection.execute(query.on_conflict_do_update(index_elements=keys, set_=values), rows)


def _figure_values(figure: FigureInfo) -> dict[str, Any]:
    """Return the row of a figure; of one without interval, ends that bound nothing.

    SQLite has no NaN: it would be NULL.
    """
    values = {name: getattr(figure, name) for name in FigureInfo.__slots__}
    if isnan(figure.low) or isnan(figure.high):
        values |= {"low": -inf, "high": inf}
    return values


def _read_figure(row: RowMapping) -> FigureInfo:
    figure = FigureInfo(**row)
    return replace(figure, low=nan, high=nan) if figure.high == inf else figure


def figures(connection: Connection, data_hash: str) -> list[FigureInfo]:
    """All figures that were measured on the same data, by task, metric and encoder."""
    columns = [getattr(FigureRow, name) for name in FigureInfo.__slots__]
    query = select(*columns).where(FigureRow.data_hash == data_hash)
    stored_figures = [_read_figure(row) for row in connection.execute(query).mappings()]
    return sorted(stored_figures, key=_in_order)


def _in_order(figure: FigureInfo) -> tuple[str, str, int, int]:
    """So that 2 comes before 10 in metrics at several k."""
    metric, _, k = figure.metric.partition("@")
    return figure.task, metric, int(k or 0), figure.encoder_id
