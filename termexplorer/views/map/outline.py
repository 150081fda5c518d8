"""What encloses points on a map: a lasso or a rectangle, drawn by the mouse or by keys."""

from enum import Enum

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPolygonF

from termexplorer.texts import mark
from termexplorer.views.map.view import Float32s, MapView

_STEP = 20.0  # pixels that an arrow key goes
_SMALLEST = 4.0


class Tool(Enum):
    """What dragging does."""

    MOVE = mark("Move")
    LASSO = mark("Lasso")
    RECTANGLE = mark("Rectangle")


class Outline:
    """Encloses part of a window, in its pixels.

    Attributes:
        by_keys: whether arrow keys move it.
    """

    def __init__(self, rectangle: bool, start: QPointF, by_keys: bool = False) -> None:
        self.by_keys = by_keys
        self._rectangle = rectangle
        self._places = [start]

    @classmethod
    def in_the_middle(cls, view: MapView) -> "Outline":
        """A rectangle to be moved by keys, as wide and high as a third of the window."""
        outline = cls(True, QPointF(view.width / 3, view.height / 3), by_keys=True)
        outline.go_to(QPointF(2 * view.width / 3, 2 * view.height / 3))
        return outline

    @property
    def begun(self) -> bool:
        """Whether it encloses anything yet."""
        return len(self._places) > 1

    @property
    def polygon(self) -> QPolygonF:
        """Its corners."""
        if not self._rectangle:
            return QPolygonF(self._places)
        return QPolygonF(QRectF(self._places[0], self._places[-1]).normalized())

    def go_to(self, point: QPointF) -> None:
        """Goes on to a place: that of the mouse."""
        if self._rectangle:
            del self._places[1:]
        self._places.append(point)

    def press(self, key: Qt.Key, larger: bool) -> bool:
        """Moves by an arrow key, or goes to another size; returns whether it was one."""
        way = _WAYS.get(key)
        if way is None:
            return False
        by = QPointF(*way) * _STEP
        first, last = self._places[0], self._places[-1]
        if larger:
            size = last + by - first
            by += QPointF(max(_SMALLEST - size.x(), 0), max(_SMALLEST - size.y(), 0))
        self._places = [first if larger else first + by, last + by]
        return True


_WAYS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


def points_inside(polygon: QPolygonF, positions: Float32s, view: MapView) -> NDArray[np.bool_]:
    """(n,) which of (n, 2) points are in view and in a polygon of pixels."""
    image = QImage(view.width, view.height, QImage.Format.Format_Grayscale8)
    image.fill(0)
    with QPainter(image) as painter:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(Qt.GlobalColor.white)
        painter.drawPolygon(polygon)
    row = image.bytesPerLine()
    mask = np.frombuffer(image.constBits(), np.uint8).reshape(view.height, row)
    left, top = view.pixels(positions)
    columns = np.clip(left, 0, view.width - 1).astype(np.int64)
    rows = np.clip(top, 0, view.height - 1).astype(np.int64)
    within = (left >= 0) & (left < view.width) & (top >= 0) & (top < view.height)
    is_inside: NDArray[np.bool_] = within & (mask[rows, columns] > 0)
    return is_inside
