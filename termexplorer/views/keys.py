"""Keys that work within one part of a page."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget


def add_key(keys: str, within: QWidget, press: Callable[[], object], *, once: bool = False) -> None:
    """Calls `press` on keys while the focus is in a widget or what it holds.

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
