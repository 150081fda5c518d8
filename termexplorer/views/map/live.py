"""The line over a map that is being made: how far it is, and how to pause and stop it."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from termexplorer.jobs import Jobs
from termexplorer.texts import mark, tr, translated
from termexplorer.views.map.job import MapJob
from termexplorer.views.widgets.cancel_button import CancelButton
from termexplorer.views.widgets.elided_label import ElidedLabel

_STOP = mark("Stop now and keep the current map")
_STOP_ALL = mark("Stop now and keep the current map; maps that start from it are not drawn")


class MapLive(QWidget):
    """Shows one `MapJob`, or hides."""

    def __init__(self, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._job: MapJob | None = None
        self.message = ElidedLabel()
        self.pause, self.stop = QPushButton(tr("Pause")), QPushButton(tr("Stop and keep"))
        self.cancel = CancelButton()
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 12, 16, 0)
        row.setSpacing(8)
        row.addWidget(self.message, 1)
        for button, pressed, act in (
            (self.pause, self.pause.clicked, self._on_pause),
            (self.stop, self.stop.clicked, self._on_stop),
            (self.cancel, self.cancel.cancelled, self._on_cancel),
        ):
            row.addWidget(button)
            pressed.connect(act)
        self.show_job(None)

    def show_job(self, job: MapJob | None, number: int = 0, count: int = 1) -> None:
        """Says how far a map is, of so many side by side, and what can be done with it."""
        if job is not self._job:
            self.cancel.withdraw()
        self._job = job
        self.setVisible(job is not None)
        if job is None:
            return
        which = tr("Map {number} of {count}: {told}", number=number + 1, count=count, told=job.text)
        self.message.setText(which if count > 1 else job.text)
        self.pause.setText(tr("Resume") if job.job.paused else tr("Pause"))
        begun, drawn = job.job.begun, job.positions is not None
        self.pause.setVisible(job.job.can_pause)
        self.pause.setEnabled(begun)
        self.pause.setToolTip(tr("It keeps its place") if begun else tr("It has not begun"))
        self.stop.setVisible(job.job.can_stop)
        self.stop.setEnabled(drawn)
        stop = translated(_STOP_ALL if count > 1 and not number else _STOP)
        self.stop.setToolTip(stop if drawn else tr("There is nothing to keep yet"))
        self.cancel.asks = job.job.can_stop and drawn
        self.cancel.setToolTip(tr("Stop now without keeping anything"))

    @Slot()
    def _on_pause(self) -> None:
        if self._job is not None:
            self._job.job.pause(not self._job.job.paused)

    @Slot()
    def _on_stop(self) -> None:
        if self._job is not None:
            self._job.job.stop()

    @Slot()
    def _on_cancel(self) -> None:
        if self._job is not None:
            self._jobs.cancel(self._job.job)
