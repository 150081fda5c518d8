"""Nothing that was on show stays in the window once it is left."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot
from toy_window import open_page
from window_walk import PAGES, walk_frame, walk_page

from termexplorer.desk import WindowController

CHANGES = 200


def widgets() -> Counter[str]:
    """All widgets there are, by what they are and what they are in."""
    return Counter(
        f"{type(widget).__name__} {widget.objectName()} in {type(widget.parent()).__name__}"
        for widget in QApplication.allWidgets()
    )


def nothing_of(_widget: QWidget) -> list[str]:
    return []


def test_no_widget_stays_at_a_page_change(qtbot: QtBot, desk: WindowController) -> None:
    for number in range(len(PAGES)):
        desk.window.show_page(number)
    qtbot.wait(1)
    before = widgets()
    for number in range(CHANGES):
        desk.window.show_page(number % len(PAGES))
    assert widgets() - before == Counter()


def test_no_widget_stays_as_the_keys_go_on(qtbot: QtBot, desk: WindowController) -> None:
    desk.window.activateWindow()
    qtbot.waitUntil(desk.window.isActiveWindow)
    before = widgets()
    for number in range(CHANGES):
        desk.window.focusNextPrevChild(number % 3 > 0)
    assert widgets() - before == Counter()


@pytest.mark.parametrize(
    "key", ["frame", "explore", "evaluate", "compare", "map", "judge", "curate"]
)
def test_no_widget_of_a_panel_stays_when_it_is_left(
    key: str,
    qtbot: QtBot,
    open_desk: Callable[[Path], WindowController],
    trained: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, name, lambda *_: ("", ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([], ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: "")
    desk, _page = open_page(open_desk, trained, tmp_path, key if key in PAGES else "explore")
    walk = walk_frame if key == "frame" else walk_page

    def left() -> Counter[str]:
        list(walk(qtbot, desk, nothing_of))  # type: ignore[arg-type]
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        return widgets()

    left()  # what is made when it is first shown stays to be shown again
    before = left()
    assert left() - before == Counter()
