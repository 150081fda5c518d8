"""Keys that work within one part of a page."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QWidget


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
