"""Closing the window while work runs that would be lost: told first, once."""

from collections.abc import Callable

from termexplorer.jobs import Jobs
from termexplorer.texts import tr, trn
from termexplorer.views.widgets.notices import Notices


class CloseGuard:
    """Whether the window may close."""

    def __init__(self, jobs: Jobs, notices: Notices) -> None:
        self._jobs = jobs
        self._notices = notices

    def may(self, leave: Callable[[], None]) -> bool:
        """Returns whether nothing would be lost; else says what, and offers to `leave`."""
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
