"""Tells pages when anybody, this window included, wrote to the workspace."""

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication

from termexplorer.errors import UserError
from termexplorer.services.explore.browsing import ChangeWatch, watch_changes
from termexplorer.workspace import Workspace

_POLL_MS = 1000


class StoreWatch(QObject):
    """Looks each second whether the store was written to.

    While a menu or the list of a choice is open it does not look: what is told of might fill anew
    what is under the pointer.

    Signals:
        changed: it was.
    """

    changed = Signal()

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._watch: ChangeWatch | None = None
        self._closed = False
        self._read_only = workspace.read_only
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.look)
        self._timer.start(_POLL_MS)

    @Slot()
    def look(self) -> None:
        """Looks now."""
        if self._closed:
            return  # the last jobs end after it
        if QApplication.activePopupWidget() is not None:
            return
        if self._watch and self._read_only != self._workspace.read_only:  # it was opened anew
            self._watch.close()
            self._watch = None
        if self._watch is None:
            self._read_only = self._workspace.read_only
            try:
                self._watch = watch_changes(self._workspace)
            except UserError:
                return  # it is gone, which whoever reads or writes it is told
            self.changed.emit()  # whatever was written since the window read it
        elif self._watch.changed():
            self.changed.emit()

    def close(self) -> None:
        """Looks no more."""
        self._closed = True
        self._timer.stop()
        if self._watch:
            self._watch.close()
