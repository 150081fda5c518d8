"""A `qtbot` whose keys and mouse go through the X server, as a user's do."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from x_screen import Screen

PATIENCE = 20_000  # milliseconds until an event is there, on a busy machine
BUTTONS = {Qt.MouseButton.LeftButton: "1", Qt.MouseButton.RightButton: "3"}
NAMED = {
    Qt.Key.Key_Plus: "plus",
    Qt.Key.Key_Space: "space",
    Qt.Key.Key_Backspace: "BackSpace",
}
HELD = {
    Qt.KeyboardModifier.ControlModifier: "ctrl",
    Qt.KeyboardModifier.ShiftModifier: "shift",
    Qt.KeyboardModifier.AltModifier: "alt",
}
NONE = Qt.KeyboardModifier.NoModifier
AWAY = QPoint(24, 0)  # from where a click does not count as the second of two


class Arrived(QObject):
    """Counts what the X server sent to the windows of this process."""

    def __init__(self) -> None:
        super().__init__()
        self.keys = self.downs = self.presses = self.releases = 0
        self.mouse: QPoint | None = None

    def eventFilter(self, target: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's
        if target.isWindowType() and event.spontaneous():
            kind = event.type()
            if kind == QEvent.Type.KeyRelease and isinstance(event, QKeyEvent):
                self.keys += event.key() not in (Qt.Key.Key_Shift, Qt.Key.Key_Control)
            elif kind == QEvent.Type.ShortcutOverride:
                self.downs += 1
            elif kind == QEvent.Type.MouseMove:
                self.mouse = event.globalPosition().toPoint()  # type: ignore[attr-defined]
            self.presses += kind == QEvent.Type.MouseButtonPress
            self.releases += kind == QEvent.Type.MouseButtonRelease
        return False


class ScreenBot(QtBot):
    """Types and points by xdotool; each call returns when the window has got its events."""

    def __init__(self, request: pytest.FixtureRequest, screen: Screen) -> None:
        super().__init__(request)
        self.screen = screen

    def keyClick(  # type: ignore[override]  # noqa: N802 - Qt's
        self, widget: QWidget, key: Qt.Key | str, modifier: Qt.KeyboardModifier = NONE
    ) -> None:
        """One key where the keys go, which is the widget, or anywhere in the window."""
        self._focus(widget)
        with self._until(lambda seen: seen.keys >= 1):
            self.screen.do("key", "+".join([*_held(modifier), _keysym(key)]))

    def keyClicks(self, widget: QWidget, text: str) -> None:  # type: ignore[override]  # noqa: N802
        """A text, key by key."""
        self._focus(widget)
        with self._until(lambda seen: seen.keys >= len(text)):
            self.screen.do("key", "--delay", "5", *(f"U{ord(letter):04X}" for letter in text))

    def keyHold(self, widget: QWidget, key: Qt.Key | str, repeats: int) -> None:  # noqa: N802
        """Holds a key down until the server has repeated it so often."""
        self._focus(widget)
        self.screen.repeat_keys(True)
        try:
            with self._until(lambda seen: seen.downs > repeats):
                self.screen.do("keydown", _keysym(key))
            with self._until(lambda seen: seen.keys >= 1):
                self.screen.do("keyup", _keysym(key))
        finally:
            self.screen.repeat_keys(False)

    def mouseClick(  # type: ignore[override]  # noqa: N802
        self,
        widget: QWidget,
        button: Qt.MouseButton,
        modifier: Qt.KeyboardModifier = NONE,
        pos: QPoint | None = None,
    ) -> None:
        """A click in the middle of a widget, or at a place of it."""
        point = widget.rect().center() if pos is None else pos
        self.mouseMove(widget, point + AWAY)
        self.mousePress(widget, button, modifier, point)
        self.mouseRelease(widget, button, modifier, point)

    def mouseMove(self, widget: QWidget, point: QPoint) -> None:  # type: ignore[override]  # noqa: N802
        """Moves the mouse to a place of a widget."""
        assert not widget.visibleRegion().isEmpty(), f"{widget} is out of sight"
        goal = widget.mapToGlobal(point)
        self.screen.do("mousemove", str(goal.x() + 1), str(goal.y()))  # so that it moves at all
        with self._until(lambda seen: seen.mouse == goal):
            self.screen.do("mousemove", str(goal.x()), str(goal.y()))

    def mousePress(  # type: ignore[override]  # noqa: N802
        self,
        widget: QWidget,
        button: Qt.MouseButton,
        modifier: Qt.KeyboardModifier,
        point: QPoint,
    ) -> None:
        """Goes there and presses a button, keys held."""
        self.mouseMove(widget, point)
        for key in _held(modifier):
            self.screen.do("keydown", key)
        with self._until(lambda seen: seen.presses >= 1):
            self.screen.do("mousedown", BUTTONS[button])

    def mouseRelease(  # type: ignore[override]  # noqa: N802
        self,
        widget: QWidget,
        button: Qt.MouseButton,
        modifier: Qt.KeyboardModifier,
        point: QPoint,
    ) -> None:
        """Goes there and lets the button and the keys go."""
        with self._until(lambda seen: seen.releases >= 1):
            self.screen.do("mouseup", BUTTONS[button])
        for key in _held(modifier):
            self.screen.do("keyup", key)

    @contextmanager
    def _until(self, condition: Callable[[Arrived], bool]) -> Iterator[None]:
        application, arrived = QApplication.instance(), Arrived()
        assert application is not None
        application.installEventFilter(arrived)
        try:
            yield
            self.waitUntil(lambda: condition(arrived), timeout=PATIENCE)
        finally:
            application.removeEventFilter(arrived)

    def _focus(self, widget: QWidget) -> None:
        if not widget.isActiveWindow():
            widget.activateWindow()
            self.waitUntil(widget.isActiveWindow, timeout=PATIENCE)
        if not widget.isWindow() and not widget.hasFocus():
            widget.setFocus()


def _held(modifier: Qt.KeyboardModifier) -> list[str]:
    return [name for modifier_flag, name in HELD.items() if modifier_flag in modifier]


def _keysym(key: Qt.Key | str) -> str:
    if isinstance(key, str):
        return key
    if key in NAMED:
        return NAMED[key]
    name = key.name.removeprefix("Key_")
    return name.lower() if len(name) == 1 else name
