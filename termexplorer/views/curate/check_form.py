"""Asks which terms are checked against which: releases of the workspace, or files."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from termexplorer.services.explore.ontologies import Ontology
from termexplorer.texts import mark, tr, translated
from termexplorer.views.widgets.elided_box import ElidedBox
from termexplorer.views.widgets.file_dialogs import ask_open_path
from termexplorer.views.widgets.forms import choice, heading, make_primary, offer

_FILES = mark("Ontologies and tables (*);;All files (*)")


class CheckForm(QWidget):
    """Two choices, each of a release or a file, and a button.

    Signals:
        wanted: the new terms and what they are new against: an id of a release, or a path.
    """

    wanted = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.new, self.known = choice(tr("New terms")), choice(tr("Older release"))
        self.browse = {box: QPushButton(tr("File…")) for box in (self.new, self.known)}
        self.browse[self.new].setToolTip(
            tr("A newer file of the ontology, or a table of proposed terms")
        )
        self.browse[self.known].setToolTip(tr("The file that the terms are new against"))
        self.start = QPushButton(tr("Check the terms"))
        make_primary(self.start, self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for title, box in ((tr("New terms"), self.new), (tr("against"), self.known)):
            row.addWidget(heading(title))
            row.addWidget(box, 1)
            row.addWidget(self.browse[box])
            self.browse[box].clicked.connect(partial(self._on_browse, box))
            box.currentIndexChanged.connect(self.allow)
        row.addWidget(self.start)
        self.start.clicked.connect(self._on_start)
        self.allow()

    def show_ontologies(self, ontologies: Sequence[Ontology]) -> None:
        """Offer releases, and the files that were chosen."""
        rows = [(f"{ontology.label} ({ontology.id})", str(ontology.id)) for ontology in ontologies]
        for box in (self.new, self.known):
            with QSignalBlocker(box):
                offer(box, [*rows, *_list_files(box)], None)
        if self.new.currentIndex() == self.known.currentIndex() and len(rows) > 1:
            self.new.setCurrentIndex(len(rows) - 1)
        self.allow()

    def choose_file(self, box: ElidedBox, path: Path) -> None:
        """Offer a file in a choice, and choose it."""
        if box.findData(str(path)) < 0:
            box.addItem(path.name, str(path))
        box.setCurrentIndex(box.findData(str(path)))

    def allow(self, _index: int = 0, *, running: bool = False) -> None:
        """Let terms be checked where two different sources are chosen."""
        new, known = self.new.currentData(), self.known.currentData()
        why = ""
        if running:
            why = tr("A check is running")
        elif not new or not known:
            why = tr("Choose a file, or import an ontology first")
        elif new == known:
            why = tr("Choose two different releases or files")
        self.start.setEnabled(not why)
        self.start.setToolTip(why or tr("Tests each term that the older one does not have"))

    def _on_browse(self, box: ElidedBox, _checked: bool = False) -> None:
        if path := ask_open_path(self, "check", tr("Choose a file"), translated(_FILES)):
            self.choose_file(box, path)

    def _on_start(self) -> None:
        self.wanted.emit(self.new.currentData(), self.known.currentData())


def _list_files(box: ElidedBox) -> list[tuple[str, str]]:
    items = ((box.itemText(row), box.itemData(row)) for row in range(box.count()))
    return [(text, key) for text, key in items if not key.isdecimal()]
