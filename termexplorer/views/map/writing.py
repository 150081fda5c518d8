"""What is written on a map: the numbers of its classes in rings, and the names of its clusters."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from termexplorer.services.map.labels import Box, place_labels, whole_labels
from termexplorer.services.map.points import PointGroup
from termexplorer.services.map.projection import MapLabel
from termexplorer.views.map.view import Float32s, MapView
from termexplorer.views.widgets.theme import Theme

_BADGE, _PAD = 9, 3  # pixels
_THROUGH = 205  # of 255: how little of the points is seen through the ground of a label


class MapWriting:
    """Paints numbers and words; where words stand is found once for each scale.

    Attributes:
        labels: of clusters, the largest first.
    """

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self.labels: Sequence[MapLabel] = ()
        self._places: list[tuple[int, Box]] = []
        self._known: tuple[object, ...] = ()

    def paint(
        self,
        painter: QPainter,
        view: MapView,
        positions: Float32s,
        badges: Sequence[tuple[PointGroup, tuple[float, float]]],
    ) -> None:
        """Paints labels for which there is room, then badges of groups at places of the plane."""
        font = painter.font()
        font.setBold(True)
        painter.setFont(font)
        size = max(_BADGE, painter.fontMetrics().height() / 2 + 1)
        left, top = view.shift
        rings = [
            (group, Box(x * view.scale - size, -y * view.scale - size, 2 * size, 2 * size))
            for group, (x, y) in badges
        ]
        self._place(QFontMetricsF(font), view.scale, positions, [box for _, box in rings])
        self._paint_labels(painter, view, [box.moved(left, top) for _, box in rings])
        for group, box in rings:
            ring = QRectF(box.left + left, box.top + top, box.width, box.height)
            painter.setPen(QPen(QColor(group.colour), 2.5))
            painter.setBrush(QColor(self._theme.colours.panel))
            painter.drawEllipse(ring)
            painter.setPen(QColor(self._theme.colours.text))
            painter.drawText(ring, Qt.AlignmentFlag.AlignCenter, group.mark)

    def _place(
        self, metrics: QFontMetricsF, scale: float, positions: Float32s, taken: list[Box]
    ) -> None:
        """Finds room for labels on the whole plane at a scale; moving the map changes nothing."""
        known = (self.labels, scale, metrics.height(), id(positions), tuple(taken))
        if known == self._known:
            return
        self._known = known
        spots = positions[[label.point for label in self.labels]].tolist() if self.labels else []
        sizes = [
            (metrics.horizontalAdvance(label.text) + 2 * _PAD, metrics.height())
            for label in self.labels
        ]
        places = [(x * scale, -y * scale) for x, y in spots]
        self._places = place_labels(places, sizes, taken)

    def _paint_labels(self, painter: QPainter, view: MapView, taken: Sequence[Box]) -> None:
        left, top = view.shift
        ground = QColor(self._theme.colours.panel)
        ground.setAlpha(_THROUGH)
        placed = [(number, box.moved(left, top)) for number, box in self._places]
        for number, box in whole_labels(placed, taken, view.width, view.height):
            room = QRectF(box.left, box.top, box.width, box.height)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ground)
            painter.drawRoundedRect(room, _PAD, _PAD)
            painter.setPen(QColor(self._theme.colours.text))
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, self.labels[number].text)
