"""Pages of several parts, one of which is on show."""

from collections.abc import Mapping
from typing import Protocol

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from termexplorer.texts import translated
from termexplorer.views.widgets.ui_state import UiState
from termexplorer.views.window.page import PageWidget


class TabPart(Protocol):
    """A widget on a tab."""

    def close_part(self) -> None:
        """Keeps what is chosen and ends the threads."""

    def entrance(self) -> QWidget:
        """What the keys go to first."""


class TabbedPage(PageWidget):
    """Tabs; the one that was looked at last comes back.

    Args:
        session: keeps it.
        key: under which it is kept.
        name: of the tabs, for screen readers.
        parts: widgets by their titles, as `mark` gives them, each with what `TabPart` has; tabs
            may share one.
    """

    def __init__(
        self,
        session: UiState,
        key: str,
        name: str,
        parts: Mapping[str, QWidget],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._key = session, key
        self._parts = parts
        self.tabs = QTabBar(drawBase=False, expanding=False)
        self.tabs.setAccessibleName(name)
        self._stack = QStackedWidget()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tabs)
        column.addWidget(self._stack, 1)
        for title in parts:
            self.tabs.addTab(translated(title))
        for part in dict.fromkeys(parts.values()):
            self._stack.addWidget(part)
        self.tabs.currentChanged.connect(self._on_tab)
        self.show_part(session.place(key))

    def show_part(self, title: str) -> None:
        """Shows a part; the first, if there is none of that title."""
        titles = list(self._parts)
        self.tabs.setCurrentIndex(titles.index(title) if title in titles else 0)

    def close_page(self) -> None:
        """Keeps the tab and what is chosen, and ends the threads."""
        self._session.keep_place(self._key, list(self._parts)[self.tabs.currentIndex()])
        for part in dict.fromkeys(self._parts.values()):
            _as_part(part).close_part()

    def entrance(self) -> QWidget:
        """The first choice of the tab on show."""
        return _as_part(self._stack.currentWidget()).entrance()

    @Slot(int)
    def _on_tab(self, tab: int) -> None:
        self._stack.setCurrentWidget(list(self._parts.values())[tab])


def _as_part(widget: QWidget | None) -> TabPart:
    return widget  # type: ignore[return-value] # what the constructor was given
