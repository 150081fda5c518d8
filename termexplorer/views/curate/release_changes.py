"""Two releases of a terminology, and what changed from one to the other."""

from collections import Counter
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from termexplorer.models.change_table import ChangeTableModel
from termexplorer.questions import LatestQueryWorker
from termexplorer.services.curate.release_diff import (
    DIFF_HEADER,
    KIND_WORDS,
    KINDS,
    Change,
    ReleaseDiff,
    choose_releases,
    compare_releases,
    diff_rows,
    list_renewed,
)
from termexplorer.services.explore.ontologies import Ontology, list_ontologies
from termexplorer.texts import mark, number, tr, translated
from termexplorer.views.curate.change_table import ChangeTable
from termexplorer.views.explore.ranking_export import ask_and_write
from termexplorer.views.widgets.export_button import ALL, SHOWN, ExportButton
from termexplorer.views.widgets.forms import choice, heading, offer
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.window.page import Shared
from termexplorer.views.window.store_reading import StoreReading

_ONE_RELEASE = mark(
    "Two releases of one terminology are compared here: concepts that were added, retired, moved "
    "or renamed, and the runs that became stale.\n\nImport a second release of one with Ctrl+I."
)
_SAME = mark("Choose two different releases.")
_COMPARING = mark("Comparing…")
_NONE = mark("No such change.")
_KIND_LETTERS = 18  # with the count of its changes
_EXPORTED = mark("The changes as they are filtered, as CSV or XLSX")


class ReleaseChanges(QWidget):
    """Asks for two releases and shows the changes."""

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._ontologies: list[Ontology] | None = None
        self._diff: ReleaseDiff | None = None
        self.old, self.new = choice(tr("Older release")), choice(tr("Newer release"))
        self.kind = choice(tr("Kind of change"), _KIND_LETTERS)
        self.filter = QLineEdit(placeholderText=tr("Filter"), clearButtonEnabled=True)
        self.filter.setAccessibleName(tr("Filter changes"))
        self.export = ExportButton()
        self.model = ChangeTableModel(self)
        self.table = ChangeTable(self.model, shared.session)
        self.table.menu.name_concepts(shared.workspace)
        self.stale = PlainLabel(wordWrap=True)
        self.carry = QPushButton(tr("Carry mappings over…"))
        self.carry.setToolTip(
            tr("Brings mappings to the newer release: what holds, what is stale, and why")
        )
        self._reading = StoreReading(shared, self, self._question)
        self._comparing = LatestQueryWorker(self)
        self._lay_out()
        self._connect()
        self._show_diff(None, "")

    def close_part(self) -> None:
        """Ends the threads."""
        self._reading.close()
        self._comparing.close()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Reads what has changed."""
        super().showEvent(event)
        self._reading.look()

    def entrance(self) -> QWidget:
        """The older release."""
        return self.old

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        for widget, share in (
            (heading(tr("From", sense="release")), 0),
            (self.old, 1),
            (heading(tr("to", sense="release")), 0),
            (self.new, 1),
            (self.kind, 0),
            (self.filter, 1),
            (self.export, 0),
            (self.export.other_formats, 0),
        ):
            head.addWidget(widget, share)
        self.stale.setProperty("quiet", True)
        self.stale.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.table, 1)
        last = QHBoxLayout()
        last.setSpacing(8)
        last.addWidget(self.stale, 1)
        last.addWidget(self.carry)
        column.addLayout(last)

    def _connect(self) -> None:
        for box in (self.old, self.new):
            box.currentIndexChanged.connect(self._compare)
        self.kind.currentIndexChanged.connect(self._on_kind)
        self.filter.textChanged.connect(self.model.show_text)
        self.table.chosen.connect(self._on_chosen)
        self.export.wanted.connect(self._on_export)
        self.carry.clicked.connect(self._on_carry)
        self.model.modelReset.connect(self._show_counts)
        self._reading.answered.connect(self._on_ontologies)
        self._comparing.answered.connect(self._on_compared)
        self._comparing.failed.connect(self._on_failed)

    def _question(self) -> Callable[[], list[Ontology]]:
        return partial(list_ontologies, self._shared.workspace)

    @Slot(object)
    def _on_ontologies(self, ontologies: list[Ontology]) -> None:
        renewable = list_renewed(ontologies)
        if renewable == self._ontologies:
            return
        self._ontologies = renewable
        old, new = choose_releases(ontologies, self._shared.selection.ontology_id)
        rows = [(f"{ontology.label} ({ontology.id})", ontology.id) for ontology in renewable]
        with QSignalBlocker(self.old), QSignalBlocker(self.new):
            offer(self.old, rows, old)
            offer(self.new, rows, new)
        self._compare()

    @Slot()
    def _compare(self) -> None:
        by_id = {ontology.id: ontology for ontology in self._ontologies or ()}
        old, new = by_id.get(self.old.currentData()), by_id.get(self.new.currentData())
        self._comparing.forget()
        if old is None or new is None:
            self._show_diff(None, translated(_ONE_RELEASE))
        elif old.id == new.id:
            self._show_diff(None, translated(_SAME))
        else:
            self._show_diff(None, translated(_COMPARING))
            work = partial(compare_releases, self._shared.workspace, old, new)
            self._comparing.ask(work)

    @Slot(object)
    def _on_compared(self, diff: ReleaseDiff) -> None:
        self._show_diff(diff, translated(_NONE))

    @Slot(str)
    def _on_failed(self, why: str) -> None:
        self._show_diff(None, f"{why[:1].upper()}{why[1:]}.")

    def _show_diff(self, diff: ReleaseDiff | None, hint: str) -> None:
        self._diff = diff
        changes = diff.changes if diff else ()
        counts = Counter(change.kind for change in changes)
        words = [translated(KIND_WORDS[kind]).capitalize() for kind in KINDS]
        kinds = [
            (f"{word} ({number(counts[kind])})", kind)
            for word, kind in zip(words, KINDS, strict=True)
        ]
        with QSignalBlocker(self.kind):
            offer(self.kind, [(tr("All changes ({n:,})", n=len(changes)), ""), *kinds], "")
        self.export.setEnabled(diff is not None)
        tip = translated(_EXPORTED) if diff else tr("Compare two different releases first")
        self.export.setToolTip(tip)
        self.table.hint = hint
        self.model.show_changes(changes)
        self.stale.setText(_stale_text(diff) if diff else "")

    @Slot()
    def _on_kind(self) -> None:
        self.model.show_kind(self.kind.currentData() or "")

    @Slot(object)
    def _on_chosen(self, change: Change) -> None:
        diff = self._diff
        if diff is None:
            return
        gone = change.kind == "retired" or change.new_id is None
        release, concept = (diff.old.id, change.old_id) if gone else (diff.new.id, change.new_id)
        self._shared.errands.show_concept(release, concept)

    @Slot()
    def _show_counts(self) -> None:
        diff = self._diff
        self.export.show_counts(
            {SHOWN: len(self.model.rows), ALL: len(diff.changes)} if diff else {}
        )

    @Slot()
    def _on_carry(self) -> None:
        releases = (self.old.currentData(), self.new.currentData())
        self._shared.errands.carry_over.emit(None if None in releases else releases)

    @Slot(str)
    def _on_export(self, part: str) -> None:
        if self._diff is not None:
            name = tr("{old} to {new}", old=self._diff.old.label, new=self._diff.new.label)
            rows = diff_rows(self.model.rows if part == SHOWN else self._diff.changes)
            ask_and_write(self, self._shared.notices, name, list(DIFF_HEADER), rows)


def _stale_text(diff: ReleaseDiff) -> str:
    runs = "; ".join(
        tr("{title} (run {run}): {changed:,}", title=run.title, run=run.run, changed=run.changed)
        for run in diff.stale
    )
    lines = [tr("No run on the older release became stale.")]
    if runs:
        lines = [
            tr(
                "Runs on the older release, with the number of concepts changed: {runs}.",
                runs=runs,
            )
        ]
    verdicts = len(diff.stale_verdicts)
    if verdicts:
        lines.append(tr("Verdicts on concepts that changed, to be given again: {n:,}.", n=verdicts))
    return " ".join(lines)
