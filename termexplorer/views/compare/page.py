"""The Compare page: encoders beside each other, mention by mention."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from termexplorer.views.compare.encoder_desk import EncoderDesk
from termexplorer.views.window.page import PageWidget, Shared


class ComparePage(PageWidget):
    """What encoders rank differently, and who wins."""

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.encoders = EncoderDesk(shared)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.encoders)

    def close_page(self) -> None:
        """Keep what is chosen, and end the threads."""
        self.encoders.close_part()

    def entrance(self) -> QWidget:
        """Return the first choice."""
        return self.encoders.entrance()
