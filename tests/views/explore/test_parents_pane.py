"""The tab that says where a term would belong: asked by a button, answered by a job."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from toy_window import LONG, open_page

from termexplorer.desk import WindowController

OpenDesk = Callable[[Path], WindowController]
_PARENTS = 3


def test_a_typed_term_is_placed_when_that_is_asked(
    qtbot: QtBot, open_desk: OpenDesk, toy: Path, tmp_path: Path
) -> None:
    _, page = open_page(open_desk, toy, tmp_path, "explore")
    area = page.rankings
    qtbot.waitUntil(lambda: bool(area.encoders.ids), timeout=LONG)
    area.tabs.setCurrentIndex(_PARENTS)
    pane = area.parents
    assert pane is not None
    area.pane.line.setText("")
    assert not pane.ask.isEnabled()
    area.pane.line.setText("sudden viral pneumonia")
    assert pane.ask.isEnabled()
    qtbot.mouseClick(pane.ask, Qt.MouseButton.LeftButton)
    assert not pane.ask.isEnabled()
    qtbot.waitUntil(lambda: bool(pane.model.rows), timeout=LONG)
    assert pane.ask.isEnabled()
    _, header, rows = pane.answer_table()
    assert [row[:2] for row in rows[:2]] == [
        ["sudden viral pneumonia", 1],
        ["sudden viral pneumonia", 2],
    ]
    chances = [row[header.index("probability")] for row in rows]
    assert chances == sorted(chances, reverse=True)
    shown = [row[2:] for row in pane.model.rows]
    assert shown == [row[3:] for row in rows]
    pane.table.activated.emit(pane.model.index(0, 0))
    wanted = rows[0][header.index("concept")]
    qtbot.waitUntil(
        lambda: area._page is not None and area._page.concept.curie == wanted, timeout=LONG
    )
    pane.ask.click()  # what was found for another term is not shown under this one
    assert not pane.model.rows
    assert not pane.export.isEnabled()
