"""Closing the window while something would be lost: told first, once."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from termexplorer.jobs import Job, Jobs
from termexplorer.texts import tr, trn
from termexplorer.views.widgets.notices import Notice, NoticeAction, Notices


class PendingWork(QObject):
    """Something in a window that people did and that is nowhere kept yet."""

    def is_unsaved(self) -> bool:
        """Tell whether it would be lost now."""
        return False

    def warn_before_closing(self) -> None:
        """Tell what would be lost, and offer to keep it."""


class CloseGuard(QObject):
    """Whether a window may close.

    Args:
        window: in which `PendingWork` is.
        jobs: that run for it.
        notices: where it is told what would be lost, and asked what comes of runs.
    """

    def __init__(self, window: QWidget, jobs: Jobs, notices: Notices) -> None:
        super().__init__(window)
        self._window = window
        self._jobs = jobs
        self._notices = notices
        self._warned = False
        jobs.ended.connect(self._on_ended)
        self._leave: Callable[[], None] | None = None  # once all that were stopped have ended
        self._stopped: list[Job] = []

    def may(self, leave: Callable[[], None]) -> bool:
        """Return whether nothing would be lost and nothing trains; else ask, offering to `leave`.

        Of work that is not kept it is said once: closing again leaves it.
        """
        unsaved = [work for work in self._window.findChildren(PendingWork) if work.is_unsaved()]
        if unsaved and not self._warned:
            self._warned = True
            for work in unsaved:
                work.warn_before_closing()
            return False
        lost = [job for job in self._jobs.running() + self._jobs.waiting() if job.lost]
        if lost:
            self._ask_to_lose(lost, leave)
            return False
        runs = [job for job in self._jobs.running() if job.resumes]
        if runs:
            self._ask_of_runs(runs, leave)
        return not runs

    def _ask_to_lose(self, jobs: Sequence[Job], leave: Callable[[], None]) -> None:
        text = trn(
            "This is not done yet, and lost when the window closes: {jobs}.",
            "These are not done yet, and lost when the window closes: {jobs}.",
            len(jobs),
            jobs="; ".join(job.title for job in jobs),
        )
        self._notices.tell(text, tr("Close anyway"), leave)

    def _ask_of_runs(self, jobs: Sequence[Job], leave: Callable[[], None]) -> None:
        text = tr(
            "A run is training: {jobs}. Close now, and it goes on from its last epoch at the next "
            "start; or stop it first and keep its best epoch.",
            jobs="; ".join(job.title for job in jobs),
        )
        stop = partial(self._stop_and_leave, tuple(jobs), leave)
        self._notices.notice_shown.emit(
            Notice(
                text,
                action=tr("Stop, keep the best and close"),
                act=stop,
                further=NoticeAction(tr("Close, go on later"), leave),
                dismiss=tr("Let it train"),
            )
        )

    def _stop_and_leave(self, jobs: Sequence[Job], leave: Callable[[], None]) -> None:
        """Stop jobs, and leave as soon as the last of them has kept what it has."""
        self._leave = leave
        self._stopped = [job for job in jobs if job in self._jobs.running()]
        for job in self._stopped:
            job.stop()
        self._leave_when_over()

    @Slot(object)
    def _on_ended(self, job: Job) -> None:
        self._stopped = [stopped for stopped in self._stopped if stopped is not job]
        self._leave_when_over()

    def _leave_when_over(self) -> None:
        if not self._stopped and self._leave is not None:
            leave, self._leave = self._leave, None
            leave()
