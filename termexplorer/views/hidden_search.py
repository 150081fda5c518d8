"""A search for the number of hidden units: runs that follow each other, and what they came to."""

from functools import partial

from PySide6.QtCore import QObject, Slot

from termexplorer.errors import UserError
from termexplorer.services.hidden_search import Tried, add_next_run, best_run, tried
from termexplorer.services.run_requests import RunRequest
from termexplorer.services.runs import find_run
from termexplorer.views.page import Shared
from termexplorer.views.run_jobs import RunJob, RunJobs
from termexplorer.views.trained_notice import look_at, run_look


class HiddenSearch(QObject):
    """Trains a run of each size until validation declines, and tells which was best.

    It is over too when one of its runs is stopped, cancelled or fails, or the window is closed.
    """

    def __init__(
        self, shared: Shared, jobs: RunJobs, request: RunRequest, largest: int, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._shared = shared
        self._jobs = jobs
        self._request = request
        self._largest = largest
        self._runs: list[int] = []

    def begin(self) -> None:
        """Adds the first run; raises `UserError` where the request is wrong."""
        self._add_next()

    def _add_next(self) -> bool:
        """Adds the next run, unless the search is over."""
        workspace = self._shared.workspace
        run_id = add_next_run(workspace, self._request, self._runs, self._largest)
        if run_id is None:
            return False
        run = self._jobs.start(run_id)
        run.ended.connect(self._on_ended)
        for each in tried(workspace, self._runs):
            run.say(f"before it: {each.hidden:,} hidden units, {_figure(each)}")
        return True

    @Slot(object)
    def _on_ended(self, run: RunJob) -> None:
        if self._jobs.leaving:
            return
        if run.run.encoder_id is not None:
            self._runs.append(run.run.id)
        try:
            why = why_over(run)
            if why or not self._add_next():
                self._tell(run, why)
        except UserError as error:
            self._shared.notices.error(f"The search for hidden units is over: {error}")

    def _tell(self, last: RunJob, why: str) -> None:
        workspace, notices = self._shared.workspace, self._shared.notices
        begin = "The search for hidden units is over" + (f", as {why}" if why else "")
        done = tried(workspace, self._runs)
        if not done:
            notices.error(begin)
            return
        if last.run.encoder_id is not None:
            self._shared.errands.told_of.emit(last.run.encoder_id)
        run = find_run(workspace, best_run(done).run)
        text = f"{begin}: {found_text(done, run.card['validation_metric'])}"
        if not why and run.id == done[-1].run:
            text += "; no larger number was allowed"
        act = partial(look_at, self._shared, run_look(workspace, run))
        notices.tell(text, "Look at its rankings", act)


def why_over(run: RunJob) -> str:
    """Why no run may follow this one, in words; empty if one may."""
    if run.outcome == "cancelled":
        return f"run {run.run.id} was cancelled"
    if run.run.encoder_id is None:
        return f"run {run.run.id} {run.outcome}"
    stopped = run.run.status == "stopped" and not run.run.error
    return f"run {run.run.id} was stopped" if stopped else ""


def found_text(done: list[Tried], metric: str) -> str:
    """Which size was best, beside the others.

    Raises:
        UserError: no run came to a figure.
    """
    best = best_run(done)
    others = [f"{e.hidden:,}: {_figure(e)}" for e in done if e is not best]
    beside = f" ({', '.join(others)})" if others else ""
    return f"{best.hidden:,} were best, {metric} {_figure(best)}{beside}, run {best.run}"


def _figure(run: Tried) -> str:
    return "none" if run.figure is None else f"{run.figure:.3f}"
