"""Waiting in a window that is measured."""

from collections.abc import Callable

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

_LOOK = 5  # milliseconds after which it is looked again without an event


def wait_until(application: QApplication, is_done: Callable[[], bool]) -> None:
    """Handle events until something is so, and sleep between them.

    A loop that looks on and on takes the time that the window's other threads need, and on a busy
    machine the system lets it wait for others then.
    """
    clock = QTimer()
    clock.start(_LOOK)
    flags = QEventLoop.ProcessEventsFlag
    while not is_done():
        application.processEvents(flags.AllEvents | flags.WaitForMoreEvents)
