"""A line of text that shortens itself in the middle, so that it never widens a window."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QStyle, QStyleOption, QStylePainter, QWidget

_NARROWEST = 24


class ElidedLabel(QLabel):
    """Shows as much of its text as there is room for; the tooltip holds it whole."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.setText(text)

    def setText(self, text: str) -> None:  # noqa: N802
        """Shows another text."""
        super().setText(text)
        self.setToolTip(text)

    @property
    def shown(self) -> str:
        """The text as far as there is room for it."""
        room, elide = self.contentsRect().width(), Qt.TextElideMode.ElideMiddle
        return self.fontMetrics().elidedText(self.text(), elide, room)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Hardly anything."""
        return QSize(_NARROWEST, super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Writes it."""
        option = QStyleOption()
        option.initFrom(self)
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter = QStylePainter(self)
        with painter:
            painter.drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option)
            painter.drawText(self.contentsRect(), left, self.shown)
