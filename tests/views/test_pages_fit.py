"""Every page fits a small screen, and with large text what has no room is scrolled to."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from toy_window import show
from window_walk import PAGES

from termexplorer.desk import WindowController
from termexplorer.views.help.panel import HelpPanel
from termexplorer.views.widgets.elided_label import ElidedLabel
from termexplorer.views.widgets.plots import Plot


@pytest.fixture
def desk(open_desk: Callable[[Path], WindowController], folder: Path) -> WindowController:
    return open_desk(folder)


@pytest.mark.parametrize("size", [(1024, 700), (1280, 770)])
@pytest.mark.usefixtures("german")
def test_each_page_is_whole_in_a_small_window(
    desk: WindowController, size: tuple[int, int]
) -> None:
    desk.window.resize(*size)
    for key in PAGES:
        page = show(desk, key)
        assert (desk.window.width(), desk.window.height()) == size, key
        assert page.minimumSizeHint().width() <= page.width(), key
        assert page.minimumSizeHint().height() <= page.height(), key


@pytest.mark.usefixtures("german")
def test_large_text_makes_no_page_wider_than_the_window(desk: WindowController) -> None:
    desk.shared.theme.use(desk.shared.theme.scheme, 1.5)
    desk.window.resize(1280, 770)
    for key in PAGES:
        page = show(desk, key)
        assert desk.window.width() == 1280, key
        assert page.minimumSizeHint().width() <= page.width() == desk.window.stack.width(), key


def test_with_the_largest_text_what_has_no_room_is_scrolled_to(
    qtbot: QtBot, desk: WindowController
) -> None:
    desk.shared.theme.use(desk.shared.theme.scheme, 2.0)
    desk.window.resize(1024, 700)
    for key in PAGES:
        page = show(desk, key)
        assert (desk.window.width(), desk.window.height()) == (1024, 700), key
        qtbot.waitUntil(lambda p=page: p.minimumSizeHint().width() <= p.width())


@pytest.mark.parametrize("size", [(1024, 700), (1280, 770)])
@pytest.mark.usefixtures("german")
def test_titles_of_help_topics_and_axes_are_never_cut(
    qtbot: QtBot, desk: WindowController, size: tuple[int, int]
) -> None:
    desk.window.resize(*size)
    topics = HelpPanel("explore", PAGES, desk.window)
    topics.resize(size[0] - 100, size[1] - 100)
    topics.show()
    qtbot.waitUntil(topics.list.isVisible)
    assert topics.list.sizeHintForColumn(0) > 0
    room = topics.list.viewport().width()
    metrics = topics.list.fontMetrics()
    for row in range(topics.list.count()):
        item = topics.list.item(row)
        rect = topics.list.visualItemRect(item)
        assert rect.width() <= room, item.text()
        lines = metrics.boundingRect(0, 0, room - 16, 999, Qt.TextFlag.TextWordWrap, item.text())
        assert rect.height() >= lines.height(), item.text()
    topics.close()

    plot = Plot(desk.shared.theme, "Sizes", bottom="k", left="Bezeichnungen je Klasse " * 3)
    qtbot.addWidget(plot)
    plot.resize(300, 120)
    plot.show()
    axis = plot.item.getAxis("left")
    qtbot.waitUntil(lambda: axis.label.boundingRect().width() <= axis.size().height())
    plot.resize(300, 1000)
    qtbot.waitUntil(lambda: "…" not in axis.label.toPlainText())


def test_a_text_of_which_nothing_can_be_read_is_not_shown(qtbot: QtBot) -> None:
    label = ElidedLabel("Building the neighbour index", least=12)
    qtbot.addWidget(label)
    label.resize(60, 20)
    assert label.shown == ""
    assert label.toolTip() == "Building the neighbour index"
    label.resize(150, 20)
    assert len(label.shown) >= 12
