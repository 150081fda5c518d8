"""Tasks that workers claim for a while, and what they came to, written once."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

from sqlalchemy import Connection, Select, and_, delete, func, insert, or_, select, update

from termexplorer.store.tasks.columns import PIECE, STUDY, TASK
from termexplorer.store.tasks.databases import TaskDatabase
from termexplorer.store.tasks.patience import retry_while_away

TaskKey: TypeAlias = tuple[str | int, ...]

_PATIENCE = 300.0  # seconds in which a server that is away is waited for

OPEN, TAKEN, DONE, FAILED, LEFT_OUT = "open", "taken", "done", "failed", "left_out"


@dataclass(frozen=True, slots=True)
class StoredStudy:
    """A study whose tasks are in a table.

    Attributes:
        kind: which part of the program runs its tasks.
        asked: what it is of.
        request: what a worker needs to run a task.
    """

    kind: str
    asked: Mapping[str, Any]
    request: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TaskClaim:
    """A task that a worker has until its lease ends.

    Attributes:
        number: how often the task was claimed; another number is another claim.
    """

    key: TaskKey
    worker: str
    number: int


@dataclass(frozen=True, slots=True)
class TaskCounts:
    """How many tasks of a study are in each state."""

    open: int
    taken: int
    done: int
    failed: int
    left_out: int


class ClaimLostError(Exception):
    """The lease of a claim ended, and another worker may have the task."""


class TaskTable:
    """The tasks of one study.

    Every method is one transaction, tried again while a server is away. A claim is had by one
    worker at a time: it is taken by an update under the write lock (SQLite) or of a row locked with
    SKIP LOCKED (PostgreSQL), and all that is written under it is written only while it is had.

    Args:
        database: where they are.
        lease: seconds after which a claim that nobody renewed is had by nobody.
    """

    def __init__(self, database: TaskDatabase, lease: float) -> None:
        self._database = database
        self._study = database.study
        self.lease = lease

    @retry_while_away(_PATIENCE)
    def find_study(self) -> StoredStudy | None:
        """Return what the study is of; None where none was begun."""
        query = select(STUDY.c.kind, STUDY.c.asked, STUDY.c.request)
        with self._database.reading() as connection:
            row = connection.execute(query.where(STUDY.c.name == self._study)).one_or_none()
        if row is None:
            return None
        return StoredStudy(row.kind, json.loads(row.asked), json.loads(row.request))

    @retry_while_away(_PATIENCE)
    def put_study(self, study: StoredStudy) -> None:
        """Begin a study, or replace one; all tasks and pieces of another one are gone."""
        values = {
            "kind": study.kind, "asked": dump_json(study.asked), "request": dump_json(study.request)
        }  # fmt: skip
        same = and_(STUDY.c.name == self._study, STUDY.c.asked == values["asked"])
        with self._database.writing() as connection:
            if not connection.execute(update(STUDY).where(same).values(values)).rowcount:
                for table in (PIECE, TASK):
                    connection.execute(delete(table).where(table.c.study == self._study))
                connection.execute(delete(STUDY).where(STUDY.c.name == self._study))
                connection.execute(insert(STUDY).values(name=self._study, **values))

    @retry_while_away(_PATIENCE)
    def put_tasks(
        self, keys: Sequence[TaskKey], read_stage: Callable[[TaskKey], int] = lambda _key: 0
    ) -> None:
        """Have exactly these tasks worked off, in their order; those that are done stay so.

        Those that failed, or were left out, are tried again.

        Args:
            keys: of the tasks.
            read_stage: gives the stage of one; no task is had before all of lower stages are done.
        """
        asked = {dump_json(key): position for position, key in enumerate(keys)}
        with self._database.writing() as connection:
            query = select(TASK.c.key, TASK.c.status).where(TASK.c.study == self._study)
            known = {row.key: row.status for row in connection.execute(query)}
            for key in known.keys() - asked.keys():
                if known[key] != TAKEN:
                    connection.execute(delete(TASK).where(self._has_key(TASK, key)))
            for key, position in asked.items():
                if key not in known:
                    stage = read_stage(_read_key(key))
                    values = {"study": self._study, "key": key, "status": OPEN, "stage": stage}
                    connection.execute(insert(TASK).values(position=position, **values))
                    continue
                values = {"position": position}
                if known[key] in (FAILED, LEFT_OUT):
                    values |= {"status": OPEN, "reason": ""}
                connection.execute(update(TASK).where(self._has_key(TASK, key)).values(values))

    @retry_while_away(_PATIENCE)
    def reopen_task(self, key: TaskKey) -> None:
        """Have a task done again that is done; its pieces stand."""
        done = and_(self._has_key(TASK, dump_json(key)), TASK.c.status == DONE)
        with self._database.writing() as connection:
            connection.execute(update(TASK).where(done).values(status=OPEN))

    @retry_while_away(_PATIENCE)
    def claim_task(self, worker: str) -> TaskClaim | None:
        """Return the first task that nobody has, which this worker has now; None where none is."""
        with self._database.writing() as connection:
            now = self._database.read_clock(connection)
            row = connection.execute(self._select_free(worker, now)).first()
            if row is None:
                return None
            claim = TaskClaim(_read_key(row.key), worker, row.claims + 1)
            values = {"status": TAKEN, "worker": worker, "claims": claim.number}
            self._update_task(connection, row.key, lease_end=now + self.lease, **values)
        return claim

    @retry_while_away(_PATIENCE)
    def renew_claim(self, claim: TaskClaim) -> None:
        """Have a claim for another lease.

        Raises:
            ClaimLostError: it is another worker's by now.
        """
        with self._claimed(claim) as connection:
            now = self._database.read_clock(connection)
            self._update_task(connection, dump_json(claim.key), lease_end=now + self.lease)

    @retry_while_away(_PATIENCE)
    def put_piece(self, claim: TaskClaim, key: TaskKey, record: Mapping[str, Any]) -> None:
        """Keep a finished piece of a task; one that is there stands.

        Raises:
            ClaimLostError: the task is another worker's by now.
        """
        with self._claimed(claim) as connection:
            self._insert_piece(connection, key, record)

    @retry_while_away(_PATIENCE)
    def put_pieces(self, records: Mapping[TaskKey, Mapping[str, Any]]) -> None:
        """Keep pieces that were finished elsewhere; those that are there stand."""
        with self._database.writing() as connection:
            for key, record in records.items():
                self._insert_piece(connection, key, record)

    @retry_while_away(_PATIENCE)
    def end_claim(self, claim: TaskClaim, status: str = DONE, reason: str = "") -> None:
        """Say what a task came to, which ends the claim.

        Args:
            claim: of the task.
            status: `DONE`, `FAILED`, `LEFT_OUT`; `OPEN` gives it back.
            reason: why it failed or is left out.

        Raises:
            ClaimLostError: it is another worker's by now.
        """
        values = {"status": status, "reason": reason, "worker": "", "lease_end": 0.0}
        with self._claimed(claim) as connection:
            self._update_task(connection, dump_json(claim.key), **values)

    @retry_while_away(_PATIENCE)
    def release_worker(self, worker: str) -> None:
        """Give back what a worker has that is no more."""
        taken = and_(TASK.c.study == self._study, TASK.c.status == TAKEN, TASK.c.worker == worker)
        with self._database.writing() as connection:
            values = {"status": OPEN, "worker": "", "lease_end": 0.0}
            connection.execute(update(TASK).where(taken).values(values))

    @retry_while_away(_PATIENCE)
    def count_tasks(self) -> TaskCounts:
        """Return how many tasks are in each state; a claim whose lease ended is open."""
        query = select(TASK.c.status, TASK.c.lease_end).where(TASK.c.study == self._study)
        with self._database.reading() as connection:
            now = self._database.read_clock(connection)
            rows = connection.execute(query).all()
        states = [
            OPEN if row.status == TAKEN and row.lease_end < now else row.status for row in rows
        ]
        return TaskCounts(*map(states.count, (OPEN, TAKEN, DONE, FAILED, LEFT_OUT)))

    @retry_while_away(_PATIENCE)
    def list_reasons(self, status: str) -> dict[TaskKey, str]:
        """Return the tasks of a state, in their order, and why they are in it."""
        query = select(TASK.c.key, TASK.c.reason).where(
            TASK.c.study == self._study, TASK.c.status == status
        )
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(TASK.c.position)).all()
        return {_read_key(row.key): row.reason for row in rows}

    @retry_while_away(_PATIENCE)
    def find_piece(self, key: TaskKey) -> dict[str, Any] | None:
        """Return a finished piece; None where it is not there."""
        query = select(PIECE.c.record).where(self._has_key(PIECE, dump_json(key)))
        with self._database.reading() as connection:
            record = connection.scalar(query)
        return None if record is None else json.loads(record)

    @retry_while_away(_PATIENCE)
    def has_piece(self, key: TaskKey) -> bool:
        """Return whether a piece is there."""
        query = select(PIECE.c.key).where(self._has_key(PIECE, dump_json(key)))
        with self._database.reading() as connection:
            return connection.execute(query).first() is not None

    @retry_while_away(_PATIENCE)
    def read_pieces(self) -> dict[TaskKey, dict[str, Any]]:
        """Return all finished pieces by their keys, in the order of the keys' texts."""
        query = select(PIECE.c.key, PIECE.c.record).where(PIECE.c.study == self._study)
        with self._database.reading() as connection:
            rows = sorted(connection.execute(query).tuples().all())
        return {_read_key(key): json.loads(record) for key, record in rows}

    def close(self) -> None:
        """Close the connections to the table."""
        self._database.close()

    @contextmanager
    def _claimed(self, claim: TaskClaim) -> Iterator[Connection]:
        """A transaction under a claim, whose row nobody else changes meanwhile."""
        query = select(TASK.c.key).where(
            self._has_key(TASK, dump_json(claim.key)),
            TASK.c.status == TAKEN,
            TASK.c.worker == claim.worker,
            TASK.c.claims == claim.number,
        )
        with self._database.writing() as connection:
            if connection.execute(query.with_for_update()).first() is None:
                raise ClaimLostError
            yield connection

    def _insert_piece(
        self, connection: Connection, key: TaskKey, record: Mapping[str, Any]
    ) -> None:
        piece_key = dump_json(key)
        if connection.execute(select(PIECE.c.key).where(self._has_key(PIECE, piece_key))).first():
            return
        values = {"study": self._study, "key": piece_key, "record": dump_json(record)}
        connection.execute(insert(PIECE).values(values))

    def _select_free(self, worker: str, now: float) -> Select[Any]:
        # a claim of one's own is one whose acknowledgement was lost
        lapsed = or_(TASK.c.lease_end < now, TASK.c.worker == worker)
        free = or_(TASK.c.status == OPEN, and_(TASK.c.status == TAKEN, lapsed))
        tasks_before = TASK.alias()
        unfinished = tasks_before.c.status.in_((OPEN, TAKEN, FAILED))
        lowest = (
            select(func.min(tasks_before.c.stage))
            .where(tasks_before.c.study == self._study, unfinished)
            .scalar_subquery()
        )
        return (
            select(TASK.c.key, TASK.c.claims)
            .where(TASK.c.study == self._study, free, TASK.c.stage == lowest)
            .order_by(TASK.c.position)
            .limit(1)
            .with_for_update(skip_locked=True)
        )

    def _update_task(self, connection: Connection, key: str, **values: Any) -> None:
        connection.execute(update(TASK).where(self._has_key(TASK, key)).values(values))

    def _has_key(self, table: Any, key: str) -> Any:
        return and_(table.c.study == self._study, table.c.key == key)


def dump_json(value: object) -> str:
    """Return the text of a value, the same for equal ones whose parts stand in one order."""
    return json.dumps(value, separators=(",", ":"))


def _read_key(text: str) -> TaskKey:
    return tuple(json.loads(text))
