"""Runs that follow each other: tasks in the workspace, which the window works off one by one."""

from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from termexplorer.errors import UserError
from termexplorer.replicate.search.attended import AttendedSeries
from termexplorer.services.train.runs import find_run
from termexplorer.texts import tr, translated
from termexplorer.views.train.run_jobs import RunJob, RunJobs
from termexplorer.views.window.page import Shared

_LOOK_MS = 2_000  # between looks for a task that another worker leaves


class RunSeries(QObject):
    """Trains one run after the other; a kind of series says what they came to.

    It is over too when one of its runs is stopped, is cancelled or fails. Where the window is
    closed, or its process killed, another one can go on with it.

    Signals:
        over: the window does no more of it.

    Args:
        shared: of the window.
        jobs: train the runs.
        tasks: of the series.
        parent: whose child it is.

    Attributes:
        title: of the kind, marked for translation, which begins what is told of it.
        runs: those that came to an encoder, in their order.
    """

    title: str
    over = Signal(object)

    def __init__(
        self, shared: Shared, jobs: RunJobs, tasks: AttendedSeries, parent: QObject
    ) -> None:
        super().__init__(parent)
        self.shared = shared
        self.tasks = tasks
        self.runs = tasks.list_trained()
        self._jobs = jobs
        self._timer = QTimer(self, singleShot=True, interval=_LOOK_MS)
        self._timer.timeout.connect(self._look)

    def begin(self) -> None:
        """Train the first run that is left; raises `UserError` where it cannot be made."""
        self._go_on()

    def leave(self) -> None:
        """Do no more of it, as the window is being closed."""
        self._timer.stop()
        self.tasks.close()

    def lines(self) -> list[str]:
        """What the log of a run tells of those before it."""
        return []

    def tell(self, last: RunJob | None, why: str) -> None:
        """Tells what all came to; `why` they are over before their time, empty if they are not.

        Raises:
            UserError: they came to nothing.
        """
        raise NotImplementedError

    def _go_on(self, last: RunJob | None = None) -> None:
        """Train the next run, wait for one of another worker, or tell what all came to."""
        run_id = self.tasks.claim_run()
        self.runs = self.tasks.list_trained()
        if run_id is not None:
            self._start(run_id)
        elif self.tasks.is_over():
            self._tell_of_all(last, "")
        else:
            self._timer.start()

    def _start(self, run_id: int) -> None:
        run = self._jobs.of(run_id)
        if run is None:
            run = self._jobs.go_on(run_id)
            for line in self.lines():
                run.say(line)
        run.ended.connect(self._on_ended)

    @Slot()
    def _look(self) -> None:
        self._try(None)

    @Slot(object)
    def _on_ended(self, run: RunJob) -> None:
        if self._jobs.leaving:
            return
        self._try(run)

    def _try(self, run: RunJob | None) -> None:
        try:
            why = "" if run is None else self._end_task(run)
            if why:
                self._tell_of_all(run, why)
            else:
                self._go_on(run)
        except UserError as error:
            self._end()
            self.shared.notices.error(
                tr("{series} is over: {error}", series=translated(self.title), error=error)
            )

    def _end_task(self, run: RunJob) -> str:
        """Keep what a run came to; return why none may follow it, in words."""
        why = _why_over(run)
        if run.run.encoder_id is not None:
            self.tasks.put_trained(run.run.id)
            self.runs = self.tasks.list_trained()
        if run.cancelled or (why and run.run.encoder_id is not None):
            self.tasks.withdraw()
        elif why and find_run(self.shared.workspace, run.run.id).status == "failed":
            self.tasks.fail(run.outcome)
        elif why:
            self.tasks.give_back()
        return why

    def _tell_of_all(self, last: RunJob | None, why: str) -> None:
        if last is not None and last.run.encoder_id is not None:
            # what the series came to is told, not this one alone
            self.shared.errands.told_of.emit(last.run.encoder_id)
        try:
            self.tell(last, why)
        finally:
            self._end()

    def _end(self) -> None:
        self.tasks.close()
        self.over.emit(self)


class SeriesList(QObject):
    """The series that a window works off.

    Args:
        shared: of the window.
        jobs: train the runs.
        parent: whose child it is.
    """

    def __init__(self, shared: Shared, jobs: RunJobs, parent: QObject) -> None:
        super().__init__(parent)
        self._shared, self._jobs = shared, jobs
        self._all: dict[Path, RunSeries] = {}

    def begin(self, folder: Path, kind: type[RunSeries], *, is_new: bool = True) -> None:
        """Work a series off; one that is new is removed where its first run cannot be made.

        Raises:
            UserError: its first run cannot be made.
        """
        if folder in self._all:
            return
        tasks = AttendedSeries(self._shared.workspace, folder)
        self._all[folder] = series = kind(self._shared, self._jobs, tasks, self)
        series.over.connect(self._on_over)
        try:
            series.begin()
        except UserError:
            self._on_over(series)
            if is_new:
                tasks.remove()
            else:
                tasks.close()
            raise

    def leave(self) -> None:
        """Do no more of all, as the window is being closed."""
        for series in self._all.values():
            series.leave()

    @Slot(object)
    def _on_over(self, series: RunSeries) -> None:
        self._all = {folder: left for folder, left in self._all.items() if left is not series}


def _why_over(run: RunJob) -> str:
    """Why no run may follow this one, in words; empty if one may."""
    number = run.run.id
    if run.cancelled:
        return tr("run {run} was cancelled", run=number)
    if run.run.encoder_id is None:
        return tr("run {run} {outcome}", run=number, outcome=run.outcome)
    stopped = run.run.status == "stopped" and not run.run.error
    return tr("run {run} was stopped", run=number) if stopped else ""
