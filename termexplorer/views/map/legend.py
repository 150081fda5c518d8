"""What the colours of a map stand for."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QWidget

from termexplorer.services.map.points import PointGroup
from termexplorer.texts import number, tr
from termexplorer.views.widgets.forms import heading
from termexplorer.views.widgets.plain_label import PlainLabel

_WIDTH, _BADGE, _DOT = 240, 9, 5  # pixels
_PLAIN = Qt.TextFormat.PlainText


class MapLegend(QScrollArea):
    """A row for each group of points: badge or dot, label, and how many."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedWidth(_WIDTH)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(tr("Legend"))

    def show_groups(self, title: str, groups: Sequence[tuple[PointGroup, str]]) -> None:
        """Shows groups with the colours that they have on this ground."""
        inside = QWidget()
        grid = QGridLayout(inside)
        grid.setContentsMargins(8, 8, 8, 8)
        grid.setSpacing(8)
        grid.setColumnStretch(1, 1)
        grid.addWidget(heading(title), 0, 0, 1, 3)
        for row, (group, colour) in enumerate(groups, 1):
            grid.addWidget(_Badge(group.mark, colour), row, 0)
            grid.addWidget(PlainLabel(group.label, wordWrap=True, textFormat=_PLAIN), row, 1)
            count = PlainLabel(number(len(group.points)))
            count.setProperty("quiet", True)
            grid.addWidget(count, row, 2, Qt.AlignmentFlag.AlignRight)
        grid.setRowStretch(len(groups) + 1, 1)
        self.setWidget(inside)


class _Badge(QWidget):
    """A mark in a ring, as on the map, or a dot."""

    def __init__(self, mark: str, colour: str) -> None:
        super().__init__()
        self._mark, self._colour = mark, QColor(colour)
        size = max(2 * _BADGE + 4, self.fontMetrics().height() + 6)
        self.setFixedSize(QSize(size, size))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Draws it."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if self._mark:
                self._paint_mark(painter)
            else:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(self._colour)
                painter.drawEllipse(QRectF(self.rect()).center(), _DOT, _DOT)

    def _paint_mark(self, painter: QPainter) -> None:
        font = painter.font()
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(QPen(self._colour, 2.5))
        painter.drawEllipse(QRectF(self.rect()).adjusted(2, 2, -2, -2))
        painter.setPen(self.palette().text().color())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._mark)
