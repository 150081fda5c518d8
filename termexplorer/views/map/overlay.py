"""What is painted over the points of a map: rings, arrows, and what is about to enclose points."""

from collections.abc import Iterable

from PySide6.QtCore import QLineF, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPalette, QPen

from termexplorer.views.map.outline import Outline
from termexplorer.views.map.view import Float32s, MapView
from termexplorer.views.widgets.theme import Theme

_RING, _END, _PAD = 7, 2.5, 32  # pixels
_THROUGH = 150  # of 255: how much an arrow covers


def paint_rings(painter: QPainter, theme: Theme, places: Iterable[tuple[float, float]]) -> None:
    """Paints rings around pixels."""
    colours = theme.colours
    points = [QPointF(*position) for position in places]
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, width in ((colours.panel, 5.0), (colours.text, 2.5)):
        painter.setPen(QPen(QColor(colour), width))
        for point in points:
            painter.drawEllipse(point, _RING, _RING)


def paint_arrows(painter: QPainter, theme: Theme, view: MapView, arrows: Float32s) -> None:
    """Paints (m, 2, 2) lines from places to places; a dot is where each ends."""
    colour = QColor(theme.colours.text)
    colour.setAlpha(_THROUGH)
    left, top = (ends.reshape(-1, 2).tolist() for ends in view.pixels(arrows.reshape(-1, 2)))
    painter.setPen(QPen(colour, 1.2))
    painter.setBrush(colour)
    for (x, to_x), (y, to_y) in zip(left, top, strict=True):
        painter.drawLine(QLineF(x, y, to_x, to_y))
        painter.drawEllipse(QPointF(to_x, to_y), _END, _END)


def paint_hint(painter: QPainter, palette: QPalette, room: QRect, hint: str) -> None:
    """Writes what to do, in the middle of a room without points."""
    painter.setPen(palette.color(QPalette.ColorRole.PlaceholderText))
    flag = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
    painter.drawText(room.adjusted(_PAD, _PAD, -_PAD, -_PAD), flag, hint)


def paint_outline(painter: QPainter, theme: Theme, outline: Outline | None) -> None:
    """Paints what is about to enclose points."""
    if outline is not None and outline.begun:
        ground = QColor(theme.colours.accent)
        painter.setPen(QPen(ground, 1.5))
        ground.setAlpha(40)
        painter.setBrush(ground)
        painter.drawPolygon(outline.polygon)
