"""The run that trains now: curves, figures, log, and what can be done with it."""

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from termexplorer.jobs import Jobs
from termexplorer.services.recipes.words import metric_text
from termexplorer.texts import duration_text, mark, number, tr, translated, trn
from termexplorer.views.levels.figures import LevelFigures
from termexplorer.views.train.open_vectors import LANE as VECTORS
from termexplorer.views.train.run_jobs import RunJob, RunJobs
from termexplorer.views.widgets.cancel_button import CancelButton
from termexplorer.views.widgets.elided_label import ElidedLabel
from termexplorer.views.widgets.forms import quiet
from termexplorer.views.widgets.run_curves import CurvePair
from termexplorer.views.widgets.theme import Theme

_DRAW_MS = 150
_LOG_LINES, _LOG_PAD = 4, 12
_CURVES = 4  # times as high as the log, where there is little room
_NARROWEST = 120
_HINT = mark("Press Train; curves are drawn here")


class TrainLive(QWidget):
    """Follows the runs of a `RunJobs`."""

    def __init__(
        self, runs: RunJobs, jobs: Jobs, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._runs = runs
        self._jobs = jobs
        self._run: RunJob | None = None
        self._stale = False
        self._hint = translated(_HINT)
        self.title = ElidedLabel()
        self.title.setProperty("title", True)
        self.state = quiet()
        self.figures = LevelFigures()
        self.curves = CurvePair(theme)
        self.log = QPlainTextEdit(readOnly=True)
        self.log.setAccessibleName(tr("Log"))
        self.pause = QPushButton(tr("Pause"))
        self.stop = QPushButton(tr("Stop and keep the best"))
        self.cancel = CancelButton()
        self._lay_out()
        self.pause.clicked.connect(self._on_pause)
        self.stop.clicked.connect(self._on_stop)
        self.cancel.cancelled.connect(self._on_cancel)
        self._timer = QTimer(self)
        self._timer.setInterval(_DRAW_MS)
        self._timer.timeout.connect(self._draw)
        runs.changed.connect(self._on_changed)
        self._on_changed()

    @property
    def run(self) -> RunJob | None:
        """The run on show."""
        return self._run

    def show_hint(self, why_not: str) -> None:
        """Says what has to be done first, while nothing trains."""
        self._hint = why_not or translated(_HINT)
        self._stale = True
        self._draw()

    def close_live(self) -> None:
        """Draws no more."""
        self._timer.stop()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        heading = QVBoxLayout()
        heading.setSpacing(0)
        heading.addWidget(self.title)
        heading.addWidget(self.state)
        for label in (self.title, self.state):
            label.setMinimumWidth(_NARROWEST)
        head.addLayout(heading, 1)
        for button in (self.pause, self.stop, self.cancel):
            head.addWidget(button)
        line = self.log.fontMetrics().lineSpacing()
        self.log.setMinimumHeight(line + _LOG_PAD)
        self.log.setMaximumHeight(_LOG_LINES * line + _LOG_PAD)
        self.log.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 8)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.figures)
        column.addWidget(self.curves, _CURVES)
        column.addWidget(self.log, 1)
        column.addStretch(0)

    @Slot()
    def _on_changed(self) -> None:
        shown = self._runs.shown
        if shown is not self._run:
            if self._run is not None:
                self._run.reported.disconnect(self._on_reported)
            self._run = shown
            self.cancel.withdraw()
            self._leave(self.pause, self.stop, self.cancel)
            if shown is not None:
                shown.reported.connect(self._on_reported)
        self._stale = True
        self._timer.start()
        self._draw()

    @Slot()
    def _on_reported(self) -> None:
        self._stale = True

    @Slot()
    def _draw(self) -> None:
        if not self._stale:
            return
        self._stale = False
        run = self._run
        for widget in (self.figures, self.curves, self.log, self.pause, self.stop, self.cancel):
            widget.setVisible(run is not None)
        if run is None:
            titles = [job.title for job in self._jobs.running() if job.lane == VECTORS]
            self.title.setText(titles[0] if titles else tr("Nothing trains"))
            self.state.setText(tr("Progress is shown below") if titles else self._hint)
        else:
            self._draw_run(run)
        self._allow(run)
        if run is None or run.outcome:
            self._timer.stop()

    def _draw_run(self, run: RunJob) -> None:
        self.title.setText(tr("{title}, run {run}", title=run.run.shown_title, run=run.run.id))
        waiting = self._runs.waiting()
        states = [run.outcome or _state_text(run)]
        states += [trn("{n:,} more waiting", "{n:,} more waiting", waiting)] if waiting else []
        self.state.setText(" · ".join(states))
        self.state.setToolTip(self.state.text())
        self.figures.show_figures(_live_figures(run))
        self.curves.show_run(run.curves, run.last.metric if run.last else "")
        self.log.setPlainText("\n".join(run.log))
        self.log.verticalScrollBar().setValue(self.log.verticalScrollBar().maximum())

    def _allow(self, run: RunJob | None) -> None:
        over = run is None or run.job is None
        running = run is not None and run.running
        ending = run is not None and run.ending
        trains = running and not ending
        for button, can, tip in (
            (self.pause, trains, tr("It keeps its place")),
            (self.stop, trains, tr("Stop now; the best epoch is kept and evaluated")),
            (self.cancel, not over, tr("Stop now without keeping anything")),
        ):
            if not can:
                self._leave(button)
            button.setEnabled(can)
            button.setToolTip(tip if can else _why_not(over, ending))
        self.cancel.asks = running
        self.pause.setText(tr("Resume") if run is not None and run.paused else tr("Pause"))

    def _leave(self, *buttons: QPushButton) -> None:
        """Takes the keys from buttons that they were not meant for: of another run, or disabled."""
        if any(button.hasFocus() for button in buttons):
            self.log.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _on_pause(self) -> None:
        if self._run:
            self._runs.pause(self._run, not self._run.paused)

    @Slot()
    def _on_stop(self) -> None:
        if self._run:
            self._runs.stop(self._run)

    @Slot()
    def _on_cancel(self) -> None:
        if self._run:
            self._runs.cancel(self._run)


def _state_text(run: RunJob) -> str:
    if run.ending:
        return tr("being scored")
    if run.paused:
        return tr("paused")
    return tr("training", sense="state") if run.running else tr("waits")


def _why_not(over: bool, ending: bool) -> str:
    if over:
        return tr("Nothing trains")
    return tr("Being evaluated") if ending else tr("It has not begun")


def _live_figures(run: RunJob) -> list[tuple[str, str, str]]:
    done = run.last
    left = run.progress.seconds_left if run.running and run.progress else None
    epoch = done.epoch if done else None
    return [
        (tr("Epoch"), number(epoch.number) if epoch else "–", tr("Epochs so far")),
        (tr("Best"), number(done.best_epoch) if done else "–", tr("The epoch that would be kept")),
        (
            tr("Loss"),
            number(sum(epoch.losses.values()), ".3f") if epoch else "–",
            tr("Sum of its parts"),
        ),
        (
            tr("Validation"),
            number(epoch.validation, ".3f") if epoch else "–",
            metric_text(done.metric) if done else "",
        ),
        (
            tr("Names / s"),
            number(epoch.names_per_second, ",.0f") if epoch else "–",
            tr("Names a second"),
        ),
        (
            tr("Time left"),
            tr("at least {time}", time=duration_text(left)) if left else "–",
            tr("At least; by the minimum number of epochs at the current speed"),
        ),
    ]
