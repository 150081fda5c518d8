"""Runs that are being trained or wait for it: their jobs, and what they reported so far."""

import threading
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from termexplorer.jobs import Job, Jobs
from termexplorer.models.epochs import EpochCurves
from termexplorer.services.encoders.encoders import find_encoder
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.services.recipes.run_requests import RunRequest, add_run
from termexplorer.services.train.runs import (
    RunInfo,
    find_run,
    run_details,
    set_paused,
    status_text,
    withdraw_run,
)
from termexplorer.services.train.training import EpochDone, train_run
from termexplorer.store.kept_messages import translate_message
from termexplorer.texts import tr
from termexplorer.views.explore.preparation import VectorPreparation
from termexplorer.workers.process.protocol import JobProgress
from termexplorer.workspace import Workspace

LANE = "training"
_MOST_LINES = 400


class RunJob(QObject):
    """One run with its job.

    Signals:
        reported: an epoch or other progress came.
        ended: it is over.
        paused_changed: itself, when it is to rest or to go on, whoever asked for it.

    Attributes:
        curves: the epochs so far.
        last: the latest epoch, or None.
        log: what it said, the latest last.
        outcome: how it ended, in words; empty before.
        failed: whether it ended by an error.
        cancelled: whether it was given up.
    """

    reported = Signal()
    ended = Signal(object)
    paused_changed = Signal(object)

    def __init__(self, run: RunInfo, job: Job, parent: QObject) -> None:
        super().__init__(parent)
        self.run = run
        self.job: Job | None = job
        self.curves = EpochCurves()
        self.last: EpochDone | None = None
        self.progress: JobProgress | None = None
        self.log: list[str] = []
        self.outcome = ""
        self.failed = False
        self.cancelled = False
        job.reported.connect(self._on_reported)
        job.paused_changed.connect(self._on_paused)
        job.progressed.connect(self._on_progressed)
        job.succeeded.connect(self._on_succeeded)
        job.failed.connect(self._on_failed)
        job.cancelled.connect(self._on_cancelled)

    @property
    def running(self) -> bool:
        """Whether it trains now."""
        return self.job is not None and self.job.begun

    @property
    def ending(self) -> bool:
        """Whether its training is over, and what came of it is scored."""
        return self.running and self.progress is not None and self.progress.ending

    @property
    def paused(self) -> bool:
        """Whether it rests."""
        return self.job is not None and self.job.paused

    def say(self, line: str) -> None:
        """Adds a line to the log."""
        self.log = [*self.log[-_MOST_LINES:], line]
        self.reported.emit()

    @Slot(object)
    def _on_reported(self, message: object) -> None:
        if isinstance(message, EpochDone):
            self.last = message
            self.curves.add(message.epoch)
            self.reported.emit()

    @Slot(object)
    def _on_progressed(self, progress: JobProgress) -> None:
        self.progress = progress
        self.say(progress.text)

    @Slot(bool)
    def _on_paused(self, paused: bool) -> None:
        self.say(tr("paused") if paused else tr("resumed"))
        self.paused_changed.emit(self)

    @Slot(object)
    def _on_succeeded(self, run: RunInfo) -> None:
        self.run = run
        best = run.card.get("best_epoch")
        message = tr("{status}: epoch {epoch} is kept", status=status_text(run.status), epoch=best)
        self._end(f"{message} ({translate_message(run.error)})" if run.error else message)

    @Slot(str)
    def _on_failed(self, why: str) -> None:
        stopped = self.job is not None and self.job.control.stopped()
        self.failed = not stopped
        self._end(why if stopped else tr("failed: {why}", why=why))

    @Slot()
    def _on_cancelled(self) -> None:
        self.cancelled = True
        self._end(tr("cancelled"))

    def _end(self, outcome: str) -> None:
        self.outcome = outcome
        self.job = None
        self.say(outcome)
        self.ended.emit(self)


class RunJobs(QObject):
    """All runs of this window that were asked for and have not ended, and the last that did.

    Signals:
        changed: a run began, ended, or waits.
        failed: one line for people.
    """

    changed = Signal()
    failed = Signal(str)

    def __init__(self, workspace: Workspace, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._jobs = jobs
        self._preparation = VectorPreparation(workspace, jobs, self)
        self._leaving = threading.Event()
        self._all: list[RunJob] = []
        self._last: RunJob | None = None
        jobs.changed.connect(self.changed)

    @property
    def shown(self) -> RunJob | None:
        """The run that trains, else the first that waits, else the one that ended last."""
        running = [run_job for run_job in self._all if run_job.running]
        return next(iter([*running, *self._all]), self._last)

    def of(self, run_id: int) -> RunJob | None:
        """A run that trains or waits, by its id."""
        return next((run_job for run_job in self._all if run_job.run.id == run_id), None)

    @property
    def busy(self) -> frozenset[int]:
        """The ids of those that train or wait."""
        return frozenset(run_job.run.id for run_job in self._all)

    def waiting(self) -> int:
        """How many runs wait."""
        return sum(not run_job.running for run_job in self._all)

    def add(self, request: RunRequest) -> RunJob:
        """Adds a run and its job; raises `UserError` where the request is wrong."""
        return self.start(add_run(self._workspace, request))

    def start(self, run_id: int, resume: bool = False) -> RunJob:
        """Trains a run that waits or was interrupted."""
        run = find_run(self._workspace, run_id)
        leave = self._leaving.is_set
        work = partial(train_run, self._workspace, run_id, resume=resume, leave=leave)
        title = tr("{title}, run {run}", title=run.shown_title, run=run_id)
        job = self._jobs.add(title, work, LANE, can_pause=True, can_stop=True, resumes=True)
        run_job = RunJob(run, job, self)
        if resume:
            run_job.curves = EpochCurves(run_details(self._workspace, run_id).epochs)
        run_job.ended.connect(self._on_ended)
        run_job.paused_changed.connect(self._on_paused)
        self._all.append(run_job)
        self.changed.emit()
        return run_job

    def go_on(self, run_id: int) -> RunJob:
        """Trains a run that waits, from its last epoch where it has one."""
        run = find_run(self._workspace, run_id)
        return self.start(run_id, resume=run.status != "queued")

    def pause(self, run: RunJob, paused: bool) -> None:
        """Has a run rest, or go on."""
        if run.job is not None:
            run.job.pause(paused)

    def stop(self, run: RunJob) -> None:
        """Ends a run; its best epoch is kept."""
        if run.job is not None:
            run.job.stop()
            run.say(tr("stopping"))

    def cancel(self, run: RunJob) -> None:
        """Gives a run up."""
        if run.job is not None:
            run.say(tr("cancelling"))
            waited = not run.job.begun
            self._jobs.cancel(run.job)
            if waited:
                withdraw_run(self._workspace, run.run.id)

    @property
    def leaving(self) -> bool:
        """Whether the window is being closed."""
        return self._leaving.is_set()

    def leave(self) -> None:
        """From now on what is cancelled can go on later: the window is being closed."""
        self._leaving.set()

    @Slot(object)
    def _on_paused(self, run: RunJob) -> None:
        set_paused(self._workspace, run.run.id, run.paused)
        self.changed.emit()

    @Slot(object)
    def _on_ended(self, run: RunJob) -> None:
        self._all.remove(run)
        self._last = run
        if run.failed:
            self.failed.emit(run.outcome)
        if run.run.encoder_id is not None:
            encoder = find_encoder(self._workspace, run.run.encoder_id)
            ontology = find_ontology(self._workspace, str(run.run.release_id))
            self._preparation.ensure([encoder], [ontology])
        self.changed.emit()
