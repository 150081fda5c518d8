"""The bar at the bottom: what runs in the background, and how to pause and stop it."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QToolButton,
    QWidget,
)

from termexplorer.jobs import Job, JobProgress, Jobs
from termexplorer.texts import tr, trn
from termexplorer.views.widgets.cancel_button import CancelButton
from termexplorer.views.widgets.elided_label import ElidedLabel
from termexplorer.views.widgets.focus import WayBack
from termexplorer.views.widgets.icons import icon
from termexplorer.views.widgets.notices import Notices
from termexplorer.views.widgets.theme import Theme
from termexplorer.views.window.job_list import JobListMenu, progress_text

_STEPS = 1000
_LOWEST, _MARGIN = 44, 6  # pixels of the bar, and around what is in it
_LEAST = 12  # letters of the text: fewer tell nothing
_TITLE = 200  # pixels that the title has before the text beside it


class JobBar(QFrame):
    """Shows the oldest running job, and counts the others."""

    def __init__(
        self, jobs: Jobs, notices: Notices, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("statusBar")
        self._jobs = jobs
        self._notices = notices
        self._theme = theme
        self._job: Job | None = None
        self._heard: set[int] = set()
        self.title = ElidedLabel(tr("Ready"))
        self.bar = QProgressBar(textVisible=False, maximum=_STEPS)
        self.bar.setFixedWidth(160)
        self.bar.setAccessibleName(tr("Progress"))
        self.text = ElidedLabel(least=_LEAST)
        self.text.setProperty("quiet", True)
        self.count = QToolButton()
        self.pause = QPushButton(tr("Pause"))
        self.stop = QPushButton(tr("Stop and keep the best"))
        self.cancel = CancelButton()
        self.job_list = JobListMenu(jobs, self)
        self._way_back = WayBack(self)
        self._lay_out()
        self.pause.clicked.connect(self._on_pause)
        self.stop.clicked.connect(self._on_stop)
        self.cancel.cancelled.connect(self._on_cancel)
        jobs.changed.connect(self._on_changed)
        theme.changed.connect(self._paint_icons)
        theme.changed.connect(self._fix_height)
        self._on_changed()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Take the height when the style is known."""
        super().showEvent(event)
        self._fix_height()

    @Slot()
    def _fix_height(self) -> None:
        """Be as high as its buttons need, with a job or without, so that no page moves."""
        self.pause.ensurePolished()
        self.setFixedHeight(max(_LOWEST, self.pause.sizeHint().height() + 2 * _MARGIN + 2))

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(16, _MARGIN, 16, _MARGIN)
        row.setSpacing(12)
        for widget in (self.title, self.bar, self.text):
            row.addWidget(widget)
        row.addStretch(1)  # texts change, and what can be pressed stays where it is, at the right
        for button in (self.count, self.pause, self.stop, self.cancel):
            row.addWidget(button)
        self.count.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.count.setMenu(self.job_list)
        self.count.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        self.count.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.count.setToolTip(tr("Jobs that run or wait"))

    @Slot()
    def _on_changed(self) -> None:
        running, waiting = self._jobs.running(), self._jobs.waiting()
        for job in running + waiting:
            self._hear(job)
        shown = running[0] if running else None
        if shown is not self._job:
            self.cancel.withdraw()
        self._job = shown
        self._show()
        self.count.setText(_count_text(len(running), len(waiting)))
        self.count.setVisible(bool(running or waiting))
        self.job_list.refresh()

    def _hear(self, job: Job) -> None:
        if id(job) in self._heard:
            return
        self._heard.add(id(job))
        job.progressed.connect(self._on_progressed)
        job.paused_changed.connect(self._on_paused)
        job.failed.connect(self._notices.error)
        job.destroyed.connect(self._on_destroyed)

    @Slot()
    def _on_destroyed(self) -> None:
        known_jobs = self._jobs.running() + self._jobs.waiting()
        self._heard &= {id(job) for job in known_jobs}

    @Slot(object)
    def _on_progressed(self, _progress: JobProgress) -> None:
        self._show()
        self.job_list.refresh()

    @Slot()
    def _on_paused(self) -> None:
        self._show()
        self.job_list.refresh()

    @Slot()
    def _show(self) -> None:
        job = self._job
        ending = job is not None and job.progress.ending
        for widget, shown in (
            (self.bar, job is not None),
            (self.text, job is not None),
            (self.pause, job is not None and job.can_pause and not ending),
            (self.stop, job is not None and job.can_stop and not ending),
            (self.cancel, job is not None),
        ):
            if not shown and widget.hasFocus():
                self._way_back.go()  # or the next button would have the keys
            widget.setVisible(shown)
        if job is None:
            self.title.setText(tr("Ready"))
            self.title.setMinimumWidth(0)
            return
        self.title.setText(job.title)
        self.title.setMinimumWidth(min(self.title.sizeHint().width(), _TITLE))
        progress = job.progress
        busy = progress.fraction is None
        self.bar.setMaximum(0 if busy else _STEPS)
        self.bar.setValue(0 if busy else round((progress.fraction or 0) * _STEPS))
        self.text.setText(progress_text(progress, job.title, job.paused))
        self.cancel.asks = job.can_stop
        self.pause.setText(tr("Resume") if job.paused else tr("Pause"))
        self._paint_icons()

    @Slot()
    def _paint_icons(self) -> None:
        colour = self._theme.colours.text
        resting = self._job is not None and self._job.paused
        self.pause.setIcon(icon("play" if resting else "pause", colour))
        self.stop.setIcon(icon("stop", colour))
        self.cancel.setIcon(icon("x", colour))

    @Slot()
    def _on_pause(self) -> None:
        if self._job:
            self._job.pause(not self._job.paused)

    @Slot()
    def _on_stop(self) -> None:
        if self._job:
            self._job.stop()

    @Slot()
    def _on_cancel(self) -> None:
        if self._job:
            self._jobs.cancel(self._job)


def _count_text(running: int, waiting: int) -> str:
    if not waiting:
        return trn("{n} job running", "{n} jobs running", running)
    return trn(
        "{n} job running, {waiting} waiting",
        "{n} jobs running, {waiting} waiting",
        running,
        waiting=waiting,
    )
