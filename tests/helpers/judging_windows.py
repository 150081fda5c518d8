"""Windows in which pairs are judged, in tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from toy_studies import ANNA, make, opened, sent
from toy_window import LONG

from termexplorer.judging_app import judging_window
from termexplorer.views.judging.answer_guard import PAUSE_KEY
from termexplorer.views.judging.screen import JudgingScreen
from termexplorer.views.widgets.ui_state import UiState

NONE = Qt.KeyboardModifier.NoModifier


def make_pack(folder: Path, annotator: str = ANNA, **changes: Any) -> Path:
    """The pack of an annotator of a toy study; its author's workspace is beside it."""
    with opened(folder / "author") as author:
        make(author, **changes)
        return sent(author, 1, annotator, folder)


@contextmanager
def judging(application: QApplication, pack: Path, folder: Path) -> Iterator[JudgingScreen]:
    """The screen on a pack, in a window of its own, with a workspace in a folder; no pause."""
    set_pause(folder, 0)
    with judging_window(application, pack, folder / "clinic", folder / "settings") as window:
        window.resize(1280, 800)
        window.show()
        yield window.judging


def set_pause(folder: Path, milliseconds: int) -> None:
    """For how long a pair has to be on show before an answer to it counts."""
    session = UiState.of(folder / "clinic", folder / "settings")
    session.keep_look(PAUSE_KEY, str(milliseconds))
    session.sync()


def press(
    qtbot: QtBot, screen: JudgingScreen, key: Qt.Key | str, held: Qt.KeyboardModifier = NONE
) -> None:
    """A key, and all that comes of it."""
    window = screen.window()
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is not None, timeout=LONG)
    qtbot.keyClick(window.focusWidget(), key, held)
    settle(qtbot, screen)


def settle(qtbot: QtBot, screen: JudgingScreen) -> None:
    """Waits until nothing is on its way to the disk, and what is asked can be seen."""

    def settled() -> bool:
        hidden = not screen.pair.isVisible()
        return not screen.writer.writing and (hidden or screen.pair.cards.seen)

    qtbot.waitUntil(settled, timeout=LONG)


def terms(screen: JudgingScreen) -> tuple[str, str]:
    """The pair on show."""
    assert screen.pair.isVisible()
    return screen.pair.cards.left.text(), screen.pair.cards.right.text()
