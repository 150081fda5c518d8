"""The names of the pages are there at any height of the window."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from termexplorer.desk import WindowController
from termexplorer.views.pages import PAGES

UNDER_ICON = Qt.ToolButtonStyle.ToolButtonTextUnderIcon


def page_buttons(desk: WindowController) -> list[QToolButton]:
    buttons = [desk.window.rail.button(number) for number in range(len(PAGES))]
    return [button for button in buttons if isinstance(button, QToolButton)]


@pytest.mark.parametrize("zoom", [1.0, 2.0])
@pytest.mark.usefixtures("german")
def test_a_window_on_a_low_screen_has_the_names_without_icons(
    qtbot: QtBot, desk: WindowController, zoom: float
) -> None:
    desk.shared.theme.use(desk.shared.theme.scheme, zoom)
    desk.window.resize(960, 440 if zoom == 1 else 540)
    qtbot.waitUntil(lambda: desk.window.height() == (440 if zoom == 1 else 540))
    for button in page_buttons(desk):
        assert button.toolButtonStyle() != UNDER_ICON
        assert button.height() >= button.fontMetrics().height()
        assert desk.window.rail.rect().contains(button.geometry())
    desk.window.resize(1280, 1000)
    qtbot.waitUntil(lambda: page_buttons(desk)[0].toolButtonStyle() == UNDER_ICON)
    for button in page_buttons(desk):
        qtbot.waitUntil(lambda b=button: b.height() >= b.sizeHint().height())
