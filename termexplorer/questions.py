"""Questions: short reads that must not hold up the window; only the latest one is answered."""

import logging
import queue
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication

from termexplorer.errors import UserError

_log = logging.getLogger(__name__)
_POPUP_MS = 100  # until it is looked again whether a menu or a choice is open


@dataclass(frozen=True, slots=True)
class _Answer:
    number: int
    result: object
    error: str
    cause: Exception | None = None


class LatestQueryWorker(QObject):
    """Answers questions in a thread of its own, one after the other.

    A question that is overtaken by a later one is dropped: not computed if it has not begun, and
    its answer not told if it has. No answer is told while a menu or the list of a choice is open:
    it might fill anew what is under the pointer.

    Signals:
        answered: what the latest question's function returned.
        failed: one line for people.

    Attributes:
        cause: of the failure that was told last.
    """

    answered = Signal(object)
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.cause: Exception | None = None
        self._latest = 0
        self._thread = _Thread()
        self._thread.done.connect(self._on_done)
        self._thread.start(QThread.Priority.HighPriority)

    def ask(self, function: Callable[[], object]) -> None:
        """Has `function` called in the other thread."""
        self._latest += 1
        self._thread.put(self._latest, function)

    def forget(self) -> None:
        """Drops the answer to what was asked."""
        self._latest += 1

    def close(self) -> None:
        """Waits for the answer under way, then ends the thread."""
        self._latest += 1
        self._thread.end()

    @Slot(object)
    def _on_done(self, answer: _Answer) -> None:
        if answer.number != self._latest:
            return
        if QApplication.activePopupWidget() is not None:
            QTimer.singleShot(_POPUP_MS, self, partial(self._on_done, answer))
        elif answer.error:
            self.cause = answer.cause
            self.failed.emit(answer.error)
        else:
            self.answered.emit(answer.result)


class _Thread(QThread):
    done = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._newest: tuple[int, Callable[[], object]] | None = None
        self._lock = threading.Lock()
        self._bell: queue.SimpleQueue[bool] = queue.SimpleQueue()

    def put(self, number: int, function: Callable[[], object]) -> None:
        with self._lock:
            self._newest = (number, function)
        self._bell.put(True)

    def end(self) -> None:
        self._bell.put(False)
        self.wait()

    def run(self) -> None:
        while self._bell.get():
            with self._lock:
                newest, self._newest = self._newest, None
            if newest is not None:
                self.done.emit(_call_function(*newest))


def _call_function(number: int, function: Callable[[], object]) -> _Answer:
    try:
        return _Answer(number, function(), "")
    except UserError as error:
        return _Answer(number, None, str(error), error)
    except Exception as error:
        _log.error("%s", traceback.format_exc())
        return _Answer(number, None, f"{type(error).__name__}: {error}", error)
