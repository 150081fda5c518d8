"""The row over a map in a small window: what it offers can be read."""

import pytest
from pytestqt.qtbot import QtBot
from toy_window import show

from termexplorer.desk import WindowController
from termexplorer.views.map.head import MapHead

_AROUND = 12  # pixels of a line of text, at least, beside its text


def assert_readable(head: MapHead) -> None:
    room = head.filter.width() - _AROUND
    assert head.filter.fontMetrics().horizontalAdvance(head.filter.placeholderText()) <= room
    for row in range(head.tool.count()):
        head.tool.setCurrentIndex(row)
        assert head.tool.shown_text == head.tool.currentText()


@pytest.mark.usefixtures("german")
def test_the_choices_over_a_map_are_whole_in_german(qtbot: QtBot, desk: WindowController) -> None:
    desk.window.resize(1024, 700)
    head = show(desk, "map").area.head
    qtbot.waitUntil(head.isVisible)
    assert_readable(head)
    assert desk.window.width() == 1024


def test_the_choices_over_a_map_are_whole(qtbot: QtBot, desk: WindowController) -> None:
    desk.window.resize(1024, 700)
    head = show(desk, "map").area.head
    qtbot.waitUntil(head.isVisible)
    assert_readable(head)
