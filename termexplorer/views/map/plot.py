"""A map to move through: by mouse and keys."""

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from termexplorer.texts import mark, tr, translated
from termexplorer.views.map.canvas import MapCanvas
from termexplorer.views.map.outline import Outline, Tool, points_inside
from termexplorer.views.map.view import MapView
from termexplorer.views.widgets.theme import Theme

_NEAR = 10  # pixels
_STEP = 40  # pixels that an arrow key goes
_NOTCH = 1.2
_CLICK = 4  # pixels that the mouse may move in a click
_HELP = mark(
    "Drag or the arrow keys move the map, the wheel or + and − zoom, Home or a double click shows "
    "all. A click, or Space for the middle, selects a concept; Enter shows it in Explore. "
    "Shift and drag encloses points by a lasso, Ctrl and drag by a rectangle; R draws a rectangle "
    "that the arrow keys move and, with Shift, size, until Enter. Escape lets the points go."
)
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_BY_KEY = {
    Qt.KeyboardModifier.ShiftModifier: Tool.LASSO,
    Qt.KeyboardModifier.ControlModifier: Tool.RECTANGLE,
}


class MapPlot(MapCanvas):
    """Shows points, and tells what is done with them.

    Signals:
        pointed: the mouse is over a point (its number), or over none (-1).
        picked: the number of a point that was chosen.
        opened: Enter was pressed.
        enclosed: (n,) bool, the points in a lasso or rectangle; None when they are let go.

    Attributes:
        tool: what dragging does, without a key.
    """

    pointed = Signal(int)
    picked = Signal(int)
    opened = Signal()
    enclosed = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.tool = Tool.MOVE
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self._pointed = -1
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Map"))
        self.setAccessibleDescription(translated(_HELP))
        self.setWhatsThis(translated(_HELP))
        self.setMinimumSize(240, 200)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def nearest(self, point: QPointF, reach: float = _NEAR) -> int:
        """The number of the point that is nearest to a pixel, -1 if none is near."""
        if not len(self.positions):
            return -1
        x, y = self.view.place(point.x(), point.y())
        beside = self.positions - np.array([x, y], np.float32)
        squares = np.einsum("ij,ij->i", beside, beside)
        if self.lit is not None and self.lit.any():
            squares[~self.lit] = np.inf
        best = int(squares.argmin())
        return best if squares[best] * self.view.scale**2 <= reach**2 else -1

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Begins a click, a drag, a lasso or a rectangle."""
        if event.button() != Qt.MouseButton.LeftButton or not len(self.positions):
            return
        self._pressed = self._last = event.position()
        tool = _BY_KEY.get(event.modifiers(), self.tool)
        drawn = tool is not Tool.MOVE
        self.show_outline(Outline(tool is Tool.RECTANGLE, self._pressed) if drawn else None)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Moves the map, goes on with an outline, or looks what is under the mouse."""
        point = event.position()
        if self._pressed is None:
            self._point_at(self.nearest(point))
        elif self.outline is not None:
            self.outline.go_to(point)
            self.update()
        else:
            by = point - self._last
            self._last = point
            self.look(self.view.moved(by.x(), by.y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Ends it."""
        pressed, self._pressed = self._pressed, None
        if pressed is None:
            return
        point = event.position()
        if self.outline is not None and self.outline.begun:
            self.outline.go_to(point)
            self._enclose()
        else:
            self.show_outline(None)
            if (point - pressed).manhattanLength() <= _CLICK:
                self._pick(self.nearest(point))

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:  # noqa: N802
        """Shows all."""
        self.show_all()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        """Points at nothing."""
        super().leaveEvent(event)
        self._point_at(-1)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Zooms, and leaves what is under the mouse where it is."""
        notches, point = event.angleDelta().y() / 120, event.position()
        self.look(self.view.zoomed(_NOTCH**notches, point.x(), point.y()))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Moves, zooms and chooses."""
        key = Qt.Key(event.key())
        if self._outline_takes(key, event.modifiers()):
            return
        view = self._by_key(key)
        if view is not None:
            self.look(view)
        elif key == Qt.Key.Key_Home:
            self.show_all()
        elif key == Qt.Key.Key_R and len(self.positions):
            self.show_outline(Outline.in_the_middle(self.view))
        elif key == Qt.Key.Key_Space:
            middle = QPointF(self.width() / 2, self.height() / 2)
            self._pick(self.nearest(middle, float("inf")))
        elif key in _ENTER:
            self.opened.emit()
        elif key == Qt.Key.Key_Escape and self.lit is not None:
            self.enclosed.emit(None)
        else:
            super().keyPressEvent(event)

    def _outline_takes(self, key: Qt.Key, held: Qt.KeyboardModifier) -> bool:
        """Gives a key to the rectangle that keys move, if there is one and it knows the key."""
        outline = self.outline
        if outline is None or not outline.by_keys:
            return False
        if outline.press(key, larger=bool(held & Qt.KeyboardModifier.ShiftModifier)):
            self.update()
        elif key in (*_ENTER, Qt.Key.Key_Space):
            self._enclose()
        elif key == Qt.Key.Key_Escape:
            self.show_outline(None)
        else:
            return False
        return True

    def _enclose(self) -> None:
        """Tells which points are in the outline, which has done its work."""
        if self.outline is not None:
            inside = points_inside(self.outline.polygon, self.positions, self.view)
            self.show_outline(None)
            self.enclosed.emit(inside)

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
