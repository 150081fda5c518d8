"""Operations on encoders; queries and operations on their vectors and indexes."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from termexplorer.errors import UserError
from termexplorer.store.tables.encoders import (
    EncoderPartRow,
    EncoderRow,
    ProjectionRow,
    RanksRow,
    VectorIndexRow,
    VectorsRow,
)
from termexplorer.store.tables.runs import FigureRow, PairDetailRow, RunRow
from termexplorer.texts import tr


@dataclass(frozen=True, slots=True)
class VectorFile:
    """Where the vectors of an encoder for a release lie, relative to the workspace."""

    encoder_id: int
    release_id: int
    path: str
    content_hash: str
    rows: int
    dimension: int


@dataclass(frozen=True, slots=True)
class IndexFile:
    """Where an index over vectors lies, and its measured recall at 10."""

    encoder_id: int
    release_id: int
    path: str
    content_hash: str
    recall: float


def _row_dicts(connection: Connection, query: Any) -> list[dict[str, Any]]:
    return [dict(row) for row in connection.execute(query).mappings()]


def add_encoder(
    connection: Connection,
    *,
    kind: str,
    method: str,
    title: str,
    dimension: int,
    path: str,
    content_hash: str,
    parameters: Mapping[str, Any],
    input_id: int | None = None,
    part_ids: Sequence[int] = (),
) -> int:
    """Adds an encoder and returns its id."""
    row = insert(EncoderRow).values(
        kind=kind,
        method=method,
        title=title,
        input_id=input_id,
        dimension=dimension,
        path=path,
        content_hash=content_hash,
        parameters=dict(parameters),
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    new = int(connection.execute(row).inserted_primary_key[0])  # type: ignore[index]
    for index, part_id in enumerate(part_ids):
        connection.execute(
            insert(EncoderPartRow).values(encoder_id=new, place=index, part_id=part_id)
        )
    return new


def rename_encoder(connection: Connection, encoder_id: int, title: str) -> None:
    """Gives an encoder another title."""
    connection.execute(update(EncoderRow).where(EncoderRow.id == encoder_id).values(title=title))


def vector_file(connection: Connection, encoder_id: int, release_id: int) -> VectorFile | None:
    """The vectors of an encoder for a release, if they were made."""
    files = vector_files(connection, encoder_id)
    return next((file for file in files if file.release_id == release_id), None)


def vector_files(connection: Connection, encoder_id: int) -> list[VectorFile]:
    """The vectors of an encoder for all releases that they were made for."""
    columns = [getattr(VectorsRow, name) for name in VectorFile.__slots__]
    query = (
        select(*columns).where(VectorsRow.encoder_id == encoder_id).order_by(VectorsRow.release_id)
    )
    return [VectorFile(**row) for row in _row_dicts(connection, query)]


def index_file(connection: Connection, encoder_id: int, release_id: int) -> IndexFile | None:
    """The index over an encoder's vectors for a release, if it was built."""
    columns = [getattr(VectorIndexRow, name) for name in IndexFile.__slots__]
    query = select(*columns).where(
        VectorIndexRow.encoder_id == encoder_id, VectorIndexRow.release_id == release_id
    )
    rows = _row_dicts(connection, query)
    return IndexFile(**rows[0]) if rows else None


def put_vectors(connection: Connection, file: VectorFile) -> None:
    """Notes where vectors lie now; an index over older ones is forgotten."""
    _put_file(connection, VectorsRow, file, VectorFile.__slots__)
    connection.execute(
        delete(VectorIndexRow).where(
            VectorIndexRow.encoder_id == file.encoder_id,
            VectorIndexRow.release_id == file.release_id,
        )
    )


def put_index(connection: Connection, file: IndexFile) -> None:
    """Notes where an index lies now."""
    _put_file(connection, VectorIndexRow, file, IndexFile.__slots__)


def forget_index(connection: Connection, file: IndexFile) -> None:
    """Forgets an index that is damaged; one that was built meanwhile is another."""
    connection.execute(
        delete(VectorIndexRow).where(
            VectorIndexRow.encoder_id == file.encoder_id,
            VectorIndexRow.release_id == file.release_id,
            VectorIndexRow.content_hash == file.content_hash,
        )
    )


def _put_file(connection: Connection, table: Any, file: object, fields: tuple[str, ...]) -> None:
    values = {name: getattr(file, name) for name in fields}
    query = upsert(table).values(**values)
    keys = ("encoder_id", "release_id")
    connection.execute(query.on_conflict_do_update(index_elements=keys, set_=values))


def remove_encoder(connection: Connection, encoder_id: int) -> list[str]:
    """Removes an encoder; returns the files and folders that were its own.

    Raises:
        UserError: another encoder or a run builds on it.
    """
    check_unused(connection, encoder_id)
    connection.execute(delete(EncoderPartRow).where(EncoderPartRow.encoder_id == encoder_id))
    files = []
    for table in (RanksRow, ProjectionRow, VectorIndexRow, VectorsRow):
        mine = table.encoder_id == encoder_id
        files += list(connection.scalars(select(table.path).where(mine)))
        connection.execute(delete(table).where(mine))
    for measured in (FigureRow, PairDetailRow):
        connection.execute(delete(measured).where(measured.encoder_id == encoder_id))
    own_files = select(EncoderRow.path).where(EncoderRow.id == encoder_id, EncoderRow.path != "")
    files += list(connection.scalars(own_files))
    connection.execute(delete(EncoderRow).where(EncoderRow.id == encoder_id))
    return files


def check_unused(
    connection: Connection,
    encoder_id: int,
    without_runs: Collection[int] = (),
    without_encoders: Collection[int] = (),
) -> None:
    """Raises `UserError` if another encoder or a run builds on one, but for some of them."""
    over = select(RunRow.id).where(RunRow.input_id == encoder_id, RunRow.id.not_in(without_runs))
    if (run := connection.scalar(over)) is not None:
        raise UserError(
            tr(
                "encoder {encoder_id} is the input of run {run}; remove that run first",
                encoder_id=encoder_id,
                run=run,
            )
        )
    whole = select(EncoderPartRow.encoder_id).where(
        EncoderPartRow.part_id == encoder_id, EncoderPartRow.encoder_id.not_in(without_encoders)
    )
    if (part_of := connection.scalar(whole)) is not None:
        raise UserError(
            tr(
                "encoder {encoder_id} is a part of encoder {part_of}; remove that one first, on "
                "the Train page, or with `termexplorer encoder remove {part_of}`",
                encoder_id=encoder_id,
                part_of=part_of,
            )
        )
