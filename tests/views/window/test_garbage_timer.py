"""Python's garbage is looked for by the window's own timer, and by Python again at the end."""

import gc
import weakref

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from termexplorer.app import collect_quietly


class Node:
    """Refers to itself, so that only a search finds it when nobody has it any more."""

    def __init__(self) -> None:
        self.me = self


def test_cycles_go_while_the_window_shows_though_python_looks_for_none(qtbot: QtBot) -> None:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    with collect_quietly(application):
        assert not gc.isenabled()
        young = weakref.ref(Node())
        qtbot.waitUntil(lambda: young() is None)
        old = weakref.ref(Node())
        application.applicationStateChanged.emit(Qt.ApplicationState.ApplicationInactive)
        assert old() is None
    assert gc.isenabled()
