"""The left of the pair sets: which are made, of which names, and where."""

from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QPushButton, QWidget

from termexplorer.services.explore.ontologies import Ontology
from termexplorer.services.pairs.folders import usual_folder
from termexplorer.services.pairs.sets import SOURCES, STRATEGIES, THRESHOLD, PairPlan
from termexplorer.texts import mark, tr, translated
from termexplorer.views.widgets.elided_label import ElidedLabel
from termexplorer.views.widgets.file_dialogs import ask_output_folder
from termexplorer.views.widgets.forms import (
    beside,
    fields,
    finish_form,
    form_column,
    heading,
    quiet,
)
from termexplorer.views.widgets.number_box import number_box
from termexplorer.views.widgets.tick_list import TickList
from termexplorer.views.window.page import Shared

NO_ONTOLOGY = mark("Import an ontology first (Ctrl+I)")
_MOST_EDITS = 1_000
_SENTENCES = {
    "preferred_synonym": mark("The name that a concept is shown by, with each of its synonyms."),
    "synonym_synonym": mark("Each two synonyms of a concept."),
    "consider": mark(
        "A concept that is not in use, with those that it may have meant: in RF2 POSSIBLY "
        "EQUIVALENT TO, in OBO consider."
    ),
    "replaced_by": mark(
        "A concept that is not in use, with the one in its place: in RF2 REPLACED BY, "
        "in OBO replaced_by."
    ),
    "same_as": mark(
        "A concept that is not in use, with the one that it is a copy of: RF2 SAME AS."
    ),
}
_TITLES = {
    "preferred_synonym": mark("Preferred name – synonym"),
    "synonym_synonym": mark("Synonym – synonym"),
    "consider": mark("Possibly equivalent to, consider"),
    "replaced_by": mark("Replaced by"),
    "same_as": mark("Same as"),
}
_STRATEGIES = {
    "random": (mark("At random"), mark("A random term of the set that is not similar")),
    "nearest": (
        mark("The nearest by edits"),
        mark(
            "The nearest term of the set by edit distance, that is not similar; takes minutes "
            "where there are hundreds of thousands"
        ),
    ),
}
_PLACE = "pair sets/"


class PairSetForm(QWidget):
    """Asks which pair sets are to be made.

    Signals:
        changed: something else is asked for.
        wanted: Make was pressed.
        count_wanted: the effect of the threshold is to be drawn.
    """

    changed = Signal()
    wanted = Signal()
    count_wanted = Signal()

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._ontology: Ontology | None = None
        self._folder: Path | None = None
        self.running = ""
        self.ontology, self.folder_label = ElidedLabel(), ElidedLabel()
        self.sources = TickList(tr("Similar pairs"), len(SOURCES))
        self.sentence = quiet()
        self.strategies = TickList(tr("Dissimilar pairs"), len(STRATEGIES))
        self.ancestors = QCheckBox(tr("Not of a concept and one above it"))
        self.siblings = QCheckBox(tr("Not of concepts with a parent in common"))
        self.threshold = number_box(
            0, _MOST_EDITS, THRESHOLD, tr("Similar pairs up to so many edits are easy, others hard")
        )
        self.count = QPushButton(tr("Plot its effect"))
        self.seed = number_box(
            0, 2_000_000_000, 0, tr("Random seed; the same seed gives the same pair sets")
        )
        self.choose, self.usual = QPushButton(tr("Folder…")), QPushButton(tr("Usual"))
        self.make = QPushButton(tr("Make pair sets"))
        self._fill()
        self._lay_out()
        self._connect()

    @property
    def plan(self) -> PairPlan:
        """What is asked for."""
        return PairPlan(
            self.sources.ticked(),
            self.strategies.ticked(),
            self.threshold.value(),
            self.ancestors.isChecked(),
            self.siblings.isChecked(),
            self.seed.value(),
        )

    @property
    def folder(self) -> Path | None:
        """Where the files are written; None without an ontology."""
        if self._folder is not None or self._ontology is None:
            return self._folder
        return usual_folder(self._shared.workspace, self._ontology, self.plan)

    @property
    def chosen_ontology(self) -> Ontology | None:
        """Whose names are paired."""
        return self._ontology

    @property
    def why_not(self) -> str:
        """Why nothing can be made yet and what to do, in words; empty if something can."""
        if self._ontology is None:
            return translated(NO_ONTOLOGY)
        if self.running:
            return self.running
        if not self.sources.ticked():
            return tr("Tick where similar pairs come from")
        return "" if self.strategies.ticked() else tr("Tick how dissimilar pairs are found")

    def show_ontology(self, ontology: Ontology | None) -> None:
        """Says whose names are paired."""
        self._ontology = ontology
        self.ontology.setText(ontology.label if ontology else tr("No ontology yet"))
        self._allow()

    def show_running(self, running: str) -> None:
        """Says why nothing else can be made now; empty: it can."""
        self.running = running
        self._allow()

    def keep(self) -> None:
        """Keeps what is chosen for the next start."""
        session = self._shared.session
        session.keep_place(f"{_PLACE}sources", " ".join(self.sources.ticked()))
        session.keep_place(f"{_PLACE}strategies", " ".join(self.strategies.ticked()))
        session.keep_place(f"{_PLACE}numbers", f"{self.threshold.value()} {self.seed.value()}")

    def _fill(self) -> None:
        recall = self._shared.session.place
        sources = recall(f"{_PLACE}sources").split() or list(SOURCES)
        strategies = recall(f"{_PLACE}strategies").split() or list(STRATEGIES)
        choices = [(s, translated(_TITLES[s]), translated(_SENTENCES[s])) for s in SOURCES]
        self.sources.show_rows(choices, sources)
        ways = [(s, *_STRATEGIES[s]) for s in STRATEGIES]
        choices = [(way, translated(title), translated(tip)) for way, title, tip in ways]
        self.strategies.show_rows(choices, strategies)
        numbers = self._shared.session.numbers(f"{_PLACE}numbers")
        for box, number in zip((self.threshold, self.seed), numbers, strict=False):
            box.setValue(number)
        names = {
            self.ontology: tr("Ontology"), self.folder_label: tr("Folder"),
            self.threshold: tr("Threshold in edits"), self.seed: tr("Seed"),
        }  # fmt: skip
        for widget, name in names.items():
            widget.setAccessibleName(name)
        self.folder_label.setProperty("quiet", True)
        self.ancestors.setToolTip(tr("Such terms are often near in meaning, though not the same"))
        self.siblings.setToolTip(tr("Such terms often differ by one word alone"))
        self.choose.setToolTip(tr("Another folder for the files, a file for each set"))
        self.usual.setToolTip(tr("A folder in the workspace for these sets alone"))
        self._on_source(0)

    def _lay_out(self) -> None:
        inside = QWidget()
        column = form_column(inside)
        column.addLayout(fields((tr("Ontology"), self.ontology)))
        column.addSpacing(8)
        column.addWidget(heading(tr("Similar pairs")))
        column.addWidget(self.sources)
        column.addWidget(self.sentence)
        edits = fields((tr("Easy up to, in edits"), self.threshold))
        column.addLayout(edits)
        column.addWidget(self.count)
        column.addSpacing(8)
        column.addWidget(heading(tr("Dissimilar pairs")))
        for widget in (self.strategies, self.ancestors, self.siblings):
            column.addWidget(widget)
        column.addLayout(fields((tr("Seed"), self.seed)))
        column.addSpacing(8)
        column.addWidget(heading(tr("Files")))
        column.addWidget(self.folder_label)
        column.addLayout(beside(self.choose, self.usual))
        column.addStretch(1)
        finish_form(self, inside, self.make)

    def _connect(self) -> None:
        self.sources.currentRowChanged.connect(self._on_source)
        for ticks in (self.sources, self.strategies):
            ticks.changed.connect(self._allow)
        for box in (self.threshold, self.seed):
            box.valueChanged.connect(self._allow)
        for tick in (self.ancestors, self.siblings):
            tick.toggled.connect(self._allow)
        self.count.clicked.connect(self.count_wanted)
        self.make.clicked.connect(self.wanted)
        self.choose.clicked.connect(self._on_folder)
        self.usual.clicked.connect(self._on_usual)
        self._allow()

    @Slot(int)
    def _on_source(self, row: int) -> None:
        self.sentence.setText(translated(_SENTENCES[list(SOURCES)[max(row, 0)]]))

    @Slot()
    def _on_folder(self) -> None:
        if folder := ask_output_folder(self, "pair_sets", tr("Folder of the pair sets")):
            self._folder = folder
            self._allow()

    @Slot()
    def _on_usual(self) -> None:
        self._folder = None
        self._allow()
        self.choose.setFocus()

    @Slot()
    def _allow(self) -> None:
        why = self.why_not
        self.make.setEnabled(not why)
        self.make.setToolTip(
            why or tr("In the background (Ctrl+Enter); what was stopped goes on where it was")
        )
        countable = self._ontology is not None and bool(self.sources.ticked()) and not self.running
        self.count.setEnabled(countable)
        self.count.setToolTip(
            tr("The share of easy pairs by threshold, for each source") if countable else why
        )
        self.folder_label.setText(str(self.folder or ""))
        self.folder_label.setVisible(self.folder is not None)
        self.usual.setVisible(self._folder is not None)
        self.changed.emit()
