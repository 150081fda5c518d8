"""What the command palette offers besides the menus: tabs of all pages, and buttons on show."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QPushButton, QWidget

from termexplorer.texts import translated
from termexplorer.views.widgets.keys import shown_keys
from termexplorer.views.window.command_palette import PaletteCommand
from termexplorer.views.window.page import Page, PageWidget
from termexplorer.views.window.window_tabs import show_tab_named, tabs_of


def menu_commands(actions: Sequence[QAction]) -> Iterator[PaletteCommand]:
    """Yield what menus offer now."""
    for action in actions:
        if action.isEnabled() and action.text():
            keys = shown_keys(action.shortcut().toString())
            yield PaletteCommand(action.iconText(), keys, action.trigger)


def tab_commands(
    pages: Sequence[Page], made_pages: Mapping[int, PageWidget], show: Callable[[int], PageWidget]
) -> Iterator[PaletteCommand]:
    """Yield one command for each tab of each page, made or not."""
    for number, page in enumerate(pages):
        titles = [translated(title) for title in page.tabs]
        if number in made_pages:
            titles = [bar.tabText(index) for bar, index in tabs_of(made_pages[number].whole())]
        for title in titles:
            yield PaletteCommand(
                f"{translated(page.title)}: {title}", "", partial(_go_to_tab, show, number, title)
            )


def button_commands(shown: QWidget) -> Iterator[PaletteCommand]:
    """Yield the buttons that can be pressed on what is on show."""
    for button in shown.findChildren(QPushButton):
        text = button.text().replace("&", "").rstrip("…")
        if text and button.isVisible() and button.isEnabled():
            yield PaletteCommand(text, "", button.click)


def _go_to_tab(show: Callable[[int], PageWidget], number: int, title: str) -> None:
    show_tab_named(show(number).whole(), title)
