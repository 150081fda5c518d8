"""What a window shows to people: every text of every widget, and whether it was translated.

The pseudo language puts what is translated into brackets, and values stay outside of them: what has
letters there, and is neither data nor the same in every language, has escaped.
"""

import re
from collections.abc import Iterable, Iterator
from string import Formatter

from literal_texts import _KEYS, _TAGS, PROPER
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QGraphicsView,
    QHeaderView,
    QLabel,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)

_BRACKETED = re.compile(r"⟦[^⟦⟧]*⟧")
_WORD = re.compile(r"[^\W\d_]{2,}")
_NAMED = ("toolTip", "accessibleName", "accessibleDescription", "statusTip", "whatsThis")
_ROLES = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
)
_ROWS = 30


def pseudo(text: str, _sense: str, _number: int) -> str:
    """The translation into the pseudo language."""
    try:
        parts = list(Formatter().parse(text))
    except ValueError:
        return f"⟦{text}⟧"
    message = ""
    for words, name, form, conversion in parts:
        message += f"⟦{words}⟧" if words else ""
        if name is not None:
            message += "{" + name + (f"!{conversion}" if conversion else "")
            message += (f":{form}" if form else "") + "}"
    return message


def one_of(data: Iterable[str]) -> re.Pattern[str]:
    """Any of many strings, the longest first."""
    known = sorted({*data, *PROPER} - {""}, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, known)))


def untranslated(text: str, data: re.Pattern[str]) -> bool:
    """Whether letters of a text are neither translated nor data."""
    rest = text.replace("&", "")
    while (less := _BRACKETED.sub(" ", rest)) != rest:
        rest = less
    rest = data.sub(" ", _KEYS.sub(" ", _TAGS.sub(" ", rest)))
    return bool(_WORD.search(re.sub(r"\b[A-Z0-9]+\b", "", rest)))


def texts_of(window: QWidget) -> Iterator[tuple[str, str]]:
    """Where a text stands (kinds and names of widgets), and the text, of all that can be seen."""
    for widget in (window, *window.findChildren(QWidget)):
        if widget.isVisible() or widget.isWindow():
            where = f"{type(widget).__module__.rpartition('.')[2]}.{_place(widget)}"
            for kind, text in _texts(widget):
                if text:
                    yield f"{where} {kind}", text
    for action in window.findChildren(QAction):
        if isinstance(action.parent(), QWidget):  # a scene of pyqtgraph has one that nobody sees
            for property_name in ("text", "toolTip", "iconText"):
                yield f"action {property_name}", str(action.property(property_name) or "")


def _place(widget: QObject) -> str:
    names, current = [], widget
    while current is not None and len(names) < 4:
        names.append(type(current).__name__)
        current = current.parent()
    return " < ".join(names)


def _texts(widget: QWidget) -> Iterator[tuple[str, str]]:
    for name in _NAMED:
        yield name, str(widget.property(name) or "")
    if widget.isWindow():
        yield "windowTitle", widget.windowTitle()
    if isinstance(widget, QLabel | QAbstractButton):
        yield "text", widget.text()
    elif isinstance(widget, QLineEdit):
        yield "placeholder", widget.placeholderText()
    elif isinstance(widget, QTextEdit | QPlainTextEdit):
        yield "text", widget.toPlainText()
        yield "placeholder", widget.placeholderText()
    elif isinstance(widget, QAbstractSpinBox):
        for name in ("prefix", "suffix", "specialValueText"):
            yield name, str(widget.property(name) or "")
    else:
        yield from _of_many(widget)


def _of_many(widget: QWidget) -> Iterator[tuple[str, str]]:
    if isinstance(widget, QComboBox):
        yield from _cells(widget.model(), "item")
    elif isinstance(widget, QTabBar):
        for number in range(widget.count()):
            yield "tab", widget.tabText(number)
            yield "tab's tool tip", widget.tabToolTip(number)
    elif isinstance(widget, QGraphicsView):
        for item in widget.scene().items() if widget.scene() else ():
            yield "drawn", str(getattr(item, "toPlainText", str)())
    elif isinstance(widget, QHeaderView):
        return
    elif isinstance(widget, QAbstractItemView) and widget.model() is not None:
        yield from _headers(widget)
        yield from _cells(widget.model(), "cell")


def _headers(view: QAbstractItemView) -> Iterator[tuple[str, str]]:
    model = view.model()
    if isinstance(view, QListView):
        return
    for column in range(model.columnCount()):
        for role in _ROLES:
            text = model.headerData(column, Qt.Orientation.Horizontal, role)
            yield "header", text if isinstance(text, str) else ""


def _cells(model: QAbstractItemModel, kind: str) -> Iterator[tuple[str, str]]:
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount()
    for row in range(min(model.rowCount(), _ROWS)):
        for column in range(columns):
            for role in _ROLES:
                text = model.index(row, column, QModelIndex()).data(role)
                yield kind, text if isinstance(text, str) else ""
