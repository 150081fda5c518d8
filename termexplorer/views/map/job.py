"""A map that is being made: where its points are by now."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal, Slot

from termexplorer.jobs import Job, JobProgress
from termexplorer.services.map.projection import (
    NameMap,
    PointsChosen,
    PointsMoved,
    ProjectionRequest,
)
from termexplorer.texts import tr
from termexplorer.views.map.shown import Moving


class MapJob(QObject):
    """Hears of one job.

    Signals:
        chosen: it is known which names are on the map.
        moved: the points are elsewhere.
        progressed: there is more to say of it.
        over: it is over.

    Attributes:
        request: what is made.
        job: what makes it.
        name_ids: (n,) int64, or None while they are not known.
        positions: (n, 2) float32, or None while there are none.
        found: the map; None while it is not there, and when it failed or was cancelled.
    """

    chosen = Signal()
    moved = Signal()
    progressed = Signal()
    over = Signal()

    def __init__(self, request: ProjectionRequest, job: Job, parent: QObject) -> None:
        super().__init__(parent)
        self.request, self.job = request, job
        self.name_ids: NDArray[np.int64] | None = None
        self.positions: NDArray[np.float32] | None = None
        self.name_map: NameMap | None = None
        self._divergence: float | None = None
        job.reported.connect(self._on_reported)
        job.progressed.connect(self._on_progressed)
        job.paused_changed.connect(self._on_progressed)
        job.succeeded.connect(self._on_succeeded)
        job.failed.connect(self.over)
        job.cancelled.connect(self.over)

    @property
    def text(self) -> str:
        """A line on how far it is."""
        job_text = self.job.progress.text or self.job.title
        if self._divergence is not None:
            job_text = tr("{told} · divergence {value:.2f}", told=job_text, value=self._divergence)
        return tr("Paused: {told}", told=job_text) if self.job.paused else job_text

    @property
    def moving(self) -> Moving | None:
        """Where its points are, once it is known which they are."""
        if self.name_ids is None:
            return None
        return Moving(self.request, self.name_ids, self.positions)

    @Slot(object)
    def _on_reported(self, message: object) -> None:
        if isinstance(message, PointsChosen):
            self.name_ids, self.positions = message.name_ids, None
            self.chosen.emit()
        elif isinstance(message, PointsMoved):
            self.positions = message.positions
            self._divergence = message.divergence
            self.moved.emit()

    @Slot(object)
    def _on_progressed(self, _progress: JobProgress | bool) -> None:
        self.progressed.emit()

    @Slot(object)
    def _on_succeeded(self, name_map: NameMap) -> None:
        self.name_map = name_map
        self.over.emit()
