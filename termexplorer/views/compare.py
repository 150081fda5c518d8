"""The Compare page: encoders, suggestions for curators, and two releases of a terminology."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from termexplorer.views.encoder_desk import EncoderDesk
from termexplorer.views.page import PageWidget, Shared
from termexplorer.views.release_changes import ReleaseChanges
from termexplorer.views.suggestions import Suggestions

_KEY = "compare/tab"
_TITLES = ("Encoders", "Suggestions", "Releases")


class ComparePage(PageWidget):
    """Tabs; the one that was looked at last comes back."""

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = shared.session
        self.tabs = QTabBar(drawBase=False, expanding=False)
        self.tabs.setAccessibleName("What is compared")
        for title in _TITLES:
            self.tabs.addTab(title)
        self.encoders, self.suggestions = EncoderDesk(shared), Suggestions(shared)
        self.releases = ReleaseChanges(shared)
        self._parts = (self.encoders, self.suggestions, self.releases)
        self._stack = QStackedWidget()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tabs)
        column.addWidget(self._stack, 1)
        for part in self._parts:
            self._stack.addWidget(part)
        self.tabs.currentChanged.connect(self._on_tab)
        kept = shared.session.place(_KEY)
        self.tabs.setCurrentIndex(_TITLES.index(kept) if kept in _TITLES else 0)

    def close_page(self) -> None:
        """Keeps the tab and what is chosen, and ends the threads."""
        self._session.keep_place(_KEY, _TITLES[self.tabs.currentIndex()])
        for part in self._parts:
            part.close_part()

    def entrance(self) -> QWidget:
        """The first choice of the tab on show."""
        return self._parts[self.tabs.currentIndex()].entrance()

    @Slot(int)
    def _on_tab(self, tab: int) -> None:
        self._stack.setCurrentIndex(tab)
