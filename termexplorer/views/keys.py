"""Keys that work within one part of a page."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget


def add_key(keys: str, within: QWidget, press: Callable[[], object]) -> None:
    """Calls `press` on keys while the focus is in a widget or what it holds."""
    shortcut = QShortcut(QKeySequence(keys), within, press)
    # told to the constructor, PySide 6.11 would leave it at the whole window
    shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
