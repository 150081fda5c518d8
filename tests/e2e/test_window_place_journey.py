"""With --screen, windows that a window manager frames come back where they were, to the pixel."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from judging_windows import make_pack
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication, QMainWindow
from pytestqt.qtbot import QtBot
from toy_window import LONG
from x_bot import ScreenBot
from x_screen import Screen

from termexplorer.app import last_theme
from termexplorer.desk import WindowController, claimed
from termexplorer.judging_app import judging_window
from termexplorer.views.widgets.ui_state import UiState

Open = Callable[[], AbstractContextManager[QMainWindow]]
WORKSPACE = "workspace"


@pytest.fixture
def screen(qtbot: QtBot) -> Iterator[Screen]:
    """The screen, on which a window manager frames windows."""
    if not isinstance(qtbot, ScreenBot):
        pytest.skip("no --screen")
    assert shutil.which("openbox"), "no openbox: packaging/setup.sh --dev installs it"
    manager = subprocess.Popen(["openbox"], env=qtbot.screen.environment)
    yield qtbot.screen
    manager.terminate()
    manager.wait()


@pytest.fixture(params=["program", "judging alone"])
def open_window(request: pytest.FixtureRequest, qapp: QApplication, tmp_path: Path) -> Open:
    """What opens a window as it was left, and closes it."""
    settings = tmp_path / "settings"
    if request.param == "program":
        return lambda: program_window(qapp, tmp_path / WORKSPACE, settings)
    pack = make_pack(tmp_path)
    return lambda: judging_window(qapp, pack, tmp_path / WORKSPACE, settings)


@contextmanager
def program_window(
    application: QApplication, folder: Path, settings: Path
) -> Iterator[QMainWindow]:
    desk = WindowController(
        last_theme(application, UiState.of(folder, settings)), claimed(folder), settings
    )
    try:
        yield desk.window
    finally:
        desk.close()


def show(qtbot: QtBot, window: QMainWindow) -> QRect:
    """Shows a window, and returns its frame when the manager has drawn one."""
    window.show()
    qtbot.waitUntil(lambda: window.frameGeometry() != window.geometry(), timeout=LONG)
    return settled(qtbot, window)


def settled(qtbot: QtBot, window: QMainWindow) -> QRect:
    """The frame, when all that was asked of the manager before is done, and Qt knows of it."""
    seen: list[tuple[QRect, QRect]] = []

    def is_still() -> bool:
        seen.append((window.frameGeometry(), window.geometry()))
        return len(seen) > 10 and len(set(map(str, seen[-10:]))) == 1

    qtbot.waitUntil(is_still, timeout=LONG)
    return window.frameGeometry()


def place(qtbot: QtBot, screen: Screen, window: QMainWindow, to: QRect) -> QRect:
    """Moves and resizes a window as its manager does when a user drags it."""
    number = str(window.winId())
    window.setWindowState(Qt.WindowState.WindowNoState)
    settled(qtbot, window)
    screen.do("windowsize", number, str(to.width()), str(to.height()))
    qtbot.waitUntil(lambda: window.size() == to.size(), timeout=LONG)
    screen.do("windowmove", number, str(to.x()), str(to.y()))
    qtbot.waitUntil(lambda: window.geometry() == to, timeout=LONG)
    return settled(qtbot, window)


def room(window: QMainWindow) -> QRect:
    return window.screen().availableGeometry()


def test_a_window_comes_back_where_it_was_to_the_pixel(
    qtbot: QtBot, screen: Screen, open_window: Open
) -> None:
    with open_window() as window:
        assert room(window).contains(show(qtbot, window))
        left = place(qtbot, screen, window, QRect(101, 23, 1201, 807))
    with open_window() as window:
        assert show(qtbot, window) == left
    with open_window() as window:  # it does not creep
        assert show(qtbot, window) == left
        window.showMaximized()
        qtbot.waitUntil(window.isMaximized, timeout=LONG)
        settled(qtbot, window)
    with open_window() as window:
        show(qtbot, window)
        assert window.isMaximized()
        window.showNormal()
        qtbot.waitUntil(lambda: not window.isMaximized(), timeout=LONG)
        assert settled(qtbot, window) == left


def test_a_window_that_was_partly_outside_comes_back_with_all_of_its_frame(
    qtbot: QtBot, screen: Screen, open_window: Open
) -> None:
    with open_window() as window:
        show(qtbot, window)
        place(qtbot, screen, window, QRect(300, 200, 1201, 807))
    with open_window() as window:
        frame = show(qtbot, window)
        assert window.size().toTuple() == (1201, 807)
        assert frame.bottomRight() == room(window).bottomRight()
        left = place(qtbot, screen, window, QRect(-200, -100, 1201, 807))
        assert left.x() < 0 > left.y()
    with open_window() as window:
        assert show(qtbot, window).topLeft() == room(window).topLeft()
