"""With --screen a file is dragged onto the window from that of another program."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from toy_ontology import write_toy
from toy_window import LONG, desks
from x_bot import ScreenBot

from termexplorer.desk import WindowController
from termexplorer.views.importing.panel import ImportPanel

BESIDE = 1320  # pixels from the left, where the window has ended


@pytest.fixture
def desk(qapp: QApplication, tmp_path: Path) -> Iterator[WindowController]:
    with desks(qapp, tmp_path / "settings") as open_one:
        yield open_one(tmp_path / "workspace")


def test_a_file_that_another_program_offers_is_looked_into_and_stays_there(
    qtbot: QtBot, desk: WindowController, tmp_path: Path
) -> None:
    if not isinstance(qtbot, ScreenBot):
        pytest.skip("no --screen")
    screen, file = qtbot.screen, write_toy(tmp_path)
    desk.window.move(0, 0)
    qtbot.waitUntil(lambda: desk.window.windowHandle().isExposed() and not desk.window.x())
    box = desk.window.top_bar.search  # it takes words that fall on it, but no file
    box.setEnabled(True)
    point = box.mapToGlobal(box.rect().center())
    program = Path(__file__).with_name("drag_source.py")
    command = [sys.executable, str(program), str(file), str(BESIDE), "0"]
    other = subprocess.Popen(command, env=screen.environment, stdout=subprocess.PIPE, text=True)
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == "there\n"
        screen.do("mousemove", str(BESIDE + 40), "30", "mousedown", "1")
        for step in (8, 4, 2, 1, 0):
            screen.do("mousemove", str(point.x() + 70 * step), str(point.y() + 2 * step))
            qtbot.wait(100)
        screen.do("mouseup", "1")
        stack = desk.window.stack
        qtbot.waitUntil(lambda: isinstance(stack.currentWidget(), ImportPanel), timeout=LONG)
        panel = stack.currentWidget()
        assert isinstance(panel, ImportPanel)
        qtbot.waitUntil(panel.preview.isVisible, timeout=LONG)
        assert other.stdout.readline() == "CopyAction\n"
    finally:
        other.kill()
        other.communicate()
    assert panel.file_label.text() == "OBO: toy 2026-01-01"
    assert panel.preview.model().rowCount() > 10
