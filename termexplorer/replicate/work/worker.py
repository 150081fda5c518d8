"""A worker: claims a task, runs it, keeps what it comes to, until no task is left."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import Any

from termexplorer.errors import UserError
from termexplorer.services.team.passwords import find_password
from termexplorer.store.tasks.databases import FileTasks, ServerTasks, find_address
from termexplorer.store.tasks.task_table import (
    DONE,
    FAILED,
    LEFT_OUT,
    OPEN,
    ClaimLostError,
    TaskClaim,
    TaskKey,
    TaskTable,
)
from termexplorer.trainer.training.epochs import RunControl

LEASE = 120.0  # seconds
HEAD = "head"  # the worker that holds the right to the folder, and so is the only one of the name
_BEATS = 4  # in a lease
_WAIT = 1.0  # seconds between two looks for a task, at most


@dataclass(frozen=True, slots=True)
class WorkerRequest:
    """A worker that is wanted.

    Attributes:
        folder: of the study.
        worker: its name, which no other one has.
        lease: seconds after which it has lost its task if it is silent.
    """

    folder: Path
    worker: str
    lease: float = LEASE


class LeftOutError(UserError):
    """A task that cannot be done here, which no other one needs."""


class StudyWorker:
    """Takes tasks of a study until none is left.

    Args:
        table: of the tasks.
        name: of the worker; no other one that runs has it.
        control: stops it.
    """

    def __init__(self, table: TaskTable, name: str, control: RunControl) -> None:
        self.table = table
        self._name = name
        self._control = control
        self._claim: TaskClaim | None = None
        self._lost = Event()
        self._renewal = ExitStack()

    def stopped(self) -> bool:
        """Whether the task is to end now, also because another worker has it."""
        return self._control.stopped() or self._lost.is_set()

    def paused(self) -> bool:
        """Whether it is to rest now."""
        return self._control.paused()

    def tick(self) -> None:
        """End the task where it is, if it is to end.

        Raises:
            InterruptedError: it is.
        """
        if self.stopped():
            raise InterruptedError

    def put(self, key: TaskKey, record: Mapping[str, Any]) -> None:
        """Keep a finished piece of the task; it is on disk when this returns.

        Raises:
            ClaimLostError: the task is another worker's by now.
        """
        claim = self._claim
        assert claim is not None  # noqa: S101 - pieces are of a task
        self.table.put_piece(claim, key, record)

    def take_task(self) -> TaskKey | None:
        """Claim a task, which is this worker's until `end_task`; None where none is free now."""
        self._claim = claim = self.table.claim_task(self._name)
        if claim is None:
            return None
        self._renewal.enter_context(self._renewing(claim))
        return claim.key

    def end_task(self, status: str = DONE, reason: str = "") -> None:
        """Say what the task came to that was taken; see `TaskTable.end_claim`."""
        claim, self._claim = self._claim, None
        self._renewal.close()
        if claim is not None:
            with suppress(ClaimLostError):
                self.table.end_claim(claim, status, reason)

    def leave_task(self) -> None:
        """Renew the claim no longer, as when this process ends."""
        self._renewal.close()

    def work_off(self, run_task: Callable[[TaskKey], None]) -> None:
        """Run tasks until all are done, those that others leave undone too.

        Args:
            run_task: runs a task, whose finished pieces it leaves out.

        Raises:
            UserError: a task failed, which is kept beside it.
            InterruptedError: it was stopped; what was finished is kept.
        """
        while True:
            if self._control.stopped():
                raise InterruptedError
            claim = self.table.claim_task(self._name)
            if claim is not None:
                self._run_claimed(claim, run_task)
            elif not self.table.count_tasks().taken:
                return
            else:
                time.sleep(min(_WAIT, self.table.lease / _BEATS))

    def _run_claimed(self, claim: TaskClaim, run_task: Callable[[TaskKey], None]) -> None:
        status, reason = OPEN, ""
        self._claim = claim
        try:
            with suppress(ClaimLostError), self._renewing(claim):
                run_task(claim.key)
                status = DONE
        except LeftOutError as error:
            status, reason = LEFT_OUT, str(error)
        except InterruptedError:
            if self._control.stopped():
                raise
        except Exception as error:
            status, reason = FAILED, str(error) or type(error).__name__
            raise
        finally:
            self._claim = None
            with suppress(ClaimLostError):
                self.table.end_claim(claim, status, reason)

    @contextmanager
    def _renewing(self, claim: TaskClaim) -> Iterator[None]:
        self._lost.clear()
        ended = Event()
        thread = Thread(target=self._renew_until, args=(claim, ended), daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def _renew_until(self, claim: TaskClaim, ended: Event) -> None:
        renewed = time.monotonic()
        while not ended.wait(self.table.lease / _BEATS):
            try:
                self.table.renew_claim(claim)
                renewed = time.monotonic()
            except ClaimLostError:
                self._lost.set()
                return
            except UserError:  # the server may be away for a moment
                if time.monotonic() - renewed > self.table.lease:
                    self._lost.set()
                    return


def open_tasks(folder: Path, lease: float = LEASE) -> TaskTable:
    """Open the table of a study's tasks, which is made where there is none.

    Args:
        folder: of the study.
        lease: seconds after which a worker that is silent has lost its task.

    Raises:
        UserError: the file, or the server that holds them, cannot be used.
    """
    address = find_address(folder)
    if address is None:
        return TaskTable(FileTasks(folder), lease)
    return TaskTable(ServerTasks(address, find_password(address.server)), lease)
