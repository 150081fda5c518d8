"""The watch over the store: it ends with its window, and leaves open menus alone."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QComboBox, QMenu, QWidget
from pytestqt.qtbot import QtBot
from toy_ontology import toy_obo
from toy_window import LONG, show
from toy_workspace import load

from termexplorer.desk import WindowController
from termexplorer.questions import LatestQueryWorker


def test_a_job_that_ends_after_the_window_finds_a_watch_that_looks_no_more(
    desk: WindowController,
) -> None:
    seen: list[bool] = []
    desk.shared.watch.changed.connect(lambda: seen.append(True))
    desk.shared.watch.look()
    assert seen == [True]
    desk.close()
    desk.shared.watch.look()
    assert seen == [True]


@pytest.fixture
def another_release(tmp_path: Path) -> Path:
    """A release that is imported while something is open."""
    path = tmp_path / "newer.obo"
    path.write_text(toy_obo().replace("2026-01-01", "2026-07-01"), encoding="utf-8")
    return path


@pytest.mark.parametrize("part", ["the ontology on show", "ontologies that are ranked"])
def test_what_is_open_is_filled_anew_when_it_closes(
    qtbot: QtBot, desk: WindowController, another_release: Path, part: str
) -> None:
    box = desk.window.top_bar.ontology
    menu = show(desk, "explore").rankings.among.ontologies.menu()
    qtbot.waitUntil(lambda: bool(menu.actions()), timeout=LONG)
    opened = box.view() if part == "the ontology on show" else menu
    before = rows_of(box), rows_of(menu)
    open_popup(box if opened is not menu else menu)
    load(desk.shared.workspace, another_release)
    desk.shared.watch.look()
    assert (rows_of(box), rows_of(menu)) == before
    assert opened.isVisible()
    opened.window().close()
    desk.shared.watch.look()
    qtbot.waitUntil(lambda: (len(rows_of(box)), len(rows_of(menu))) == (2, 2), timeout=LONG)


def test_an_answer_waits_until_a_choice_is_closed(qtbot: QtBot) -> None:
    parent, answers, read = QWidget(), [], []
    qtbot.addWidget(parent)
    questions, box = LatestQueryWorker(parent), QComboBox(parent)
    questions.answered.connect(answers.append)
    box.addItems(["one", "two"])
    parent.show()
    box.showPopup()
    questions.ask(lambda: read.append(True))
    qtbot.waitUntil(lambda: bool(read), timeout=LONG)
    QApplication.processEvents()
    assert not answers
    box.hidePopup()
    qtbot.waitUntil(lambda: answers == [None], timeout=LONG)
    questions.close()


def rows_of(offered: QComboBox | QMenu) -> list[str]:
    if isinstance(offered, QMenu):
        return [action.text() for action in offered.actions()]
    return [offered.itemText(row) for row in range(offered.count())]


def open_popup(offered: QComboBox | QMenu) -> None:
    if isinstance(offered, QMenu):
        offered.popup(QPoint(0, 0))
    else:
        offered.showPopup()
