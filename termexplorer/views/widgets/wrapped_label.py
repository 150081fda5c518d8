"""A text of which nothing is ever cut: a word that is too long for its line is broken."""

import time

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QFont,
    QPainter,
    QPaintEvent,
    QPalette,
    QTextDocument,
    QTextOption,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from termexplorer.views.widgets.plain_label import PlainLabel

_NARROWEST = 120
_MOST_HEIGHTS = 64


class WrappedLabel(PlainLabel):
    """Shows its text in the middle, in as many lines as it needs.

    Attributes:
        drawn_at: when the text was drawn first since it came, by the clock `time.monotonic`.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.drawn_at: float | None = None
        self._heights: dict[tuple[str, int, str], int] = {}  # layouts ask for them again and again
        self.setTextFormat(Qt.TextFormat.PlainText)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_text(self, text: str) -> None:
        """Shows another text."""
        self.drawn_at = None
        self.setText(text)
        self.setAccessibleName(text)
        self.update()

    def height_in(self, width: int, font: QFont) -> int:
        """How high the text is in a width and a font."""
        key = self.text(), width, font.key()
        if key not in self._heights:
            if len(self._heights) >= _MOST_HEIGHTS:
                self._heights.clear()
            self._heights[key] = int(self._laid_out(width, font).size().height()) + 1
        return self._heights[key]

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        """It has."""
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        """How high it is in a width."""
        return self.height_in(width, self.font())

    def sizeHint(self) -> QSize:  # noqa: N802
        """What it needs in the width that it has."""
        return QSize(_NARROWEST, self.heightForWidth(max(self.width(), _NARROWEST)))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """A narrow column."""
        return QSize(_NARROWEST, 0)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Writes it."""
        text = self._laid_out(self.width(), self.font())
        context = QAbstractTextDocumentLayout.PaintContext()
        context.palette = self.palette()
        colour = self.palette().color(self.foregroundRole())
        context.palette.setColor(QPalette.ColorRole.Text, colour)
        with QPainter(self) as painter:
            painter.translate(QPointF(0, max(0, (self.height() - text.size().height()) / 2)))
            text.documentLayout().draw(painter, context)
        if self.drawn_at is None:
            self.drawn_at = time.monotonic()

    def _laid_out(self, width: int, font: QFont) -> QTextDocument:
        option = QTextOption(Qt.AlignmentFlag.AlignHCenter)
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        document = QTextDocument()
        document.setDocumentMargin(0)
        document.setDefaultFont(font)
        document.setDefaultTextOption(option)
        document.setPlainText(self.text())
        document.setTextWidth(width)
        return document
