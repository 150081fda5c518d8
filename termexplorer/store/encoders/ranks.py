"""Queries on kept ranks: where the first names that encoders rank for many mentions lie."""

from dataclasses import dataclass

from sqlalchemy import Connection, select
from sqlalchemy.dialects.sqlite import insert as upsert

from termexplorer.store.tables.encoders import RanksRow

_KEYS = ("encoder_id", "release_id", "task", "data_hash")


@dataclass(frozen=True, slots=True)
class RankFile:
    """Where the ranks of an encoder on some data lie, relative to the workspace.

    Attributes:
        task: neighbours, hypernyms or synonyms.
        data_hash: SHA-256 of the mentions, of what is ranked for them, and of what is right.
    """

    encoder_id: int
    release_id: int
    task: str
    data_hash: str
    path: str
    content_hash: str


def rank_file(
    connection: Connection, encoder_id: int, release_id: int, task: str, data_hash: str
) -> RankFile | None:
    """The ranks of an encoder on some data, if they were kept."""
    columns = [getattr(RanksRow, name) for name in RankFile.__slots__]
    keys = zip(_KEYS, (encoder_id, release_id, task, data_hash), strict=True)
    row = connection.execute(select(*columns).filter_by(**dict(keys))).mappings().first()
    return RankFile(**row) if row else None


def put_ranks(connection: Connection, file: RankFile) -> None:
    """Notes where ranks lie now."""
    values = {name: getattr(file, name) for name in RankFile.__slots__}
    query = upsert(RanksRow).values(**values)
    connection.execute(query.on_conflict_do_update(index_elements=_KEYS, set_=values))
