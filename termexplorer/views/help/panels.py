"""Help: what the keys do, and what this program is."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QLabel, QTableView, QWidget

from termexplorer.models.plain_table import PlainTableModel
from termexplorer.plain_text import plain_html
from termexplorer.services.verdicts.judging_keys import (
    ANNOTATIONS,
    CANDIDATE_KEYS,
    COMMENT,
    FULL_SCREEN,
    GIVEN_ANSWERS,
    GLOSSARY,
    GUIDELINES,
    LATER,
    NOTE,
    OTHER_TARGET,
    REDO,
    SAVE,
    UNDO,
    UNDO_TOO,
    WEB,
    WEB_SECOND,
    mapping_keys,
    suggestion_keys,
)
from termexplorer.services.workspace.built_program import built_licences
from termexplorer.texts import mark, tr, translated
from termexplorer.views.widgets.keys import shown_keys
from termexplorer.views.widgets.panel import Panel
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.widgets.tables.table import dress

_VERDICTS = "verdicts"  # stands for keys that depend on the language
_PREDICATES, _CANDIDATES = "predicates", "candidates"
_MORE_KEYS = (
    (mark("Move in the search results"), "Up, Down"),
    (mark("Go to the marked result, row or link"), "Enter"),
    (mark("Close results, panels, messages and lists"), "Esc"),
    (mark("Open and close a concept in the tree"), "Right, Left"),
    (mark("Bookmark the concept"), "Ctrl+D"),
    (mark("Copy the selected rows of a list or table"), "Ctrl+C"),
    (mark("Leave a class out, or take it in again"), "Space"),
    (mark("Rename a run, or edit its notes"), "F2"),
    (mark("Save the plot that has the focus as a picture"), "Ctrl+S"),
    (mark("Start what a form asks for"), "Ctrl+Enter"),
    (
        mark("Sort a table by the column of the current cell, or the other way round"),
        "Ctrl+Shift+S",
    ),
    (mark("Suggestions: correct, wrong, unsure, later"), _VERDICTS),
    (mark("Mappings: exact, broader, narrower, related, no match"), _PREDICATES),
    (mark("Mappings: choose a candidate"), _CANDIDATES),
    (mark("Mappings: search for another concept"), OTHER_TARGET),
    (mark("Suggestions: write a note"), NOTE),
    (
        mark("Take back the last verdict; bring it back"),
        f"{UNDO}, {REDO}",
    ),
    (mark("Map: move, zoom, show all"), mark("arrows, + and −, Home")),
    (mark("Map: the name in the middle; its concept"), "Space, Enter"),
    (
        mark("Map: enclose by a rectangle; make it larger or smaller"),
        mark("R, Shift+arrows, Enter"),
    ),
    (mark("Pairs: answer"), mark("its number or first letter")),
    (
        mark("Pairs: comment, put off, take back"),
        f"{COMMENT}, {LATER}, {UNDO_TOO}",
    ),
    (
        mark("Pairs: guidelines; what was answered, to change it"),
        f"{GUIDELINES}, {GIVEN_ANSWERS}",
    ),
    (
        mark("Pairs: search the web for a term; glossary"),
        f"{WEB}, {WEB_SECOND}, {GLOSSARY}",
    ),
    (
        mark("Pairs: save the answers, fill the screen"),
        f"{SAVE}, {FULL_SCREEN}",
    ),
    (mark("Adjudication: show what annotators said"), ANNOTATIONS),
)
_ABOUT = mark(
    "termexplorer answers one question: which names does an encoder believe belong together, "
    "at which level of a hierarchy, and is it right?\n\n"
    "Version {version}, Apache-2.0 licence.\n"
    "Icons: Phosphor, MIT licence. ICD-10-CM: simple-icd-10-cm, MIT licence."
)
_QT = mark(
    "Qt and PySide6: copyright The Qt Company Ltd. and other contributors, used under the "
    "<a href='https://www.gnu.org/licenses/lgpl-3.0.html'>GNU Lesser General Public License 3</a>, "
    "which refers to the <a href='https://www.gnu.org/licenses/gpl-3.0.html'>GNU General Public "
    "License 3</a>; you may put your own builds in their place."
)
_ALL = mark("All licences, and how to do so: <a href='{address}'>{folder}</a>")


def shortcuts_panel(actions: Sequence[QAction], parent: QWidget) -> Panel:
    """A table of all keys."""
    rows = [
        (action.text().replace("&", "").rstrip("…"), shown_keys(action.shortcut().toString()))
        for action in actions
        if not action.shortcut().isEmpty()
    ]
    rows += [(translated(title), _shown_keys(keys)) for title, keys in _MORE_KEYS]
    panel = Panel(tr("Keyboard shortcuts"), parent)
    model = PlainTableModel(panel)
    model.show_rows((tr("What"), tr("Keys")), rows)
    table = QTableView()
    table.setModel(model)
    dress(table, tr("Keyboard shortcuts"))
    table.resizeColumnsToContents()
    panel.content.addWidget(table, 1)
    panel.setFocusProxy(table)
    return panel


def _shown_keys(keys: str) -> str:
    """Keys, or what is said of them in words."""
    several = {
        _VERDICTS: suggestion_keys().values(),
        _PREDICATES: mapping_keys().values(),
        _CANDIDATES: CANDIDATE_KEYS,
    }
    if keys in several:
        return ", ".join(several[keys])
    are_keys = QKeySequence(keys).toString() == keys
    return shown_keys(keys) if are_keys else translated(keys)


def about_panel(parent: QWidget) -> Panel:
    """Version and licences."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        number = version("termexplorer")
    except PackageNotFoundError:
        number = tr("unknown (not installed)")
    panel = Panel(tr("About termexplorer"), parent)
    text = PlainLabel(translated(_ABOUT, version=number))
    text.setWordWrap(True)
    panel.content.addWidget(text)
    panel.content.addWidget(_linked_label(translated(_QT)))
    if (folder := built_licences()) is not None:
        address, name = folder.as_uri(), plain_html(str(folder))
        notice = translated(_ALL, address=address, folder=name)
        panel.content.addWidget(_linked_label(notice))
    panel.content.addStretch(1)
    return panel


def _linked_label(words: str) -> QLabel:
    """Words with links, for the mouse and the keyboard."""
    label = QLabel(words)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
    label.setOpenExternalLinks(True)
    return label
