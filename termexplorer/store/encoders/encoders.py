"""Operations on encoders; queries and operations on their vectors and indexes."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from termexplorer.errors import UserError
from termexplorer.store.tables.encoders import (
    Encoder,
    EncoderPart,
    Projection,
    Ranks,
    VectorIndex,
    Vectors,
)
from termexplorer.store.tables.runs import Figure, PairDetail, Run
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


def _rows(connection: Connection, query: Any) -> list[dict[str, Any]]:
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
    row = insert(Encoder).values(
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
    for place, part_id in enumerate(part_ids):
        connection.execute(insert(EncoderPart).values(encoder_id=new, place=place, part_id=part_id))
    return new


def rename_encoder(connection: Connection, encoder_id: int, title: str) -> None:
    """Gives an encoder another title."""
    connection.execute(update(Encoder).where(Encoder.id == encoder_id).values(title=title))


def vector_file(connection: Connection, encoder_id: int, release_id: int) -> VectorFile | None:
    """The vectors of an encoder for a release, if they were made."""
    files = vector_files(connection, encoder_id)
    return next((file for file in files if file.release_id == release_id), None)


def vector_files(connection: Connection, encoder_id: int) -> list[VectorFile]:
    """The vectors of an encoder for all releases that they were made for."""
    columns = [getattr(Vectors, name) for name in VectorFile.__slots__]
    query = select(*columns).where(Vectors.encoder_id == encoder_id).order_by(Vectors.release_id)
    return [VectorFile(**row) for row in _rows(connection, query)]


def index_file(connection: Connection, encoder_id: int, release_id: int) -> IndexFile | None:
    """The index over an encoder's vectors for a release, if it was built."""
    columns = [getattr(VectorIndex, name) for name in IndexFile.__slots__]
    query = select(*columns).where(
        VectorIndex.encoder_id == encoder_id, VectorIndex.release_id == release_id
    )
    rows = _rows(connection, query)
    return IndexFile(**rows[0]) if rows else None


def put_vectors(connection: Connection, file: VectorFile) -> None:
    """Notes where vectors lie now; an index over older ones is forgotten."""
    _put(connection, Vectors, file, VectorFile.__slots__)
    connection.execute(
        delete(VectorIndex).where(
            VectorIndex.encoder_id == file.encoder_id, VectorIndex.release_id == file.release_id
        )
    )


def put_index(connection: Connection, file: IndexFile) -> None:
    """Notes where an index lies now."""
    _put(connection, VectorIndex, file, IndexFile.__slots__)


def forget_index(connection: Connection, file: IndexFile) -> None:
    """Forgets an index that is damaged; one that was built meanwhile is another."""
    connection.execute(
        delete(VectorIndex).where(
            VectorIndex.encoder_id == file.encoder_id,
            VectorIndex.release_id == file.release_id,
            VectorIndex.content_hash == file.content_hash,
        )
    )


def _put(connection: Connection, table: Any, file: object, fields: tuple[str, ...]) -> None:
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
    connection.execute(delete(EncoderPart).where(EncoderPart.encoder_id == encoder_id))
    files = []
    for table in (Ranks, Projection, VectorIndex, Vectors):
        mine = table.encoder_id == encoder_id
        files += list(connection.scalars(select(table.path).where(mine)))
        connection.execute(delete(table).where(mine))
    for measured in (Figure, PairDetail):
        connection.execute(delete(measured).where(measured.encoder_id == encoder_id))
    own = select(Encoder.path).where(Encoder.id == encoder_id, Encoder.path != "")
    files += list(connection.scalars(own))
    connection.execute(delete(Encoder).where(Encoder.id == encoder_id))
    return files


def check_unused(
    connection: Connection,
    encoder_id: int,
    without_runs: Collection[int] = (),
    without_encoders: Collection[int] = (),
) -> None:
    """Raises `UserError` if another encoder or a run builds on one, but for some of them."""
    over = select(Run.id).where(Run.input_id == encoder_id, Run.id.not_in(without_runs))
    if (run := connection.scalar(over)) is not None:
        raise UserError(
            tr(
                "encoder {encoder_id} is the input of run {run}; remove that run first",
                encoder_id=encoder_id,
                run=run,
            )
        )
    whole = select(EncoderPart.encoder_id).where(
        EncoderPart.part_id == encoder_id, EncoderPart.encoder_id.not_in(without_encoders)
    )
    if (part_of := connection.scalar(whole)) is not None:
        raise UserError(
            tr(
                "encoder {encoder_id} is a part of encoder {part_of}; remove that one first, on "
                "the Train page, or with `termexplorer vectors remove {part_of}`",
                encoder_id=encoder_id,
                part_of=part_of,
            )
        )
