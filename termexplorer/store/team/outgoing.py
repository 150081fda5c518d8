"""Rows of a workspace's log that are still to be sent to the team.

The log itself is the outbox: what has no row in `team_row` is to be sent. A verdict is thus on the
disk before anything else, and judging knows nothing of the team.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select
from sqlalchemy.dialects.sqlite import insert

from termexplorer.store.database.raw_sql import SqlReader
from termexplorer.store.judging.verdicts import CURATORS
from termexplorer.store.tables.judging import VerdictRow
from termexplorer.store.tables.team import TeamRow
from termexplorer.store.team.chains import (
    Chain,
    ChainHead,
    ChainRow,
    compute_link,
    identify_row,
)

_HEAD = "SELECT seq, link FROM team_row WHERE device = ? AND study = ? ORDER BY seq DESC LIMIT 1"
_OWN_CHAINS = "SELECT DISTINCT study FROM team_row WHERE device = ?"


@dataclass(frozen=True, slots=True)
class SendScope:
    """Which rows of the log go to the team.

    Attributes:
        person: whose rows go: curators' work, and what was judged in `studies`.
        studies: that the team has and the person judges in.
        all_of: studies of which the rows of everybody go, as an author has them from files.
    """

    person: str
    studies: frozenset[str] = frozenset()
    all_of: frozenset[str] = frozenset()

    def select_unsent(self) -> ColumnElement[bool]:
        """Select the rows that are still to be sent."""
        judged = VerdictRow.study.in_(sorted({CURATORS, *self.studies}))
        goes: ColumnElement[bool] = (VerdictRow.judge == self.person) & judged
        if self.all_of:
            goes = or_(goes, VerdictRow.study.in_(sorted(self.all_of)))
        known = select(TeamRow.row_id).where(TeamRow.row_id == VerdictRow.id).exists()
        return goes & ~known


def find_local_head(connection: SqlReader, chain: Chain) -> ChainHead:
    """Return how far the workspace has a chain of the team."""
    row = connection.exec_driver_sql(_HEAD, chain).fetchone()
    return ChainHead(*row) if row else ChainHead()


def list_own_chains(connection: SqlReader, device: str) -> list[Chain]:
    """Return the chains of a workspace that have rows."""
    rows = connection.exec_driver_sql(_OWN_CHAINS, (device,))
    return [(device, study) for (study,) in rows]


def list_unsent(
    connection: Connection,
    device: str,
    scope: SendScope,
    after: int,
    most: int,
) -> list[ChainRow]:
    """Return rows of the log that the team has not, as they are sent.

    Args:
        connection: to the store.
        device: the workspace, as its chains have it.
        scope: which rows are the team's.
        after: a row of the log; those up to it were sent.
        most: how many at most.
    """
    condition = and_(VerdictRow.id > after, scope.select_unsent())
    query = select(*VerdictRow.__table__.columns).where(condition).order_by(VerdictRow.id)
    heads: dict[Chain, ChainHead] = {}
    identities: dict[int, str] = {}
    rows = []
    for record in connection.execute(query.limit(most)):
        values = dict(record._mapping)
        undoes = _identify_undone(connection, identities, values["undoes"])
        if undoes is None:
            continue  # what it takes back is not the team's
        chain = (device, values["study"])
        head = heads.get(chain) or find_local_head(connection, chain)
        link = compute_link(head.link, values["hash"])
        identities[values["id"]] = identity = identify_row(values)
        rows.append(ChainRow(*chain, head.seq + 1, values, identity, undoes, head.link, link))
        heads[chain] = ChainHead(head.seq + 1, link)
    return rows


def count_unsent(connection: Connection, scope: SendScope) -> int:
    """Return how many rows of the log are still to be sent."""
    query = select(func.count()).select_from(VerdictRow)
    return connection.scalar(query.where(scope.select_unsent())) or 0


def _identify_undone(
    connection: Connection, identities: dict[int, str], row_id: int | None
) -> str | None:
    """Return the identity of what a row takes back; "" where it is a verdict."""
    if row_id is None:
        return ""
    if row_id in identities:
        return identities[row_id]
    query = select(TeamRow.identity).where(TeamRow.row_id == row_id).limit(1)
    return connection.scalar(query)


def mark_sent(connection: Connection, rows: Sequence[ChainRow]) -> None:
    """Write down that the server has rows of the log."""
    add_team_rows(connection, ((row, int(row.values["id"])) for row in rows))


def add_team_rows(connection: Connection, rows: Iterable[tuple[ChainRow, int]]) -> None:
    """Write down which rows of the log here rows of chains are; 0 of one that was refused."""
    values: list[dict[str, Any]] = [
        {
            "device": row.device, "study": row.study, "seq": row.seq, "link": row.link,
            "identity": row.identity, "row_id": row_id, "server_time": row.server_time,
        }
        for row, row_id in rows
    ]  # fmt: skip
    if values:
        connection.execute(insert(TeamRow).on_conflict_do_nothing(), values)
