"""The menus: every command of the window, once, with its keys."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from termexplorer.texts import tr, translated
from termexplorer.views.widgets.focus import go_to_part
from termexplorer.views.widgets.keys import shown_keys
from termexplorer.views.widgets.plain_label import plain_action
from termexplorer.views.widgets.theme import Theme
from termexplorer.views.window.page import Page
from termexplorer.views.window.rail import theme_menu
from termexplorer.workspace import recent


class Commands(QObject):
    """Makes the menus of a window.

    Signals:
        page_wanted: the number of a page.
        workspace_wanted: a recent workspace's folder.
    """

    page_wanted = Signal(int)
    workspace_wanted = Signal(object)

    def __init__(self, window: QMainWindow, theme: Theme) -> None:
        super().__init__(window)
        self._window = window
        self._theme = theme
        self.all: list[QAction] = []
        self._recent = QMenu(tr("&Recent workspaces"), window)
        self._recent.aboutToShow.connect(self._fill_recent)

    def action(self, text: str, keys: str, act: Callable[[], object]) -> QAction:
        """A command with its keys, known to the command palette."""
        action = QAction(text, self._window)
        if keys:
            action.setShortcuts([QKeySequence(key) for key in keys.split("|")])
            action.setToolTip(f"{_plain_title(text)} ({shown_keys(keys.split('|')[0])})")
        action.triggered.connect(act)
        self.all.append(action)
        return action

    def menu(self, title: str, *entries: QAction | QMenu | None) -> None:
        """Adds a menu; None is a line between groups."""
        menu = self._window.menuBar().addMenu(title)
        for entry in entries:
            if entry is None:
                menu.addSeparator()
            elif isinstance(entry, QMenu):
                menu.addMenu(entry)
                for action in entry.actions():
                    action.setIconText(
                        f"{_plain_title(entry.title())}: {_plain_title(action.text())}"
                    )
                self.all += entry.actions()
            else:
                menu.addAction(entry)

    @property
    def all_now(self) -> list[QAction]:
        """All commands, with a workspace that was open before each."""
        self._fill_recent()
        return [*self.all, *self._recent.actions()]

    def recent_menu(self) -> QMenu:
        """The menu of recent workspaces, read when it opens."""
        return self._recent

    def theme_menu(self) -> QMenu:
        """The menu of themes."""
        return theme_menu(self._theme, self._window)

    def page_actions(self, pages: Sequence[Page]) -> list[QAction]:
        """One command for each page, by its keys; and for the parts of the window."""
        actions = []
        for number, page in enumerate(pages):
            action = self.action(translated(page.title), page.shortcut, self._on_page)
            action.setData(number)
            actions.append(action)
        for text, keys, step in ((tr("&Next part"), "F6", 1), (tr("Part &before"), "Shift+F6", -1)):
            actions.append(self.action(text, keys, partial(go_to_part, self._window, step)))
        return actions

    @Slot()
    def _on_page(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.page_wanted.emit(action.data())

    @Slot()
    def _fill_recent(self) -> None:
        self._recent.clear()
        for folder in recent():
            action = plain_action(str(folder), self._recent)
            self._recent.addAction(action)
            action.setIconText(tr("Open workspace {folder}", folder=folder))
            action.setData(str(folder))
            action.triggered.connect(self._on_recent)
        if self._recent.isEmpty():
            self._recent.addAction(tr("None yet")).setEnabled(False)

    @Slot()
    def _on_recent(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.workspace_wanted.emit(Path(action.data()))


def _plain_title(text: str) -> str:
    return text.replace("&", "").rstrip("…")
