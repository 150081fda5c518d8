"""The maps that are being made, each by a job of its own, one after the other."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from termexplorer.services.map.projection import (
    ProjectionRequest,
    first_request,
    project,
    was_stopped,
)
from termexplorer.views.map.job import MapJob
from termexplorer.views.window.page import Shared

_MOVES = "tsne"


class MapJobs(QObject):
    """Begins jobs, and tells of them.

    Signals:
        chosen: a `MapJob` knows which names are on its map.
        moved: one has points elsewhere, or there is more to say of it.
        over: one is over, and not to be found any more.
    """

    chosen = Signal(object)
    moved = Signal(object)
    over = Signal(object)

    def __init__(self, shared: Shared, lane: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shared, self._lane = shared, lane
        self._jobs: list[MapJob] = []

    def find(self, requests: Sequence[ProjectionRequest]) -> MapJob | None:
        """What makes the one of some maps that is being made, or else the first that waits."""
        return min(
            (job for job in self._jobs if job.request in requests),
            key=lambda job: (not job.job.begun, requests.index(job.request)),
            default=None,
        )

    def begin(self, request: ProjectionRequest, title: str) -> None:
        """Has a map made, unless it is being made."""
        if self.find([request]) is not None:
            return
        moves = request.method == _MOVES
        work = partial(project, self._shared.workspace, request)
        job = self._shared.jobs.add(title, work, self._lane, can_pause=moves, can_stop=moves)
        map_job = MapJob(request, job, self)
        self._jobs.append(map_job)
        map_job.chosen.connect(self._on_chosen)
        map_job.moved.connect(self._on_moved)
        map_job.progressed.connect(self._on_moved)
        map_job.over.connect(self._on_over)

    @Slot()
    def _on_chosen(self) -> None:
        self.chosen.emit(self.sender())

    @Slot()
    def _on_moved(self) -> None:
        self.moved.emit(self.sender())

    @Slot()
    def _on_over(self) -> None:
        job = self.sender()
        if isinstance(job, MapJob) and job in self._jobs:
            self._jobs.remove(job)
            if job.name_map is None or was_stopped(job.name_map, job.request):
                self._cancel_after(job.request)
            self.over.emit(job)
            job.deleteLater()

    def _cancel_after(self, first: ProjectionRequest) -> None:
        """Has those made no more that would start from a map, or make it to its end before."""
        for job in list(self._jobs):
            if job.request.after is not None and first_request(job.request) == first:
                self._shared.jobs.cancel(job.job)
