"""Keys that work within one part of a page."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QWidget

_SUBMIT = ("Ctrl+Return", "Ctrl+Enter")


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


def submit_what_is_on_show(within: QWidget, shown: Callable[[], QWidget | None]) -> None:
    """Submit the form on show on Ctrl+Enter, where the focus is beside the form.

    Args:
        within: a widget around pages, or beside them.
        shown: returns the page on show.
    """
    for keys in _SUBMIT:
        add_key(keys, within, partial(_submit_outermost, shown))


def submit_by_keys(within: QWidget, press: Callable[[], object]) -> None:
    """Calls `press` on Ctrl+Enter, by either of the keys, from anywhere within a form or a part."""
    for keys in _SUBMIT:
        add_key(keys, within, press)


def shown_keys(keys: str) -> str:
    """Keys as they are called in the language of the window."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


def text_with_key(text: str, key: str) -> str:
    """Return what a button is called, and its key behind."""
    return f"{text}  {shown_keys(key)}"


def _submit_outermost(shown: Callable[[], QWidget | None]) -> None:
    page, keys = shown(), QKeySequence(_SUBMIT[0])
    if page is None:
        return
    forms = []
    for shortcut in page.findChildren(QShortcut):
        form = shortcut.parent()
        if shortcut.key() == keys and isinstance(form, QWidget) and form.isVisible():
            forms.append((shortcut, form))
    for shortcut, form in forms:
        if not any(other is not form and other.isAncestorOf(form) for _, other in forms):
            shortcut.activated.emit()
            return


def _press_innermost(keys: QKeySequence) -> None:
    widget, direct = QApplication.focusWidget(), Qt.FindChildOption.FindDirectChildrenOnly
    while widget is not None:
        for shortcut in widget.findChildren(QShortcut, options=direct):
            if shortcut.key() == keys:
                shortcut.activated.emit()
                return
        widget = widget.parentWidget()
