"""Reads maps, and where the points are of the one that moves, in the background."""

from functools import partial

from PySide6.QtCore import QObject

from termexplorer.questions import LatestQueryWorker
from termexplorer.services.map.colours import Colouring
from termexplorer.services.map.projection import ProjectionRequest
from termexplorer.views.map.shown import Moving, Shown
from termexplorer.views.map.state import read_shown
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace


class MapReading(QObject):
    """Two questions at once: which maps are there, and where the points are by now.

    Attributes:
        looking: answers with `Shown`, or None where no map is there.
        laying: answers with `Laid`, or None where there is nothing to show of a map.
    """

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace, self._control = workspace, JobControl()
        self.looking, self.laying = LatestQueryWorker(self), LatestQueryWorker(self)

    def look(
        self,
        requests: tuple[ProjectionRequest, ...],
        colouring: Colouring,
        moving: Moving | None,
    ) -> None:
        """Asks for maps that are kept, and what the points are of one that is made."""
        asked = (self._workspace, requests, colouring, self._control, moving)
        self.looking.ask(partial(read_shown, *asked))

    def lay(self, shown: Shown, moving: Moving) -> None:
        """Asks where points on show are by now on a map that is made."""
        self.laying.ask(partial(shown.lay, moving))

    def forget(self) -> None:
        """Drops the answers to what was asked."""
        self.looking.forget()
        self.laying.forget()

    def close(self) -> None:
        """Has what is read given up, and ends the threads."""
        self._control.cancel()
        for questions in (self.looking, self.laying):
            questions.close()
