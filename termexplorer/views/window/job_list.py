"""The menu of all jobs that run or wait; it goes on telling of them while it is open."""

from PySide6.QtCore import QPoint, Slot
from PySide6.QtWidgets import QGridLayout, QMenu, QWidget, QWidgetAction

from termexplorer.jobs import Job, JobProgress, Jobs
from termexplorer.texts import duration_text, mark, tr, translated
from termexplorer.views.widgets.cancel_button import CancelButton
from termexplorer.views.widgets.plain_label import PlainLabel


class JobListMenu(QMenu):
    """Lists each job with its progress and a button that cancels it.

    Attributes:
        rows: the rows on show, in the order of the jobs.
    """

    def __init__(self, jobs: Jobs, parent: QWidget) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self.rows: list[JobRow] = []
        self._grid_widget = QWidget()
        self._grid = QGridLayout(self._grid_widget)
        self._grid.setContentsMargins(12, 8, 12, 8)
        self._grid.setHorizontalSpacing(16)
        self._action = QWidgetAction(self)
        self._action.setDefaultWidget(self._grid_widget)
        self.addAction(self._action)
        self.aboutToShow.connect(self._update_rows)

    @Slot()
    def refresh(self) -> None:
        """Show the jobs and their progress as they are now, if the menu is open."""
        if not self.isVisible():
            return
        self._update_rows()
        if not self.rows:
            self.close()

    @Slot()
    def _update_rows(self) -> None:
        jobs = self._jobs.running() + self._jobs.waiting()
        if [row.job for row in self.rows] != jobs:
            self._arrange_rows(jobs)
        for row in self.rows:
            row.show_progress()
        self._fit_to_rows()

    def _arrange_rows(self, jobs: list[Job]) -> None:
        """Keep the rows of jobs that are still there: somebody may be at their buttons."""
        known = {id(row.job): row for row in self.rows}
        rows = [known.get(id(job)) or JobRow(self._jobs, job) for job in jobs]
        for row in self.rows:
            if row not in rows:
                row.remove_from(self._grid)
        for line, row in enumerate(rows):
            for column, widget in enumerate((row.title, row.progress, row.cancel)):
                self._grid.addWidget(widget, line, column)
        self.rows = rows

    def _fit_to_rows(self) -> None:
        """Take the size of the rows; an open menu stays on its lower edge, above the bar."""
        bottom = self.geometry().bottom()
        self._grid.invalidate()
        self._grid.activate()
        self._action.setText(str(self._grid.sizeHint().toTuple()))  # has the menu measured anew
        if self.isVisible():
            self.resize(self.sizeHint())
            self.move(QPoint(self.x(), bottom - self.height() + 1))


class JobRow:
    """What the list shows of one job.

    Attributes:
        job: the job.
        title: its title.
        progress: how far it is, or that it waits.
        cancel: cancels it; asks first where that would discard something.
    """

    def __init__(self, jobs: Jobs, job: Job) -> None:
        self.job = job
        self.title = PlainLabel(job.title)
        self.progress = PlainLabel()
        self.progress.setProperty("quiet", True)
        self.cancel = CancelButton()
        self.cancel.setAccessibleName(tr("Cancel {job}", job=job.title))
        self.cancel.cancelled.connect(lambda: jobs.cancel(job))

    def show_progress(self) -> None:
        """Say how far the job is now."""
        job = self.job
        text = progress_text(job.progress, job.title, job.paused) if job.begun else tr("waits")
        self.progress.setText(text)
        self.cancel.asks = job.begun and job.can_stop

    def remove_from(self, grid: QGridLayout) -> None:
        """Take the row out of a grid; its job is over."""
        self.cancel.withdraw()
        for widget in (self.title, self.progress, self.cancel):
            grid.removeWidget(widget)
            widget.hide()
            widget.deleteLater()


def progress_text(progress: JobProgress, title: str, paused: bool) -> str:
    """Return what is being done and how long it will take."""
    parts = [] if progress.text == title else [progress.text]
    if paused:
        parts.append(tr("paused"))
    elif progress.seconds_left is not None:
        left = mark("at least {time} left") if progress.at_least else mark("{time} left")
        parts.append(translated(left, time=duration_text(progress.seconds_left)))
    return " · ".join(parts)
