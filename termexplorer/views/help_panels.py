"""Help: what the keys do, and what this program is."""

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QTableView, QWidget

from termexplorer.models.plain_table import PlainTableModel
from termexplorer.services.built_program import built_licences
from termexplorer.views.panel import Panel
from termexplorer.views.table import dress

_MORE_KEYS = (
    ("Move in the search results", "Up, Down"),
    ("Go to the marked result, row or link", "Enter"),
    ("Close results, panels, messages and lists", "Esc"),
    ("Open and close a concept in the tree", "Right, Left"),
    ("Bookmark the concept", "Ctrl+D"),
    ("Leave a class out, or take it in again", "Space"),
    ("Rename a run, or edit its notes", "F2"),
    ("Save the plot that has the focus as a picture", "Ctrl+S"),
    ("Start what a form asks for", "Ctrl+Enter"),
    ("Sort a table by the column of the current cell, or the other way round", "Ctrl+Shift+S"),
    ("Suggestions: correct, wrong, unsure, later", "C, W, U, L"),
    ("Suggestions: write a note", "N"),
    ("Take back the last verdict; bring it back", "Ctrl+Z, Ctrl+Shift+Z"),
    ("Map: move, zoom, show all", "arrows, + and −, Home"),
    ("Map: the name in the middle; its concept", "Space, Enter"),
    ("Map: enclose by a rectangle; make it larger or smaller", "R, Shift+arrows, Enter"),
    ("Pairs: answer", "its number or first letter"),
    ("Pairs: comment, put off, take back", "C, L, Backspace"),
    ("Pairs: save the answers, fill the screen", "Ctrl+S, F11"),
    ("Adjudication: show what annotators said", "V"),
)
_ABOUT = (
    "termexplorer answers one question: which names does an encoder believe belong together, "
    "at which level of a hierarchy, and is it right?\n\n"
    "Version {version}, Apache-2.0 licence.\n"
    "Icons: Phosphor, MIT licence. ICD-10-CM: simple-icd-10-cm, MIT licence."
)
_QT = (
    "Qt and PySide6: copyright The Qt Company Ltd. and other contributors, used under the "
    "<a href='https://www.gnu.org/licenses/lgpl-3.0.html'>GNU Lesser General Public License 3</a>, "
    "which refers to the <a href='https://www.gnu.org/licenses/gpl-3.0.html'>GNU General Public "
    "License 3</a>; you may put your own builds in their place."
)
_ALL = "All licences, and how to do so: <a href='{address}'>{folder}</a>"


def shortcuts_panel(actions: Sequence[QAction], parent: QWidget) -> Panel:
    """A table of all keys."""
    rows = [
        (action.text().replace("&", "").rstrip("…"), action.shortcut().toString())
        for action in actions
        if not action.shortcut().isEmpty()
    ]
    panel = Panel("Keyboard shortcuts", parent)
    model = PlainTableModel(panel)
    model.show_rows(("What", "Keys"), [*rows, *_MORE_KEYS])
    table = QTableView()
    table.setModel(model)
    dress(table, "Keyboard shortcuts")
    table.resizeColumnsToContents()
    panel.content.addWidget(table, 1)
    panel.setFocusProxy(table)
    return panel


def about_panel(parent: QWidget) -> Panel:
    """Version and licences."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        number = version("termexplorer")
    except PackageNotFoundError:
        number = "unknown (not installed)"
    panel = Panel("About termexplorer", parent)
    text = QLabel(_ABOUT.format(version=number))
    text.setWordWrap(True)
    panel.content.addWidget(text)
    panel.content.addWidget(_linked(_QT))
    if (folder := built_licences()) is not None:
        told = _ALL.format(address=folder.as_uri(), folder=escape(str(folder)))
        panel.content.addWidget(_linked(told))
    panel.content.addStretch(1)
    return panel


def _linked(words: str) -> QLabel:
    """Words with links, for the mouse and the keyboard."""
    label = QLabel(words)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
    label.setOpenExternalLinks(True)
    return label
