"""Runs that follow each other, each asked for when the one before has ended."""

from PySide6.QtCore import QObject, Slot

from termexplorer.errors import UserError
from termexplorer.texts import tr, translated
from termexplorer.views.train.run_jobs import RunJob, RunJobs
from termexplorer.views.window.page import Shared


class RunSeries(QObject):
    """Trains one run after the other; a kind of series says which, and what they came to.

    It is over too when one of its runs is stopped, cancelled or fails, or the window is closed.

    Attributes:
        title: of the kind, marked for translation, which begins what is told of it.
        runs: those that came to an encoder, in their order.
    """

    title: str

    def __init__(self, shared: Shared, jobs: RunJobs, parent: QObject) -> None:
        super().__init__(parent)
        self.shared = shared
        self.runs: list[int] = []
        self._jobs = jobs

    def begin(self) -> None:
        """Adds the first run; raises `UserError` where the request is wrong."""
        self._start_next()

    def add_next(self) -> int | None:
        """Adds the run that comes after `runs`; None where there is none.

        Raises:
            UserError: it cannot be made.
        """
        raise NotImplementedError

    def lines(self) -> list[str]:
        """What the log of a run tells of those before it."""
        return []

    def tell(self, last: RunJob, why: str) -> None:
        """Tells what all came to; `why` they are over before their time, empty if they are not.

        Raises:
            UserError: they came to nothing.
        """
        raise NotImplementedError

    def _start_next(self) -> bool:
        run_id = self.add_next()
        if run_id is None:
            return False
        run = self._jobs.start(run_id)
        run.ended.connect(self._on_ended)
        for line in self.lines():
            run.say(line)
        return True

    @Slot(object)
    def _on_ended(self, run: RunJob) -> None:
        if self._jobs.leaving:
            return
        if run.run.encoder_id is not None:
            self.runs.append(run.run.id)
        try:
            why = _why_over(run)
            if why or not self._start_next():
                self._tell_of_all(run, why)
        except UserError as error:
            self.shared.notices.error(
                tr("{series} is over: {error}", series=translated(self.title), error=error)
            )

    def _tell_of_all(self, last: RunJob, why: str) -> None:
        if last.run.encoder_id is not None:  # what the series came to is told, not this one alone
            self.shared.errands.told_of.emit(last.run.encoder_id)
        self.tell(last, why)


def _why_over(run: RunJob) -> str:
    """Why no run may follow this one, in words; empty if one may."""
    number = run.run.id
    if run.cancelled:
        return tr("run {run} was cancelled", run=number)
    if run.run.encoder_id is None:
        return tr("run {run} {outcome}", run=number, outcome=run.outcome)
    stopped = run.run.status == "stopped" and not run.run.error
    return tr("run {run} was stopped", run=number) if stopped else ""
