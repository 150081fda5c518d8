"""The Compare page: encoders mention by mention, and two releases of a terminology."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from termexplorer.views.encoder_desk import EncoderDesk
from termexplorer.views.page import PageWidget, Shared
from termexplorer.views.release_changes import ReleaseChanges

_KEY = "compare/tab"
_TITLES = ("Encoders", "Releases")


class ComparePage(PageWidget):
    """Two tabs; the one that was looked at last comes back."""

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = shared.session
        self.tabs = QTabBar(drawBase=False, expanding=False)
        self.tabs.setAccessibleName("What is compared")
        for title in _TITLES:
            self.tabs.addTab(title)
        self.encoders, self.releases = EncoderDesk(shared), ReleaseChanges(shared)
        self._stack = QStackedWidget()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tabs)
        column.addWidget(self._stack, 1)
        for part in (self.encoders, self.releases):
            self._stack.addWidget(part)
        self.tabs.currentChanged.connect(self._on_tab)
        kept = shared.session.place(_KEY)
        self.tabs.setCurrentIndex(_TITLES.index(kept) if kept in _TITLES else 0)

    def close_page(self) -> None:
        """Keeps the tab and what is chosen, and ends the threads."""
        self._session.keep_place(_KEY, _TITLES[self.tabs.currentIndex()])
        self.encoders.close_part()
        self.releases.close_part()

    def entrance(self) -> QWidget:
        """The first choice of the tab on show."""
        releases = self._stack.currentWidget() is self.releases
        return self.releases.entrance() if releases else self.encoders.entrance()

    @Slot(int)
    def _on_tab(self, tab: int) -> None:
        self._stack.setCurrentIndex(tab)
