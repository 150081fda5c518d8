"""A map to move through: by mouse and keys."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from termexplorer.views.map_canvas import MapCanvas
from termexplorer.views.map_view import MapView
from termexplorer.views.theme import Theme

_NEAR = 10  # pixels
_STEP = 40  # pixels that an arrow key goes
_NOTCH = 1.2
_CLICK = 4  # pixels that the mouse may move in a click
_HELP = (
    "Drag or the arrow keys move the map, the wheel or + and − zoom, Home or a double click shows "
    "all. A click, or Space for the middle, selects a concept; Enter shows it in Explore. "
    "Shift and drag encloses points; Escape lets them go."
)


class MapPlot(MapCanvas):
    """Shows points, and tells what is done with them.

    Signals:
        pointed: the mouse is over a point (its number), or over none (-1).
        picked: the number of a point that was chosen.
        opened: Enter was pressed.
        enclosed: (n,) bool, the points in a lasso; None when they are let go.
    """

    pointed = Signal(int)
    picked = Signal(int)
    opened = Signal()
    enclosed = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self._pointed = -1
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName("Map")
        self.setAccessibleDescription(_HELP)
        self.setWhatsThis(_HELP)
        self.setMinimumSize(240, 200)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def nearest(self, place: QPointF, reach: float = _NEAR) -> int:
        """The number of the point that is nearest to a pixel, -1 if none is near."""
        if not len(self.positions):
            return -1
        x, y = self.view.place(place.x(), place.y())
        beside = self.positions - np.array([x, y], np.float32)
        squares = np.einsum("ij,ij->i", beside, beside)
        if self.lit is not None and self.lit.any():
            squares[~self.lit] = np.inf
        best = int(squares.argmin())
        return best if squares[best] * self.view.scale**2 <= reach**2 else -1

    def inside(self, outline: list[QPointF]) -> NDArray[np.bool_]:
        """(n,) which points are in an outline of pixels."""
        view = self.view
        image = QImage(view.width, view.height, QImage.Format.Format_Grayscale8)
        image.fill(0)
        painter = QPainter(image)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(Qt.GlobalColor.white)
        painter.drawPolygon(QPolygonF(outline))
        painter.end()
        row = image.bytesPerLine()
        mask = np.frombuffer(image.constBits(), np.uint8).reshape(view.height, row)
        left, top = view.pixels(self.positions)
        columns = np.clip(left, 0, view.width - 1).astype(np.int64)
        rows = np.clip(top, 0, view.height - 1).astype(np.int64)
        within = (left >= 0) & (left < view.width) & (top >= 0) & (top < view.height)
        found: NDArray[np.bool_] = within & (mask[rows, columns] > 0)
        return found

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Begins a click, a drag or a lasso."""
        if event.button() == Qt.MouseButton.LeftButton and len(self.positions):
            self._pressed = self._last = event.position()
            lasso = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self.lasso = [event.position()] if lasso else []

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Moves the map, goes on with a lasso, or looks what is under the mouse."""
        place = event.position()
        if self._pressed is None:
            self._point_at(self.nearest(place))
        elif self.lasso:
            self.lasso.append(place)
            self.update()
        else:
            by = place - self._last
            self._last = place
            self.look(self.view.moved(by.x(), by.y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Ends it."""
        pressed, self._pressed = self._pressed, None
        outline, self.lasso = self.lasso, []
        self.update()
        if pressed is None:
            return
        if len(outline) > 1:
            self.enclosed.emit(self.inside([*outline, event.position()]))
        elif (event.position() - pressed).manhattanLength() <= _CLICK:
            self._pick(self.nearest(event.position()))

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:  # noqa: N802
        """Shows all."""
        self.show_all()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        """Points at nothing."""
        super().leaveEvent(event)
        self._point_at(-1)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Zooms, and leaves what is under the mouse where it is."""
        notches, place = event.angleDelta().y() / 120, event.position()
        self.look(self.view.zoomed(_NOTCH**notches, place.x(), place.y()))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Moves, zooms and chooses."""
        view = self._by_key(Qt.Key(event.key()))
        if view is not None:
            self.look(view)
        elif event.key() == Qt.Key.Key_Home:
            self.show_all()
        elif event.key() == Qt.Key.Key_Space:
            middle = QPointF(self.width() / 2, self.height() / 2)
            self._pick(self.nearest(middle, float("inf")))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit()
        elif event.key() == Qt.Key.Key_Escape and self.lit is not None:
            self.enclosed.emit(None)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Shows where the keys are."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Shows that the keys are elsewhere."""
        super().focusOutEvent(event)
        self.update()

    def _by_key(self, key: Qt.Key) -> MapView | None:
        middle = (self.width() / 2, self.height() / 2)
        match key:
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                return self.view.zoomed(_NOTCH, *middle)
            case Qt.Key.Key_Minus:
                return self.view.zoomed(1 / _NOTCH, *middle)
            case Qt.Key.Key_Left:
                return self.view.moved(_STEP, 0)
            case Qt.Key.Key_Right:
                return self.view.moved(-_STEP, 0)
            case Qt.Key.Key_Up:
                return self.view.moved(0, _STEP)
            case Qt.Key.Key_Down:
                return self.view.moved(0, -_STEP)
        return None

    def _point_at(self, point: int) -> None:
        if point != self._pointed:
            self._pointed = point
            self.setCursor(
                Qt.CursorShape.PointingHandCursor if point >= 0 else Qt.CursorShape.ArrowCursor
            )
            if point < 0:
                QToolTip.hideText()
            self.pointed.emit(point)

    def _pick(self, point: int) -> None:
        if point >= 0:
            self.picked.emit(point)
