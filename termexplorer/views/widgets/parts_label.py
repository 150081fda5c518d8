"""A text of parts in two lines, each part whole as long as there is room for it."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from termexplorer.views.widgets.plain_label import PlainLabel

_LINES = 2
_NARROWEST = 24


class PartsLabel(PlainLabel):
    """Leaves out the last parts, not the middle of one; the tooltip holds all."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._parts: Sequence[str] = ()
        self._gap = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_parts(self, parts: Sequence[str], gap: str) -> None:
        """Shows others, with a gap between those of a line."""
        self._parts, self._gap = parts, gap
        self.setToolTip(gap.join(parts))
        self._fill()

    def sizeHint(self) -> QSize:  # noqa: N802
        """All in one line, and room for two: what is around does not move as parts change."""
        metrics = self.fontMetrics()
        width = metrics.horizontalAdvance(self._gap.join(self._parts))
        return QSize(width, _LINES * metrics.lineSpacing())

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Hardly anything in width."""
        return QSize(_NARROWEST, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Fills the new room."""
        super().resizeEvent(event)
        self._fill()

    def _fill(self) -> None:
        lines: list[str] = []
        for part in self._parts:
            longer = f"{lines[-1]}{self._gap}{part}" if lines else ""
            if longer and self._fits(longer):
                lines[-1] = longer
            elif len(lines) < _LINES and (self._fits(part) or not lines):
                lines.append(part)
            else:
                break
        elide, room = Qt.TextElideMode.ElideMiddle, self.width()
        self.setText("\n".join(self.fontMetrics().elidedText(line, elide, room) for line in lines))

    def _fits(self, text: str) -> bool:
        return self.fontMetrics().horizontalAdvance(text) <= self.width()
