"""Walks through a window: its pages with their tabs, and what buttons and menus open."""

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias, TypeVar

from PySide6.QtWidgets import QAbstractButton, QTabBar, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from termexplorer.desk import WindowController
from termexplorer.views import pages

PAGES = tuple(page.key for page in pages.PAGES)
_COMMANDS = ("Import…", "Remove ontology…", "Command palette…", "Help on", "Keyboard", "About")
Seen = TypeVar("Seen")
Look: TypeAlias = Callable[[QWidget], Iterator[Seen]]
"""Yields what is to be known of a widget and all that is in it."""


def walk_page(qtbot: QtBot, desk: WindowController, look: Look[Seen]) -> Iterator[Seen]:
    """What a page shows on each of its tabs, and behind each button that opens something."""
    number = desk.window._current
    widget = desk.window.stack.currentWidget()
    for tab in tabs(widget):
        tab()
        qtbot.wait(150)
        yield from look(desk.window.stack)
        for button in openers(desk.window.stack.currentWidget()):
            if isValid(button) and button.isVisible() and button.isEnabled():
                button.click()
                qtbot.wait(150)
                yield from look(desk.window.stack)
                desk.window.show_page(number)


def tabs(widget: Any) -> list[Callable[[], None]]:
    """What shows each tab of a page."""
    bars = [bar for bar in widget.findChildren(QTabBar) if bar.isVisible()]
    shows = [
        lambda bar=bar, number=number: bar.setCurrentIndex(number)
        for bar in bars
        for number in range(bar.count())
    ]
    return shows or [lambda: None]


def openers(widget: Any) -> list[QAbstractButton]:
    """Buttons that open something, by the three dots in their text."""
    return [child for child in widget.findChildren(QAbstractButton) if "…" in child.text()]


def walk_frame(qtbot: QtBot, desk: WindowController, look: Look[Seen]) -> Iterator[Seen]:
    """Menus, bars and rail, and the panels that they open."""
    for action in desk.window.commands.all:
        plain = action.text().replace("&", "").strip("⟦⟧")
        if plain.startswith(_COMMANDS):
            action.trigger()
            qtbot.wait(150)
            yield from look(desk.window)
            desk.window.show_page(0)
    desk.window.start_tour()
    for _ in range(6):
        yield from look(desk.window.tour)
        desk.window.tour.go_on()
