"""Where a window lies: its frame inside a screen, and back where it was, to the pixel."""

import sys
from dataclasses import dataclass

from PySide6.QtCore import QMargins, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QWidget

_FIRST_SIZE = QSize(1440, 900)
_USUAL_FRAME = QMargins(8, 40, 8, 8)  # pixels that a frame takes at most
_STATES = {
    "normal": Qt.WindowState.WindowNoState,
    "maximized": Qt.WindowState.WindowMaximized,
    "full": Qt.WindowState.WindowFullScreen,
}
_NUMBERS = 8


@dataclass(frozen=True, slots=True)
class WindowPlace:
    """Where a window lies, in logical pixels of the desktop.

    Attributes:
        inside: the window without its frame, when it is neither maximized nor fills the screen.
        frame: what the frame adds on each side.
        state: a key of the states, as text.
    """

    inside: QRect
    frame: QMargins
    state: str

    @classmethod
    def parse(cls, text: str) -> "WindowPlace | None":
        """Read what `__str__` wrote; None where it says nothing that can be used."""
        state, *parts = text.split() or [""]
        try:
            numbers = [int(part) for part in parts]
        except ValueError:
            return None
        if state not in _STATES or len(numbers) != _NUMBERS or min(numbers[2:]) < 0:
            return None
        inside = QRect(*numbers[:4])
        return None if inside.isEmpty() else cls(inside, QMargins(*numbers[4:]), state)

    @classmethod
    def read(cls, window: QWidget, before: "WindowPlace | None") -> "WindowPlace":
        """Read where a window lies that was on show.

        Args:
            window: the window.
            before: what was kept of it before, for its frame while it has none of its own.
        """
        outside, inside = window.frameGeometry(), window.geometry()
        frame = QMargins(
            inside.left() - outside.left(),
            inside.top() - outside.top(),
            outside.right() - inside.right(),
            outside.bottom() - inside.bottom(),
        )
        if window.isFullScreen():
            state = "full"
        else:
            state = "maximized" if window.isMaximized() else "normal"
        if state != "normal":
            inside = window.normalGeometry()
            frame = before.frame if before else _USUAL_FRAME
        return cls(inside, frame, state)

    def __str__(self) -> str:
        inside, frame = self.inside, self.frame
        sides = (frame.left(), frame.top(), frame.right(), frame.bottom())
        numbers = (inside.x(), inside.y(), inside.width(), inside.height(), *sides)
        return " ".join([self.state, *map(str, numbers)])

    def put(self, window: QWidget) -> None:
        """Put a window there, or as near as its whole frame is inside what screens there are."""
        screens = QGuiApplication.screens()
        rooms = [screen.availableGeometry() for screen in screens]
        inside = fit_inside(self.inside, _seen_frame(self.frame), rooms)
        window.setGeometry(inside)
        window.setWindowState(_STATES[self.state])


def first_place(screen: QScreen) -> WindowPlace:
    """Return the middle of a screen; one that is too small for the usual size is filled."""
    room = screen.availableGeometry()
    most = room.marginsRemoved(_USUAL_FRAME).size()
    size = _FIRST_SIZE.boundedTo(most)
    inside = QRect(room.topLeft(), size)
    inside.moveCenter(room.center())
    state = "normal" if size == _FIRST_SIZE else "maximized"
    return WindowPlace(fit_inside(inside, _USUAL_FRAME, [room]), _USUAL_FRAME, state)


def fit_inside(inside: QRect, frame: QMargins, rooms: list[QRect]) -> QRect:
    """Return where a window lies with all of its frame on screens.

    One that lies across two screens stays there. Else it moves as little as it can on the screen
    that has most of it, or on the first one, and becomes smaller only where it has to.

    Args:
        inside: the window without its frame.
        frame: what the frame adds.
        rooms: what each screen has room for, the first one's first.
    """
    outside = inside.marginsAdded(frame)
    corners = (
        outside.topLeft(), outside.topRight(), outside.bottomLeft(), outside.bottomRight()
    )  # fmt: skip
    if not rooms or all(any(room.contains(corner) for room in rooms) for corner in corners):
        return inside
    room = max(
        rooms, key=lambda screen_room: _area_of(screen_room.intersected(outside))
    )  # the first of equal ones
    outside.setSize(outside.size().boundedTo(room.size()))
    outside.moveLeft(max(room.left(), min(outside.left(), room.right() + 1 - outside.width())))
    outside.moveTop(max(room.top(), min(outside.top(), room.bottom() + 1 - outside.height())))
    return outside.marginsRemoved(frame)


def _area_of(rectangle: QRect) -> int:
    return 0 if rectangle.isEmpty() else rectangle.width() * rectangle.height()


def _seen_frame(frame: QMargins) -> QMargins:
    """Return what is seen of a frame: on Windows, its sides are there to be dragged only."""
    return QMargins(0, frame.top(), 0, 0) if sys.platform == "win32" else frame
