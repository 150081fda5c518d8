"""A copy of the store each day that a window is open."""

from functools import partial

from PySide6.QtCore import QObject, QTimer, Slot

from termexplorer.questions import LatestQueryWorker
from termexplorer.views.window.page import Shared
from termexplorer.workspace import Workspace

_FIRST_MS, _AGAIN_MS = 60_000, 3_600_000  # what a start needs comes first


class DailyBackup(QObject):
    """Copies the store behind the window when its last automatic copy is a day old."""

    def __init__(self, shared: Shared, parent: QObject) -> None:
        super().__init__(parent)
        self._shared = shared
        self._questions = LatestQueryWorker(self)
        self._questions.answered.connect(self._on_copied)
        self._questions.failed.connect(shared.notices.error)
        self._timer = QTimer(self, interval=_FIRST_MS)
        self._timer.timeout.connect(self.copy_if_due)

    def begin(self) -> None:
        """Look after a minute, then each hour."""
        self._timer.start()

    def close(self) -> None:
        """Look no more."""
        self._timer.stop()
        self._questions.close()

    @Slot()
    def copy_if_due(self) -> None:
        """Copy the store in another thread, if a copy is due."""
        self._timer.setInterval(_AGAIN_MS)
        self._questions.ask(partial(_copy_store, self._shared.workspace))

    @Slot(object)
    def _on_copied(self, problem: str) -> None:
        if problem:
            self._shared.notices.error(problem)


def _copy_store(workspace: Workspace) -> str:
    from termexplorer.services.workspace.automatic_backups import (
        back_up_daily,  # brings in SQLAlchemy
    )

    return back_up_daily(workspace)
