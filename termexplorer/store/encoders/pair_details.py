"""Queries on what stands behind figures on pairs: ROC curves, and the pairs that were hardest."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, RowMapping, select
from sqlalchemy.dialects.sqlite import insert as upsert

from termexplorer.store.tables.runs import PairDetailRow

_KEYS = ("encoder_id", "task", "data_hash")


@dataclass(frozen=True, slots=True)
class HardPair:
    """A pair on the wrong side of others.

    Attributes:
        left: a term.
        right: another.
        similar: whether the set has them as similar.
        similarities: of all encoders that were measured together, by their ids.
    """

    left: str
    right: str
    similar: bool
    similarities: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class PairDetails:
    """What stands behind the figures of an encoder on a set of pairs.

    Attributes:
        threshold: the similarity from which pairs are best taken as similar; None where best none
            is.
        curve: false and true positives, both rising from 0 to 1; the points that show it.
        hardest: similar pairs and others in turn, the hardest of each first.
    """

    encoder_id: int
    task: str
    data_hash: str
    threshold: float | None
    curve: tuple[Sequence[float], Sequence[float]]
    hardest: tuple[HardPair, ...]


def put_pair_details(connection: Connection, details: Iterable[PairDetails]) -> None:
    """Keeps details; those of the same encoders on the same data are replaced."""
    for detail in details:
        row = {name: getattr(detail, name) for name in PairDetails.__slots__}
        row["hardest"] = [asdict(pair) for pair in detail.hardest]
        query = upsert(PairDetailRow).values(**row)
        connection.execute(query.on_conflict_do_update(index_elements=_KEYS, set_=row))


def pair_details(connection: Connection, task: str, data_hash: str) -> list[PairDetails]:
    """The details of all encoders on the same data, in the order of their ids."""
    columns = [getattr(PairDetailRow, name) for name in PairDetails.__slots__]
    query = select(*columns).where(PairDetailRow.task == task, PairDetailRow.data_hash == data_hash)
    rows = connection.execute(query.order_by(PairDetailRow.encoder_id)).mappings()
    return [_make_details(row) for row in rows]


def _make_details(row: RowMapping) -> PairDetails:
    hardest = tuple(_make_pair(values) for values in row["hardest"])
    return PairDetails(**{**row, "curve": tuple(row["curve"]), "hardest": hardest})


def _make_pair(row: Mapping[str, Any]) -> HardPair:
    by_id = {int(encoder_id): value for encoder_id, value in row["similarities"].items()}
    return HardPair(row["left"], row["right"], row["similar"], by_id)
