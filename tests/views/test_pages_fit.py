"""Every page fits a small screen, and with large text what has no room is scrolled to."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from toy_window import show
from window_walk import PAGES

from termexplorer.desk import WindowController


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
