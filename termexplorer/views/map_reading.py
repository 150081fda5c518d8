"""Reads maps, and what their points are, in the background."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject

from termexplorer.questions import Questions
from termexplorer.services.map_colours import Colouring
from termexplorer.services.projection import NameMap, ProjectionRequest
from termexplorer.views.map_state import read_shown, read_stored
from termexplorer.workers.supervision import Control
from termexplorer.workspace import Workspace


class MapReading(QObject):
    """Two questions at once: which map is kept, and what the points are of one that is made.

    Attributes:
        looking: answers with `Shown`, or None where no map is kept.
        naming: answers with `Shown` of a map that is made.
    """

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace, self._control = workspace, Control()
        self.looking, self.naming = Questions(self), Questions(self)

    def look(self, requests: Sequence[ProjectionRequest], colouring: Colouring) -> None:
        """Asks for maps that are kept."""
        asked = (self._workspace, requests, colouring, self._control)
        self.looking.ask(partial(read_stored, *asked))

    def take(self, request: ProjectionRequest, colouring: Colouring, found: NameMap) -> None:
        """Asks what the points are of a map that was made a moment ago."""
        asked = (self._workspace, request, colouring, found.name_ids, self._control, found)
        self.looking.ask(partial(read_shown, *asked))

    def name(
        self, request: ProjectionRequest, colouring: Colouring, ids: NDArray[np.int64]
    ) -> None:
        """Asks what the points are of a map that is made."""
        asked = (self._workspace, request, colouring, ids, self._control)
        self.naming.ask(partial(read_shown, *asked))

    def close(self) -> None:
        """Has what is read given up, and ends the threads."""
        self._control.cancel()
        for questions in (self.looking, self.naming):
            questions.close()
