"""Runs of a workspace as tasks of a series: each is added once and trained once."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError
from termexplorer.replicate.work.worker import HEAD, StudyWorker, WorkerRequest, open_tasks
from termexplorer.services.recipes.run_requests import RunRequest
from termexplorer.services.train.runs import CAN_GO_ON, find_run, list_runs
from termexplorer.services.train.training import train_run
from termexplorer.store.encoders.runs import ACTIVE, RunInfo
from termexplorer.store.tasks.task_table import TaskKey
from termexplorer.trainer.training.epochs import Unattended
from termexplorer.workers.process.child import Channel
from termexplorer.workers.process.supervision import Cancelled, JobControl
from termexplorer.workspace import Workspace

IN_WINDOW = "in_window"  # of a request: a window works the series off
SERIES = "series"  # the folder of all series of a workspace
RUN = "run"  # begins the key of a piece that names the trained run of a task
ADDED = "added"  # and of one that names it before it is trained
ENDED = ("finished", "stopped")


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """The run that a task is to come to.

    Attributes:
        number: of the task.
        request: of the run.
        add: adds the run where it is not there yet.
        facts: kept beside its id.
    """

    number: int
    request: RunRequest
    add: Callable[[], int]
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class TaskSeries:
    """A series that a worker takes tasks of.

    Attributes:
        workspace: where its runs go.
        worker: takes its tasks.
        first: runs up to this id were there before it.
        control: stops what is trained.
        on_message: is handed what training reports.
        on_added: is told the id of a run that is about to be trained, and its number.
    """

    workspace: Workspace
    worker: StudyWorker
    first: int
    control: JobControl
    on_message: Callable[[object], None]
    on_added: Callable[[int, int], None] = lambda _run, _place: None

    def list_done(self, places: int) -> list[int]:
        """Return the runs of the tasks before one, up to the first that has none."""
        runs: list[int] = []
        for number in range(places):
            piece = self.worker.table.find_piece((RUN, number))
            if piece is None:
                break
            runs.append(int(piece["run"]))
        return runs

    def train_once(self, planned: PlannedRun | None) -> None:
        """Train the run of a task to its end, whoever began it; None: the task has none."""
        if planned is None:
            return
        run = self.add_once(planned)
        self.on_added(run.id, planned.number)
        if run.status not in ENDED:
            self._train(run)
        self.put_trained(planned, run.id)

    def add_once(self, planned: PlannedRun) -> RunInfo:
        """Return the run of a task, which is added where no worker has added it before."""
        run_id = self._find_added(planned.request) or planned.add()
        self.worker.put((ADDED, planned.number), {"run": run_id})
        return find_run(self.workspace, run_id)

    def put_trained(self, planned: PlannedRun, run_id: int) -> None:
        """Keep that the run of a task is trained."""
        self.worker.put((RUN, planned.number), {"run": run_id, **planned.facts})

    def _train(self, run: RunInfo) -> None:
        resume = run.status in (*CAN_GO_ON, *ACTIVE)
        try:
            train_run(
                self.workspace,
                run.id,
                self.control,
                self.on_message,
                resume=resume,
                leave=lambda: True,
            )
        except Cancelled as error:
            raise InterruptedError from error

    def _find_added(self, request: RunRequest) -> int:
        """Return a run of this request that a worker added before it was killed; 0: none is."""
        live = (*CAN_GO_ON, *ACTIVE, *ENDED)
        for run in reversed(list_runs(self.workspace)):
            if run.id > self.first and run.status in live and _is_same(run.request, request):
                return run.id
        return 0


def _is_same(stored_request: Mapping[str, Any], request: RunRequest) -> bool:
    stored = RunRequest.read(stored_request)
    return (stored.recipe, stored.vectors_id, stored.ontology_id, stored.seed, stored.also) == (
        request.recipe, request.vectors_id, request.ontology_id, request.seed, request.also
    ) and dict(stored.hyperparameters) == dict(request.hyperparameters)  # fmt: skip


@contextmanager
def opened_series(
    workspace: Workspace,
    folder: Path,
    on_message: Callable[[object], None],
    on_added: Callable[[int, int], None] = lambda _run, _place: None,
) -> Iterator[tuple[TaskSeries, Mapping[str, Any]]]:
    """A series that was begun in an open workspace, with its request as the table has it."""
    with closing(open_tasks(folder)) as table:
        study = table.find_study()
        assert study is not None  # noqa: S101 - it was begun
        worker, first = StudyWorker(table, HEAD, Unattended()), study.request["first"]
        yield (
            TaskSeries(workspace, worker, first, JobControl(), on_message, on_added),
            study.request,
        )


def take_series_tasks(
    values: Mapping[str, Any],
    asked: WorkerRequest,
    channel: Channel,
    plan: Callable[[TaskSeries, TaskKey], PlannedRun | None],
) -> None:
    """Train runs of a series until none is left.

    Args:
        values: the request, as it is in the table.
        asked: the worker.
        channel: to report by and be stopped by.
        plan: returns the run of a task; None where it has none, and all else of it is done.
    """
    control = JobControl()
    channel.on_stop(control.cancel)
    with (
        closing(Workspace(Path(values["workspace"]))) as workspace,
        closing(open_tasks(asked.folder, asked.lease)) as table,
    ):
        worker = StudyWorker(table, asked.worker, channel)
        series = TaskSeries(workspace, worker, values["first"], control, channel.report)
        worker.work_off(lambda key: series.train_once(plan(series, key)))


def make_series_folder(workspace: Workspace) -> Path:
    """Make a folder for the tasks of a new series."""
    home = workspace.folder / SERIES
    for number in count(1):
        try:
            (home / str(number)).mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as error:
            raise UserError(f"{home}: {error.strerror}") from error
        break
    return home / str(number)


def find_newest_run(workspace: Workspace) -> int:
    """Return the id of the newest run; 0 where there is none."""
    return max((run.id for run in list_runs(workspace)), default=0)


def read_number(key: TaskKey) -> int:
    """Return the place of a task in its series."""
    return int(key[-1])
