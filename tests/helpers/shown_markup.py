"""What a window would take for markup, or show so that it misleads people."""

from collections.abc import Iterator

from hostile_texts import HIDDEN
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QGraphicsTextItem,
    QGraphicsView,
    QLabel,
    QTabBar,
    QTextEdit,
    QWidget,
)

from termexplorer.views.help.text import HelpText

_MARK = "gpj.exe"  # is in every hostile text
_MARKUP = "<img"
_OBJECT = "\ufffc"  # a picture in a document
_DISPLAY, _TIP = Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole
_ROWS = 30
Text = tuple[str, str, bool]
"""Where it stands, what it says, and whether Qt looks for markup in it."""


def markup_of(window: QWidget) -> Iterator[str]:
    """Yields "seen" for each hostile text that is shown as it is, else where it stands and why."""
    for where, text, rich in _texts_of(window):
        if _MARKUP in text and rich:
            yield f"markup: {where}: {text[:120]!r}"
        elif any(sign in text for sign in HIDDEN):
            yield f"hidden: {where}: {text[:120]!r}"
        elif _MARK in text:
            yield "seen"


def _texts_of(window: QWidget) -> Iterator[Text]:
    for widget in (window, *window.findChildren(QWidget)):
        around = widget.parentWidget()
        where = (
            f"{type(widget).__name__} in {type(around).__name__} {around and around.objectName()}"
        )
        for kind, text, rich in _of_widget(widget):
            yield f"{where} {kind}", text or "", rich
    for action in window.findChildren(QAction):
        yield "action text", action.text(), False
        yield "action tip", action.toolTip() if action.toolTip() != action.text() else "", True


def _of_widget(widget: QWidget) -> Iterator[Text]:
    yield "tip", widget.toolTip(), True
    yield "title", widget.windowTitle(), False
    if isinstance(widget, QLabel):
        yield "text", widget.text(), widget.textFormat() != Qt.TextFormat.PlainText
    elif isinstance(widget, QAbstractButton):
        yield "text", widget.text(), False
    elif isinstance(widget, QTextEdit):
        is_data = not isinstance(widget, HelpText)  # which has pictures of its own
        yield "picture", _MARKUP if is_data and _OBJECT in widget.toPlainText() else "", True
        yield "text", widget.toPlainText() if widget.isReadOnly() else "", False
    elif isinstance(widget, QComboBox):
        yield from _cells(widget.model())
    elif isinstance(widget, QTabBar):
        for number in range(widget.count()):
            yield "tab", widget.tabText(number), False
            yield "tab's tip", widget.tabToolTip(number), True
    elif isinstance(widget, QGraphicsView):
        yield from _drawn(widget)
    elif isinstance(widget, QAbstractItemView) and widget.model() is not None:
        yield from _cells(widget.model())


def _drawn(view: QGraphicsView) -> Iterator[Text]:
    for item in view.scene().items() if view.scene() else ():
        yield "drawn tip", item.toolTip(), True
        if isinstance(item, QGraphicsTextItem):
            yield "drawn", item.toHtml(), True
            yield "drawn", item.toPlainText(), False


def _cells(model: QAbstractItemModel) -> Iterator[Text]:
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount()
    for column in range(columns):
        for role in (_DISPLAY, _TIP):
            text = model.headerData(column, Qt.Orientation.Horizontal, role)
            yield "header", text if isinstance(text, str) else "", role == _TIP
            for row in range(min(model.rowCount(), _ROWS)):
                text = model.index(row, column, QModelIndex()).data(role)
                yield "cell", text if isinstance(text, str) else "", role == _TIP
