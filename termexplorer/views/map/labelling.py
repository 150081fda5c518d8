"""Has the labels of maps found in the background."""

from functools import partial

from PySide6.QtCore import QObject, Signal

from termexplorer.services.map.labels import label_map
from termexplorer.services.map.projection import NameMap
from termexplorer.texts import tr
from termexplorer.views.window.page import Shared


class MapLabelling(QObject):
    """Asks once for each map; what is cancelled is not asked for again.

    Signals:
        labelled: a map with its labels.
    """

    labelled = Signal(object)

    def __init__(self, shared: Shared, lane: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shared, self._lane = shared, lane
        self._asked: set[str] = set()

    def label(self, name_map: NameMap, title: str) -> None:
        """Has the labels of a map found."""
        if name_map.info.content_hash not in self._asked:
            self._asked.add(name_map.info.content_hash)
            work = partial(label_map, self._shared.workspace, name_map)
            job = self._shared.jobs.add(tr("Labels of {map}", map=title), work, self._lane)
            job.succeeded.connect(self.labelled)
