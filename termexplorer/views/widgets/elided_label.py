"""A line of text that shortens itself in the middle, so that it never widens a window."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyleOption, QStylePainter, QWidget

from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.widgets.sibling_names import fit_name

_NARROWEST = 24


class ElidedLabel(PlainLabel):
    """Shows as much of its text as there is room for; the tooltip holds it whole.

    Args:
        text: what it shows.
        parent: the widget that it is in.
        least: letters of a shortened text; nothing is shown where there is room for fewer.
    """

    def __init__(self, text: str = "", parent: QWidget | None = None, *, least: int = 0) -> None:
        super().__init__(parent=parent)
        self._least = least
        self._siblings: Sequence[str] = ()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.setText(text)

    def setText(self, text: str) -> None:  # noqa: N802
        """Shows another text."""
        super().setText(text)
        self.setToolTip(text)

    def tell_apart_from(self, siblings: Sequence[str]) -> None:
        """Shortens its text so that it is told from those that stand beside it."""
        self._siblings = siblings
        self.update()

    @property
    def shown(self) -> str:
        """The text as far as there is room for it."""
        room = self.contentsRect().width()
        shown = fit_name(self.text(), self._siblings, room, self.fontMetrics())
        return shown if shown == self.text() or len(shown) >= self._least else ""

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
