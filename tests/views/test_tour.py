"""The tour points at parts that are there, is gone through by keys, and left at any step."""

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from termexplorer.desk import Desk
from termexplorer.views.tour import Tour


def begun(desk: Desk) -> Tour:
    desk.window.show()
    desk.window.start_tour()
    return desk.window.tour


def test_five_steps_by_keys(qtbot: QtBot, desk: Desk) -> None:
    tour = begun(desk)
    titles = []
    for _ in range(5):
        assert tour.isVisible()
        titles.append(tour.words.title.text())
        target = tour._steps[tour._number].target
        assert target.isVisible()
        middle = target.mapTo(desk.window, target.rect().center())
        assert not tour.mask().contains(middle), "it can be pressed"
        assert tour.rect().contains(tour.words.geometry())
        assert tour.words.next.hasFocus()
        qtbot.keyClick(tour.words.next, Qt.Key.Key_Space)
    assert len(set(titles)) == 5
    assert not tour.isVisible()


def test_it_is_left_with_esc_and_the_keys_come_back(qtbot: QtBot, desk: Desk) -> None:
    desk.window.show()
    desk.window.top_bar.search.setFocus()
    before = desk.window.focusWidget()
    tour = begun(desk)
    tour.go_on()
    qtbot.keyClick(tour.words.next, Qt.Key.Key_Escape)
    assert not tour.isVisible()
    assert before is not None
