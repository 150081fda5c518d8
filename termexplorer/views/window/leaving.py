"""Closing the window while something would be lost: told first, once."""

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from termexplorer.jobs import Jobs
from termexplorer.texts import tr, trn
from termexplorer.views.widgets.notices import Notices


class PendingWork(QObject):
    """Something in a window that people did and that is nowhere kept yet."""

    def is_unsaved(self) -> bool:
        """Tell whether it would be lost now."""
        return False

    def warn_before_closing(self) -> None:
        """Tell what would be lost, and offer to keep it."""


class CloseGuard:
    """Whether a window may close.

    Args:
        window: in which `PendingWork` is.
        jobs: that run for it.
        notices: where it is told what would be lost.
    """

    def __init__(self, window: QWidget, jobs: Jobs, notices: Notices) -> None:
        self._window = window
        self._jobs = jobs
        self._notices = notices
        self._warned = False

    def may(self, leave: Callable[[], None]) -> bool:
        """Return whether nothing would be lost; else say what, and offer to `leave`.

        Of work that is not kept it is said once: closing again leaves it.
        """
        unsaved = [work for work in self._window.findChildren(PendingWork) if work.is_unsaved()]
        if unsaved and not self._warned:
            self._warned = True
            for work in unsaved:
                work.warn_before_closing()
            return False
        lost = [job.title for job in self._jobs.running() + self._jobs.waiting() if job.lost]
        if not lost:
            return True
        text = trn(
            "This is not done yet, and lost when the window closes: {jobs}.",
            "These are not done yet, and lost when the window closes: {jobs}.",
            len(lost),
            jobs="; ".join(lost),
        )
        self._notices.tell(text, tr("Close anyway"), leave)
        return False
