"""Rows of the team's chains that come into a workspace's log: each once, however often it comes."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, func, select

from termexplorer.errors import UserError
from termexplorer.store.database.engine import Store
from termexplorer.store.judging.log_batches import ShortBatches
from termexplorer.store.judging.log_index import find_last_row
from termexplorer.store.judging.verdicts import (
    Answer,
    Judge,
    VerdictSubject,
    append_rows,
    json_hash,
)
from termexplorer.store.tables.judging import VerdictRow
from termexplorer.store.tables.team import TeamRow
from termexplorer.store.team.chains import ORIGIN, Chain, ChainHead, ChainRow
from termexplorer.store.team.outgoing import add_team_rows, find_local_head
from termexplorer.texts import tr

_ABOUT = ("study", "subject", "object", "question", "term", "showing", "judge", "orcid")
_COLUMNS = {column.name for column in VerdictRow.__table__.columns}
_NUMBERS = {"id", "showing"}
REFUSED = 0  # stands for the row of the log of what was not taken in
NewRow = tuple[Judge, VerdictSubject, Answer, int | None]


def take_rows(store: Store, rows: Sequence[ChainRow]) -> int:
    """Add rows of chains to the log, but for those that it has; return how many were new.

    If it is broken off, what was added is whole, and the rest comes again.

    Args:
        store: whose log it is.
        rows: in the order in which they came to the server.

    Raises:
        UserError: rows are missing in a chain, or were changed on the server.
    """
    batches, start, new = ShortBatches(store), 0, 0
    while start < len(rows):
        with batches.writing() as connection:
            batch = _IncomingBatch(connection)
            for row in rows[start : start + batches.rows]:
                batch.take(row)
            new += batch.write()
            start += batches.rows
    return new


class _IncomingBatch:
    """Rows that one transaction adds to the log."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._heads: dict[Chain, ChainHead] = {}
        self._first = find_last_row(connection) + 1
        self._new: list[NewRow] = []
        self._taken: list[tuple[ChainRow, int]] = []
        self._ids: dict[str, int] = {}  # rows of the log by what was taken

    def take(self, row: ChainRow) -> None:
        """Find which row of the log a row of a chain is, or plan to add one.

        Raises:
            UserError: it does not follow what is known of its chain.
        """
        chain = (row.device, row.study)
        head = self._heads.get(chain) or find_local_head(self._connection, chain)
        if row.seq <= head.seq:
            return
        if (row.seq, row.before) != (head.seq + 1, head.link):
            raise UserError(
                tr(
                    "the team's log is broken at row {row} of chain {chain}: rows before it are "
                    "missing or were changed on the server; tell who runs it, and see "
                    "`termexplorer team check`",
                    row=row.seq,
                    chain=row.device[:8],
                )
            )
        row_id = self._place_row(row)
        self._heads[chain] = ChainHead(row.seq, row.link)
        self._taken.append((row, row_id))
        if row_id != REFUSED:
            self._ids[row.identity] = row_id

    def write(self) -> int:
        """Add what is new to the log, and write down what was taken; return how many are new."""
        append_rows(self._connection, self._new)
        add_team_rows(self._connection, self._taken)
        return len(self._new)

    def _place_row(self, row: ChainRow) -> int:
        """Return which row of the log it is or will be; `REFUSED` where it is no sound verdict."""
        if not _is_well_formed(row.values) or not row.is_sound():
            return REFUSED
        undoes = self._find_id(row.undoes) if row.undoes else None
        if row.undoes and not self._may_undo(row, undoes):
            return REFUSED
        known = self._find_id(row.identity) or self._find_own(row, undoes)
        if known:
            return known
        self._new.append(_make_new_row(row, undoes))
        return self._first + len(self._new) - 1

    def _find_id(self, identity: str) -> int | None:
        if identity in self._ids:
            return self._ids[identity]
        query = select(TeamRow.row_id).where(
            TeamRow.identity == identity, TeamRow.row_id != REFUSED
        )
        return self._connection.scalar(query.limit(1))

    def _find_own(self, row: ChainRow, undoes: int | None) -> int | None:
        """Return a row that was written here, or came by a file."""
        values = row.values
        same = (VerdictRow.id == values["id"]) & (VerdictRow.hash == values["hash"])
        row_id = self._connection.scalar(select(VerdictRow.id).where(same))
        if row_id is not None:
            return row_id
        about = [getattr(VerdictRow, name) == values[name] for name in _ABOUT]
        at = (VerdictRow.answered_at == values["answered_at"]) & (
            VerdictRow.answer == values["answer"]
        )
        query = select(func.min(VerdictRow.id)).where(*about, at, VerdictRow.undoes.is_(undoes))
        return self._connection.scalar(query)

    def _may_undo(self, row: ChainRow, undoes: int | None) -> bool:
        """Return whether what a row takes back is of the same judge and subject."""
        if undoes is None:
            return False
        if undoes >= self._first:
            judge, subject, *_ = self._new[undoes - self._first]
            about = {**_slots_of(subject), "judge": judge.name, "orcid": judge.orcid}
            return all(about[name] == row.values[name] for name in _ABOUT)
        columns = [getattr(VerdictRow, name) for name in _ABOUT]
        about_row = self._connection.execute(select(*columns).where(VerdictRow.id == undoes)).one()
        return tuple(about_row) == tuple(row.values[name] for name in _ABOUT)


def _make_new_row(row: ChainRow, undoes: int | None) -> NewRow:
    values = row.values
    answer = {name: values[name] for name in Answer.__slots__ if name != "details"}
    return (
        Judge(values["judge"], values["orcid"]),
        VerdictSubject(**{name: values[name] for name in VerdictSubject.__slots__}),
        Answer(**answer, details={**values["details"], ORIGIN: row.identity}),
        undoes,
    )


def _slots_of(subject: VerdictSubject) -> dict[str, Any]:
    return {name: getattr(subject, name) for name in VerdictSubject.__slots__}


def _is_well_formed(values: Mapping[str, Any]) -> bool:
    """Return whether a row has all columns of the log, of their types."""
    if set(values) != _COLUMNS or not isinstance(values["details"], dict):
        return False
    if not isinstance(values["undoes"], int | None):
        return False
    texts = _COLUMNS - _NUMBERS - {"details", "undoes"}
    return all(isinstance(values[name], str) for name in texts) and all(
        isinstance(values[name], int) for name in _NUMBERS
    )


def compute_log_hash(connection: Connection) -> tuple[int, str]:
    """Return how many rows of the team the log has, and the hash of all, in whatever order.

    Two workspaces that may read the same have the same hash once each has all.
    """
    identities: dict[int, str] = dict(
        connection.execute(
            select(TeamRow.row_id, TeamRow.identity).where(TeamRow.row_id != REFUSED)
        )
        .tuples()
        .all()
    )
    shared = select(TeamRow.row_id).where(TeamRow.row_id != REFUSED)
    query = select(*VerdictRow.__table__.columns).where(VerdictRow.id.in_(shared))
    hashes = []
    for record in connection.execute(query):
        values = {
            name: value
            for name, value in record._mapping.items()
            if name not in ("id", "before", "hash")
        }
        values["undoes"] = identities.get(values["undoes"], "")
        values["details"] = {k: v for k, v in values["details"].items() if k != ORIGIN}
        hashes.append(json_hash([identities[record.id], values]))
    return len(hashes), json_hash(sorted(hashes))


def count_refused(connection: Connection) -> int:
    """Return how many rows of the team were no sound verdicts, and were not taken in."""
    query = select(func.count()).select_from(TeamRow).where(TeamRow.row_id == REFUSED)
    return connection.scalar(query) or 0
