"""Notices with buttons stay until they are acted on, whatever is told after them."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from termexplorer.views.widgets.notices import Notice, NoticePanel, Notices
from termexplorer.views.widgets.theme import Theme


@pytest.fixture
def notices() -> Notices:
    return Notices()


@pytest.fixture
def panel(qtbot: QtBot, notices: Notices) -> NoticePanel:
    panel = NoticePanel(notices, Theme(QApplication.instance()))
    qtbot.addWidget(panel)
    return panel


def texts(panel: NoticePanel) -> set[str]:
    """Return what its labels show."""
    return {child.text() for child in panel.findChildren(QLabel) if not child.isHidden()}


def press(panel: NoticePanel, label: str) -> None:
    """Press the button that has a label."""
    (button,) = [child for child in panel.findChildren(QPushButton) if child.text() == label]
    assert not button.isHidden()
    button.click()


def test_a_notice_with_a_button_comes_back_when_what_followed_was_read(
    notices: Notices, panel: NoticePanel
) -> None:
    done: list[str] = []
    notices.error("not kept", "Try again", lambda: done.append("again"))
    notices.error("no such list")
    notices.tell("a file is there", "Open", lambda: done.append("open"))
    assert panel.text == "a file is there"
    press(panel, "Open")
    assert panel.text == "not kept"
    press(panel, "Try again")
    assert panel.isHidden()
    assert done == ["open", "again"]


def test_what_is_told_again_is_there_once(notices: Notices, panel: NoticePanel) -> None:
    for _ in range(2):
        notices.error("not kept", "Try again", lambda: None)
        notices.error("no such list")
    panel.dismiss()
    assert panel.text == "not kept"
    panel.dismiss()
    assert panel.isHidden()


def test_an_outdated_notice_goes_wherever_it_is(notices: Notices, panel: NoticePanel) -> None:
    first, second = (Notice(text, True, "Do it", lambda: None) for text in ("first", "second"))
    for notice in (first, second):
        notices.notice_shown.emit(notice)
    notices.outdated.emit(first, None)
    assert panel.text == "second"
    panel.dismiss()
    assert panel.isHidden()
    for notice in (first, second):
        notices.notice_shown.emit(notice)
    notices.outdated.emit(first, Notice("third"))
    notices.outdated.emit(second, None)
    assert panel.text == "third"


def test_the_number_of_notices_below_is_told(notices: Notices, panel: NoticePanel) -> None:
    for text in ("first", "second", "third"):
        notices.error(text, "Do it", lambda: None)
    assert texts(panel) >= {"third", "2 more messages"}
    panel.dismiss()
    assert texts(panel) >= {"second", "1 more message"}
    panel.dismiss()
    assert not {own_text for own_text in texts(panel) if "more" in own_text}


def test_a_notice_makes_way_for_the_buttons_of_another_page(
    qtbot: QtBot, notices: Notices, panel: NoticePanel
) -> None:
    around, pages = QWidget(), QStackedWidget()
    qtbot.addWidget(around)
    around.resize(1000, 600)
    QVBoxLayout(around).addWidget(pages)
    button = QPushButton("Carry over")
    for page, widget in ((QWidget(), QLineEdit()), (QWidget(), button)):
        column = QVBoxLayout(page)
        column.addStretch(1)
        column.addWidget(widget, alignment=Qt.AlignmentFlag.AlignRight)
        pages.addWidget(page)
    panel.lie_over(around)
    around.show()
    qtbot.waitExposed(around)
    around.activateWindow()
    notices.tell("Imported", "Undo", lambda: None)
    before = panel.geometry()
    pages.setCurrentIndex(1)
    button.setFocus()

    def lies_apart() -> bool:
        covered = QRect(button.mapTo(around, QPoint()), button.size())
        return not panel.geometry().intersects(covered)

    qtbot.waitUntil(lies_apart)
    assert panel.geometry() != before
