"""The one door to background work: jobs with progress and a stop, one after the other in a lane.

Each job owns its thread; what it computes runs in a child process that a service supervises.
"""

import logging
import traceback
from collections.abc import Callable
from typing import TypeAlias

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot

from termexplorer.errors import UserError
from termexplorer.workers.process.bug_place import locate_bug, locate_crash
from termexplorer.workers.process.protocol import JobProgress
from termexplorer.workers.process.supervision import Cancelled, Crashed, JobControl

__all__ = ["Job", "JobProgress", "Jobs", "Work"]

Work: TypeAlias = Callable[[JobControl, Callable[[object], None]], object]

_log = logging.getLogger(__name__)


class Job(QThread):
    """One piece of background work.

    Signals:
        progressed: a `JobProgress`.
        reported: any other message of the work.
        succeeded: what the work returned.
        failed: one line for people.
        cancelled: it was given up on request.
        paused_changed: whether it rests now.

    Attributes:
        paused: whether it was asked to rest; `pause` sets it.
    """

    progressed = Signal(object)
    reported = Signal(object)
    succeeded = Signal(object)
    failed = Signal(str)
    cancelled = Signal()
    paused_changed = Signal(bool)

    def __init__(
        self,
        title: str,
        work: Work,
        lane: str,
        parent: QObject,
        *,
        can_pause: bool = False,
        can_stop: bool = False,
        lost: bool = False,
        resumes: bool = False,
    ) -> None:
        super().__init__(parent)
        self.title = title
        self.lane = lane
        self.can_pause = can_pause
        self.can_stop = can_stop
        self.lost = lost
        self.resumes = resumes
        self.control = JobControl(behind=True)
        self.progress = JobProgress(None, title)
        self.begun = False
        self.paused = False
        self._work = work

    def pause(self, paused: bool) -> None:
        """Has the work rest, keeping its place, or go on."""
        if paused == self.paused:
            return
        self.paused = paused
        if paused:
            self.control.pause()
        else:
            self.control.resume()
        self.paused_changed.emit(paused)

    def stop(self) -> None:
        """Has the work end soon, keeping what it has; it may be resting."""
        self.pause(False)
        self.control.stop()

    def run(self) -> None:
        """Does the work; Qt calls this in the job's own thread."""
        try:
            result = self._work(self.control, self._hear)
        except Cancelled:
            self.cancelled.emit()
        except UserError as error:
            self.failed.emit(str(error))
        except Crashed as error:
            _log.error("%s: %s", self.title, error)
            self.failed.emit(f"{self.title}: {locate_crash(str(error))}")
        except Exception as error:
            _log.error("%s: %s", self.title, traceback.format_exc())
            self.failed.emit(f"{self.title}: {locate_bug(type(error), error.__traceback__)}")
        else:
            self.succeeded.emit(result)

    def _hear(self, message: object) -> None:
        if isinstance(message, JobProgress):
            self.progress = message
            self.progressed.emit(message)
        else:
            self.reported.emit(message)


class Jobs(QObject):
    """All jobs of a window. Those of one lane run one after the other.

    Signals:
        changed: a job was added, started or ended.
        ended: a job that is over.
    """

    changed = Signal()
    ended = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs: list[Job] = []
        self._closing = False

    def add(
        self,
        title: str,
        work: Work,
        lane: str = "",
        *,
        can_pause: bool = False,
        can_stop: bool = False,
        lost: bool = False,
        resumes: bool = False,
    ) -> Job:
        """Adds a job; it starts at once, or when its lane is free.

        Connect to its signals right away: it starts when control is back in the event loop.

        Args:
            title: what it is, for people.
            work: what it does, in a thread of its own.
            lane: jobs of one lane run one after the other.
            can_pause: whether its work heeds `Control.pause`.
            can_stop: whether its work heeds `Control.stop` and keeps what it has.
            lost: whether all of it has to be done anew if the window closes first.
            resumes: whether it can go on from where it is at another start.
        """
        can = {"can_pause": can_pause, "can_stop": can_stop, "lost": lost, "resumes": resumes}
        job = Job(title, work, lane, self, **can)
        job.finished.connect(self._on_finished)
        self._jobs.append(job)
        self.changed.emit()
        QTimer.singleShot(0, self._start_next)
        return job

    def running(self) -> list[Job]:
        """The jobs under way, the oldest first."""
        return [job for job in self._jobs if job.begun]

    def waiting(self) -> list[Job]:
        """The jobs that wait for their lane."""
        return [job for job in self._jobs if not job.begun]

    def cancel(self, job: Job) -> None:
        """Gives a job up, whether it runs or waits."""
        job.control.cancel()
        if not job.begun:
            job.cancelled.emit()
            self._forget(job)

    def close(self) -> None:
        """Cancels everything and waits until it has ended; no job starts any more."""
        self._closing = True
        for job in self._jobs:
            job.control.cancel()
        for job in self.running():
            job.wait()

    @Slot()
    def _start_next(self) -> None:
        for job in self.waiting():
            busy = {other.lane for other in self.running() if other.lane}
            if not self._closing and job.lane not in busy:
                job.begun = True
                job.start(QThread.Priority.LowPriority)
                self.changed.emit()

    @Slot()
    def _on_finished(self) -> None:
        job = self.sender()
        assert isinstance(job, Job)  # noqa: S101 - connected nowhere else
        self._forget(job)
        self.ended.emit(job)
        self._start_next()

    def _forget(self, job: Job) -> None:
        if job in self._jobs:
            self._jobs.remove(job)
            job.deleteLater()
            self.changed.emit()
