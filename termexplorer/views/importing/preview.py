"""Looks into a file in the background: its first concepts and what there is to choose."""

from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from termexplorer.questions import LatestQueryWorker
from termexplorer.services.importing.releases import ImportRequest, look_into
from termexplorer.workers.process.supervision import Cancelled, JobControl

_WAIT_MS = 400  # after the last change of a choice


class ImportPreview(QObject):
    """Answers for the latest request; a look that is overtaken ends at once.

    Signals:
        file_read: a `Look`.
        failed: one line for people.
    """

    file_read = Signal(object)
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._request: ImportRequest | None = None
        self._control = JobControl()
        self._questions = LatestQueryWorker(self)
        self._questions.answered.connect(self._on_answered)
        self._questions.failed.connect(self.failed)
        self._timer = QTimer(self, singleShot=True, interval=_WAIT_MS)
        self._timer.timeout.connect(self._ask)

    def look(self, request: ImportRequest, *, soon: bool = False) -> None:
        """Looks into a file; `soon` waits for further changes first."""
        self.forget()
        self._request = request
        if soon:
            self._timer.start()
        else:
            self._ask()

    def forget(self) -> None:
        """Drops what is under way."""
        self._timer.stop()
        self._control.cancel()
        self._questions.forget()

    def close(self) -> None:
        """Ends the look under way and the thread."""
        self.forget()
        self._questions.close()

    @Slot()
    def _ask(self) -> None:
        if self._request is not None:
            self._control = JobControl()
            self._questions.ask(partial(_look_or_none, self._request, self._control))

    @Slot(object)
    def _on_answered(self, look: object) -> None:
        if look is not None:
            self.file_read.emit(look)


def _look_or_none(request: ImportRequest, control: JobControl) -> object:
    try:
        return look_into(request, control)
    except Cancelled:
        return None
