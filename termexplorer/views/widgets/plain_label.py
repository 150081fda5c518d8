"""Labels, entries of menus and rows of lists that show data as it is."""

from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QListWidgetItem, QWidget

from termexplorer.plain_text import plain_tip, show_line, show_signs

_WIDEST = QSize(640, 16_777_215)  # pixels, of what a window is widened for


class PlainLabel(QLabel):
    """A label that takes no text for markup, and shows signs that would be hidden.

    Args:
        text: what it shows.
        parent: what it is in.
        properties: of Qt, by their names.
    """

    def __init__(self, text: str = "", parent: QWidget | None = None, **properties: Any) -> None:
        super().__init__(parent, **properties)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)

    def setText(self, text: str) -> None:  # noqa: N802
        """Show another text."""
        super().setText(show_signs(text))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Return what it cannot do without; no text, however long, widens the window."""
        return super().minimumSizeHint().boundedTo(_WIDEST)

    def setToolTip(self, text: str) -> None:  # noqa: N802
        """Have another tooltip."""
        super().setToolTip(plain_tip(text))


def plain_action(text: str, parent: QWidget, *, checkable: bool = False) -> QAction:
    """Return an entry of a menu that is called as data is."""
    action = QAction(show_line(text).replace("&", "&&"), parent, checkable=checkable)
    action.setToolTip(plain_tip(text))
    return action


def plain_item(text: str, tip: str) -> QListWidgetItem:
    """Return a row of a list that shows data."""
    item = QListWidgetItem(show_line(text))
    item.setToolTip(plain_tip(tip))
    return item
