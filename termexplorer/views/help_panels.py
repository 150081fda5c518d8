"""Help: what the keys do, and what this program is."""

from collections.abc import Sequence

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QTableView, QWidget

from termexplorer.models.plain_table import PlainTableModel
from termexplorer.views.panel import Panel
from termexplorer.views.table import dress

_MORE_KEYS = (
    ("Move in the search results", "Up, Down"),
    ("Go to the marked result, row or link", "Enter"),
    ("Close results, panels, messages and lists", "Esc"),
    ("Open and close a concept in the tree", "Right, Left"),
    ("Bookmark the concept", "Ctrl+D"),
    ("Leave a class out, or take it in again", "Space"),
    ("Train what the form asks for", "Ctrl+Enter"),
    ("Rename a run, or edit its notes", "F2"),
    ("Save the plot that has the focus as a picture", "Ctrl+S"),
)
_ABOUT = (
    "termexplorer answers one question: which names does an encoder believe belong together, "
    "at which level of a hierarchy, and is it right?\n\n"
    "Version {version}, Apache-2.0 licence.\n"
    "Icons: Phosphor, MIT licence. ICD-10-CM: simple-icd-10-cm, MIT licence."
)


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
    panel.content.addStretch(1)
    return panel
