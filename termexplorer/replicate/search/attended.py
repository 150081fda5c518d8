"""Series that a window works off: it takes a task at a time, and trains its run as any other."""

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from termexplorer.errors import UserError
from termexplorer.replicate.search.hidden import HIDDEN_SEARCH, plan_trial, read_search
from termexplorer.replicate.search.recommended import (
    RECOMMENDED,
    find_end,
    plan_part,
    read_recommended,
)
from termexplorer.replicate.search.series import (
    ADDED,
    ENDED,
    IN_WINDOW,
    RUN,
    SERIES,
    PlannedRun,
    TaskSeries,
)
from termexplorer.replicate.work.worker import StudyWorker, open_tasks
from termexplorer.services.train.runs import list_runs
from termexplorer.store.tasks.databases import TASKS_FILE
from termexplorer.store.tasks.task_table import (
    DONE,
    FAILED,
    OPEN,
    ClaimLostError,
    StoredStudy,
    TaskKey,
)
from termexplorer.trainer.training.epochs import Unattended
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

_WINDOW = "window"  # the worker; one window alone has a workspace

_Plan: TypeAlias = Callable[[TaskSeries, TaskKey], PlannedRun | None]


@dataclass(frozen=True, slots=True)
class LeftSeries:
    """A series of a window that has tasks left.

    Attributes:
        folder: of its tasks.
        kind: `HIDDEN_SEARCH` or `RECOMMENDED`.
        runs: those that were added for it so far.
    """

    folder: Path
    kind: str
    runs: frozenset[int]


class AttendedSeries:
    """The tasks of a series, as far as a window works them off.

    Other workers may take tasks of it meanwhile. Where this process ends, the next window has the
    task that it was at.

    Args:
        workspace: where its runs go.
        folder: of its tasks.

    Attributes:
        request: of the series, as its table has it.
    """

    def __init__(self, workspace: Workspace, folder: Path) -> None:
        self._folder, self._table = folder, open_tasks(folder)
        study = self._table.find_study()
        assert study is not None  # noqa: S101 - it was begun
        self.request: Mapping[str, Any] = study.request
        self._plan = _read_plan(study)
        worker = StudyWorker(self._table, _WINDOW, Unattended())
        first = self.request["first"]
        self._series = TaskSeries(workspace, worker, first, JobControl(), lambda _message: None)
        self._planned: PlannedRun | None = None

    @property
    def worker(self) -> StudyWorker:
        """What takes the tasks."""
        return self._series.worker

    def claim_run(self) -> int | None:
        """Take the next task and return its run, which is to be trained; None: none is free now.

        Raises:
            UserError: the run cannot be made, and the task is free again; or another worker could
                not do its task.
        """
        while (key := self.worker.take_task()) is not None:
            try:
                planned = self._plan(self._series, key)
                run = None if planned is None else self._series.add_once(planned)
            except BaseException:
                self.worker.end_task(OPEN)
                raise
            if planned is None or run is None:
                self.worker.end_task()
                self._remove_open()  # tasks after one without a run have none either
                continue
            self._planned = planned
            if run.status not in ENDED:
                return run.id
            self.put_trained(run.id)
        for reason in self._table.list_reasons(FAILED).values():
            raise UserError(reason)
        return None

    def put_trained(self, run_id: int) -> None:
        """Keep that the run of the task is trained, which ends the task."""
        assert self._planned is not None  # noqa: S101 - a task was taken
        with suppress(ClaimLostError):  # after a sleep of the machine: another worker has it now
            self._series.put_trained(self._planned, run_id)
        self.worker.end_task()

    def list_trained(self) -> list[int]:
        """Return the runs that are trained, in the order of their tasks."""
        pieces = self._table.read_pieces()
        numbers = sorted(int(key[1]) for key in pieces if key[0] == RUN)
        return list(dict.fromkeys(int(pieces[RUN, number]["run"]) for number in numbers))

    def find_recommended(self) -> int:
        """Return the recommended encoder, once all tasks of one are done."""
        return find_end(self._table)

    def is_over(self) -> bool:
        """Return whether no task is free, or another worker's."""
        counts = self._table.count_tasks()
        return not (counts.open or counts.taken)

    def give_back(self) -> None:
        """Leave the task to whoever goes on with the series."""
        self.worker.end_task(OPEN)

    def fail(self, reason: str) -> None:
        """Keep that the task cannot be done, and so none after it."""
        self.worker.end_task(FAILED, reason)

    def withdraw(self) -> None:
        """Leave all tasks undone that no other worker has."""
        self.worker.end_task(OPEN)
        self._remove_open()

    def _remove_open(self) -> None:
        self._table.put_tasks(list(self._table.list_reasons(DONE)))

    def remove(self) -> None:
        """Remove a series that came to nothing."""
        self.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def close(self) -> None:
        """Take no more tasks; one that is under way stays this window's for some time."""
        self.worker.leave_task()
        self._table.close()


def list_left_series(workspace: Workspace) -> list[LeftSeries]:
    """Return the series that windows began in a workspace and that can be gone on with."""
    return [] if workspace.read_only else list(_find_left(workspace))


def _find_left(workspace: Workspace) -> Iterator[LeftSeries]:
    paths = sorted((workspace.folder / SERIES).glob(f"*/{TASKS_FILE}"))
    runs = {run.id for run in list_runs(workspace)} if paths else set()
    for path in paths:
        with suppress(UserError), closing(open_tasks(path.parent)) as table:
            study, counts = table.find_study(), table.count_tasks()
            if study is None or not study.request.get(IN_WINDOW) or counts.failed:
                continue
            pieces = table.read_pieces()
            added = {int(piece["run"]) for key, piece in pieces.items() if key[0] in (ADDED, RUN)}
            if counts.open + counts.taken and added <= runs:  # none was deleted
                yield LeftSeries(path.parent, study.kind, frozenset(added))


def _read_plan(study: StoredStudy) -> _Plan:
    if study.kind == HIDDEN_SEARCH:
        search = read_search(study.request)
        return lambda series, key: plan_trial(series, search, key)
    assert study.kind == RECOMMENDED  # noqa: S101 - the only other kind of a window
    wanted = read_recommended(study.request)
    return lambda series, key: plan_part(series, wanted, key)
