"""Which names a map is of: a part of the form of the Map page."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from termexplorer.questions import LatestQueryWorker
from termexplorer.services.levels.concept_lists import (
    BOOKMARKS,
    Item,
    ListInfo,
    remove_list,
    restore_list,
    shown_title,
)
from termexplorer.services.map.choice import ClassesOnLevel, PointCount, classes_on
from termexplorer.services.map.projection import ProjectionRequest
from termexplorer.texts import mark, number, tr, translated
from termexplorer.views.levels.root import RootChoice
from termexplorer.views.widgets.forms import choice, fields, offer, plain_column, quiet
from termexplorer.views.window.page import Shared

_KINDS = {
    "all": mark("Everything"),
    "below": mark("Below a concept"),
    "class": mark("A class of a level"),
    "search": mark("What a search finds"),
    "list": mark("A list"),
}
_MISSING = {
    "below": mark("Choose a concept first"),
    "class": mark("Choose a class first"),
    "search": mark("Write what to search for first, and press Enter"),
    "list": mark("There is no list yet: enclose names on a map and keep them as one"),
}
_MARKS = mark("Remove bookmarks one by one, on Explore")
_PLACE = "map/points/"


@dataclass(frozen=True, slots=True)
class Points:
    """What is chosen; each is empty where it does not choose.

    Attributes:
        root: CURIE of a concept or class.
        root_text: what it is called.
        search: words.
        list_title: of a list.
    """

    root: str = ""
    root_text: str = ""
    search: str = ""
    list_title: str = ""


class PointsChoice(QWidget):
    """Asks for everything, a subtree, a class, what is found, or a list; `kind` stands elsewhere.

    Signals:
        changed: other names are chosen.
    """

    changed = Signal()

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._ontology_id: int | None = None
        self._below = ("", "")
        self._class = ""
        self.kind = choice(tr("Which names"))
        self.root = RootChoice(shared)
        self.level, self.class_ = choice(tr("Level of the class")), choice(tr("Class"))
        self.search = QLineEdit(placeholderText=tr("Words in names, codes or ids"))
        self.list, self.remove = choice(tr("List")), QPushButton(tr("Remove this list"))
        self.count = quiet()
        self._reading = LatestQueryWorker(self)
        self._lay_out()
        self._connect()
        self._on_kind()

    @property
    def points(self) -> Points | None:
        """What is chosen; None while something is missing."""
        kind = self.kind.currentData()
        if kind == "below":
            points = Points(*self._below)
        elif kind == "class":
            points = Points(self.class_.currentData() or "", self.class_.currentText())
        elif kind == "search":
            points = Points(search=" ".join(self.search.text().split()))
        else:
            points = Points(list_title=self.list.currentData() or "" if kind == "list" else "")
        return None if kind in _MISSING and points == Points() else points

    @property
    def missing(self) -> str:
        """What is to be chosen first."""
        return "" if self.points else translated(_MISSING[self.kind.currentData()])

    def show_ontology(self, ontology_id: int) -> None:
        """Offers what was chosen last in an ontology."""
        self._ontology_id = ontology_id
        stored_choice = _read_choice(self._shared.session.place(f"{_PLACE}{ontology_id}"))
        with QSignalBlocker(self.kind), QSignalBlocker(self.list), QSignalBlocker(self.class_):
            self._below = (stored_choice.get("root", ""), stored_choice.get("root_text", ""))
            self._class = stored_choice.get("class", "")
            self.class_.clear()
            self.level.clear()  # the one to begin with is not known yet
            self.search.setText(stored_choice.get("search", ""))
            self.list.setCurrentIndex(max(self.list.findData(stored_choice.get("list")), 0))
            self.kind.setCurrentIndex(max(self.kind.findData(stored_choice.get("kind")), 0))
        self._show_root()
        self._on_kind()

    def use_request(self, request: ProjectionRequest, root_text: str) -> None:
        """Chooses the names that a map was asked for; its root is called so."""
        kinds = {"below": request.root, "search": request.search, "list": request.list_title}
        kind = next((key for key, value in kinds.items() if value), "all")
        with QSignalBlocker(self.kind), QSignalBlocker(self.list):
            if request.root:
                self._below = (request.root, root_text)
            if request.search:
                self.search.setText(request.search)
            if request.list_title:
                self.list.setCurrentIndex(self.list.findData(request.list_title))
            self.kind.setCurrentIndex(self.kind.findData(kind))
        self._show_root()
        self._on_kind()

    def show_lists(self, lists: Sequence[ListInfo]) -> None:
        """Offers lists."""
        rows = [
            (f"{shown_title(name_list.title)} ({number(name_list.items)})", name_list.title)
            for name_list in lists
        ]
        before = self.points
        with QSignalBlocker(self.list):
            offer(self.list, rows, None)
        self._allow()
        if self.points != before:
            self.changed.emit()

    def show_count(self, count: PointCount | None) -> None:
        """Says how many names are chosen."""
        self.count.setText(count.text if count else self.missing)

    def keep(self) -> None:
        """Keeps what is chosen in the ontology."""
        if self._ontology_id is not None:
            root, text = self._below
            stored_choice = {
                "kind": self.kind.currentData(), "root": root, "root_text": text,
                "class": self.class_.currentData() or self._class,
                "search": self.search.text(), "list": self.list.currentData(),
            }  # fmt: skip
            self._shared.session.keep_place(
                f"{_PLACE}{self._ontology_id}", json.dumps(stored_choice)
            )

    def close_choice(self) -> None:
        """Ends the threads."""
        self.root.close_choice()
        self._reading.close()

    def _lay_out(self) -> None:
        offer(self.kind, [(translated(text), key) for key, text in _KINDS.items()], "all")
        self.search.setAccessibleName(tr("Words to search for"))
        self.root.all_roots.hide()
        self._show_root()
        column = plain_column(self)
        self._of_class, self._of_list = QWidget(), QWidget()
        plain_column(self._of_class).addLayout(
            fields((tr("Level"), self.level), (tr("Class"), self.class_))
        )
        listed = plain_column(self._of_list)
        for widget in (self.list, self.remove):
            listed.addWidget(widget)
        self._parts = {
            "below": self.root, "class": self._of_class, "search": self.search,
            "list": self._of_list,
        }  # fmt: skip
        for part in (*self._parts.values(), self.count):
            column.addWidget(part)

    def _connect(self) -> None:
        self.kind.currentIndexChanged.connect(self._on_kind)
        self.kind.currentIndexChanged.connect(self.changed)
        self.root.changed.connect(self._on_root)
        self.level.currentIndexChanged.connect(self._ask_classes)
        self.class_.currentIndexChanged.connect(self.changed)
        self.search.editingFinished.connect(self.changed)
        self.list.currentIndexChanged.connect(self._allow)
        self.list.currentIndexChanged.connect(self.changed)
        self.remove.clicked.connect(self._on_remove)
        self._reading.answered.connect(self._on_classes)
        self._reading.failed.connect(self.count.setText)

    def _show_root(self) -> None:
        self.root.show_root(self._below[1])
        if not self._below[0]:
            self.root.label.setText(tr("No concept is chosen yet"))

    @Slot()
    def _on_kind(self) -> None:
        kind = self.kind.currentData()
        for key, part in self._parts.items():
            part.setVisible(key == kind)
        self.show_count(None)
        if kind == "class" and not self.class_.count():
            self._ask_classes()

    @Slot()
    def _ask_classes(self) -> None:
        level: int | None = self.level.currentData()
        if self._ontology_id is not None:
            work = partial(classes_on, self._shared.workspace, self._ontology_id, level)
            self._reading.ask(work)

    @Slot(object)
    def _on_classes(self, classes: ClassesOnLevel) -> None:
        with QSignalBlocker(self.level), QSignalBlocker(self.class_):
            levels = [(tr("Level {level}", level=n), n) for n in range(1, classes.levels + 1)]
            offer(self.level, levels, classes.level)
            self.class_.clear()
            offer(self.class_, [(row.label or row.curie, row.curie) for row in classes.rows],
                  self._class)  # fmt: skip
        self.changed.emit()

    @Slot(str)
    def _on_root(self, root: str) -> None:
        self._below = (root, self.root.text)
        self.changed.emit()

    @Slot()
    def _allow(self) -> None:
        title = self.list.currentData()
        marks = translated(_MARKS) if title == BOOKMARKS else ""
        why = tr("There is no list") if title is None else marks
        self.remove.setEnabled(not why)
        self.remove.setToolTip(why or tr("Its concepts stay"))

    @Slot()
    def _on_remove(self) -> None:
        title, shared = self.list.currentData(), self._shared
        if title is not None:
            items = remove_list(shared.workspace, title)
            back = partial(self._restore, title, items)
            message = tr("Removed the list {title}; its concepts stay", title=title)
            shared.notices.tell(message, tr("Undo"), back)
            shared.watch.look()

    def _restore(self, title: str, items: list[Item]) -> None:
        restore_list(self._shared.workspace, title, items)
        self._shared.watch.look()


def _read_choice(text: str) -> dict[str, Any]:
    """Return what was chosen last; nothing where a file that is damaged says something else."""
    try:
        stored_choice = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}
    return stored_choice if isinstance(stored_choice, dict) else {}
