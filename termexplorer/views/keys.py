"""Keys that work within one part of a page."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QWidget

_APART = 80  # milliseconds; keys that are held down come again sooner, and nobody presses so fast


class HeldKeys(QObject):
    """Tells a key that is held down from one that is pressed again.

    X11 tells it only if the next press is there already when a key seems to be let go.

    Attributes:
        held: whether the last key in the widget was held down.
    """

    def __init__(self, within: QWidget) -> None:
        super().__init__(within)
        self.held = False
        self._key, self._at = 0, 0
        within.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Looks at keys before shortcuts do."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            at = event.timestamp()
            soon = bool(at) and at - self._at < _APART
            self.held = event.isAutoRepeat() or (soon and event.key() == self._key)
            self._key, self._at = event.key(), at
        return super().eventFilter(watched, event)


def add_key(keys: str, within: QWidget, press: Callable[[], object], *, once: bool = False) -> None:
    """Calls `press` on keys while the focus is in a widget or what it holds.

    Of widgets within each other the innermost has the keys.

    Args:
        keys: such as "Ctrl+Return".
        within: the widget.
        press: what is called.
        once: not again and again while the keys are held down.
    """
    shortcut = QShortcut(QKeySequence(keys), within, press)
    shortcut.setAutoRepeat(not once)
    # told to the constructor, PySide 6.11 would leave it at the whole window
    shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    shortcut.activatedAmbiguously.connect(partial(_press_innermost, shortcut.key()))


def submit_by_keys(within: QWidget, press: Callable[[], object]) -> None:
    """Calls `press` on Ctrl+Enter, by either of the keys, from anywhere within a form or a part."""
    for keys in ("Ctrl+Return", "Ctrl+Enter"):
        add_key(keys, within, press)


def shown_keys(keys: str) -> str:
    """Keys as they are called in the language of the window."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


def _press_innermost(keys: QKeySequence) -> None:
    widget, direct = QApplication.focusWidget(), Qt.FindChildOption.FindDirectChildrenOnly
    while widget is not None:
        for shortcut in widget.findChildren(QShortcut, options=direct):
            if shortcut.key() == keys:
                shortcut.activated.emit()
                return
        widget = widget.parentWidget()
