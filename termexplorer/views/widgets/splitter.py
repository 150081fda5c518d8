"""Parts of a page that share its room as the user left them."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QWidget

from termexplorer.views.widgets.ui_state import UiState


class KeptSplitter(QSplitter):
    """A splitter whose sizes come back on the next start.

    Args:
        session: keeps the sizes.
        key: under which they are kept.
        orientation: how the parts stand.
    """

    def __init__(self, session: UiState, key: str, orientation: Qt.Orientation) -> None:
        super().__init__(orientation)
        self._session, self._key = session, key

    def fill(self, sizes: tuple[int, ...], *parts: QWidget) -> None:
        """Takes its parts, with the sizes that were kept, or else these, in pixels."""
        for part in parts:
            self.addWidget(part)
        self.setChildrenCollapsible(False)
        self.setHandleWidth(1)
        if not self._session.restore_state(self._key, self):
            self.setSizes(list(sizes))

    def keep(self) -> None:
        """Keeps the sizes."""
        self._session.keep_state(self._key, self)
