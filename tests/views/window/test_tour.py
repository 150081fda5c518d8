"""The tour points at parts that are there, is gone through by keys, and left at any step."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QRegion
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from termexplorer.desk import WindowController
from termexplorer.views.window.tour import Tour

SIZES = [(1024, 700), (1280, 770), (1440, 900)]


def begun(qtbot: QtBot, desk: WindowController) -> Tour:
    desk.window.activateWindow()
    qtbot.waitUntil(desk.window.isActiveWindow)
    desk.window.start_tour()
    return desk.window.tour


def press(qtbot: QtBot, key: Qt.Key) -> None:
    """Presses a key where the keys go now."""
    focused = QApplication.focusWidget()
    assert focused is not None
    qtbot.keyClick(focused, key)


def seen_whole(tour: Tour, widget: QWidget) -> bool:
    """Whether a widget of the tour is within the window, and no mask cuts it."""
    rectangle = QRect(widget.mapTo(tour, QPoint(0, 0)), widget.size())
    return tour.rect().contains(rectangle) and (QRegion(rectangle) - tour.mask()).isEmpty()


def has_its_words(widget: QLabel | QPushButton) -> bool:
    """Whether all that a widget says has room in it."""
    needed = widget.heightForWidth(widget.width()) if widget.hasHeightForWidth() else 0
    width = 0 if needed > 0 else widget.minimumSizeHint().width()
    return widget.height() >= needed and widget.width() >= width


@pytest.mark.parametrize("zoom", [1.0, 2.0])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("empty", [True, False])
def test_each_card_is_whole_and_its_button_is_pressed_by_key(
    qtbot: QtBot,
    open_desk: Callable[[Path], WindowController],
    folder: Path,
    tmp_path: Path,
    size: tuple[int, int],
    zoom: float,
    empty: bool,
) -> None:
    desk = open_desk(tmp_path / "empty" if empty else folder)
    desk.shared.theme.use(desk.shared.theme.scheme, zoom)
    desk.window.resize(*size)
    tour = begun(qtbot, desk)
    titles = []
    card = tour.words
    for number in range(6):
        assert tour.isVisible()
        titles.append(card.title.text())
        assert seen_whole(tour, card)
        for part in (card.title, card.text, card.count, *card.buttons):
            assert seen_whole(tour, part)
            assert has_its_words(part)
        press(qtbot, Qt.Key.Key_Return if number % 2 else Qt.Key.Key_Space)
    assert len(set(titles)) == 6
    assert not tour.isVisible()


def test_what_a_step_points_at_can_be_pressed(qtbot: QtBot, desk: WindowController) -> None:
    tour = begun(qtbot, desk)
    for _ in range(6):
        target = tour._steps[tour._number].target
        assert target.isVisible()
        middle = target.mapTo(desk.window, target.rect().center())
        assert not tour.mask().contains(middle)
        tour.go_on()


def test_no_key_leads_behind_the_tour(qtbot: QtBot, desk: WindowController) -> None:
    tour = begun(qtbot, desk)
    first = tour.words.title.text()
    press(qtbot, Qt.Key.Key_Right)
    second = tour.words.title.text()
    assert second != first
    press(qtbot, Qt.Key.Key_Left)
    assert tour.words.title.text() == first
    for key in [Qt.Key.Key_Tab] * 4 + [Qt.Key.Key_Backtab] * 4:
        press(qtbot, key)
        focused = QApplication.focusWidget()
        assert focused is not None
        assert tour.isAncestorOf(focused)
    qtbot.mouseClick(tour, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))  # on what is shaded
    press(qtbot, Qt.Key.Key_Return)
    assert tour.words.title.text() == second


def test_back_keeps_the_keys_as_long_as_there_is_a_step_before(
    qtbot: QtBot, desk: WindowController
) -> None:
    tour = begun(qtbot, desk)
    for _ in range(2):
        press(qtbot, Qt.Key.Key_Right)
    tour.words.back.setFocus()
    press(qtbot, Qt.Key.Key_Return)
    assert tour.words.back.hasFocus()
    press(qtbot, Qt.Key.Key_Return)
    assert tour.words.next.hasFocus()


def test_it_is_left_with_esc_and_the_keys_come_back(qtbot: QtBot, desk: WindowController) -> None:
    desk.window.activateWindow()
    qtbot.waitUntil(desk.window.isActiveWindow)
    desk.window.top_bar.search.setFocus()
    tour = begun(qtbot, desk)
    tour.go_on()
    press(qtbot, Qt.Key.Key_Escape)
    assert not tour.isVisible()
    assert desk.window.top_bar.search.hasFocus()
