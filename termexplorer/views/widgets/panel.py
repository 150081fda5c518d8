"""A panel: something that takes the place of a page for a while, with a title and a way out."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from termexplorer.texts import tr
from termexplorer.views.widgets.focus import mark_parts
from termexplorer.views.widgets.plain_label import PlainLabel

_MARGIN = 24


class Panel(QWidget):
    """A title, a content below it, and a button that closes it.

    Signals:
        closed: the user is done with it.
    """

    closed = Signal()

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(title)
        mark_parts(self)
        heading = PlainLabel(title)
        heading.setProperty("title", True)
        close = QPushButton(tr("Close"))
        close.clicked.connect(self.closed)
        head = QHBoxLayout()
        head.addWidget(heading, 1)
        head.addWidget(close)
        self.content = QVBoxLayout()
        self.content.setSpacing(16)
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, 16, _MARGIN, 16)
        column.setSpacing(16)
        column.addLayout(head)
        column.addLayout(self.content, 1)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Esc closes."""
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    def release(self) -> None:
        """Ends its threads; called once, when it is closed."""
