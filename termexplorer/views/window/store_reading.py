"""Reading what a page shows from the store, no more often than it has to be."""

from collections.abc import Callable

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from termexplorer.questions import LatestQueryWorker
from termexplorer.views.window.page import Shared


class StoreReading(LatestQueryWorker):
    """Reads when a widget comes on show, and when anybody wrote while it is.

    Args:
        shared: tells of writes, and is told of errors.
        shown: the widget.
        question: gives what is to be read, as things are now.
    """

    def __init__(
        self, shared: Shared, shown: QWidget, question: Callable[[], Callable[[], object]]
    ) -> None:
        super().__init__(shown)
        self._shown, self._question = shown, question
        self._stale = True
        self.failed.connect(shared.notices.error)
        shared.watch.changed.connect(self.renew)

    def look(self) -> None:
        """Reads, if that was not done since the last write; for when the widget is shown."""
        if self._stale:
            self._stale = False
            self.ask(self._question())

    @Slot()
    def renew(self) -> None:
        """Reads anew: now, or when the widget comes on show."""
        self._stale = True
        if self._shown.isVisible():
            self.look()
