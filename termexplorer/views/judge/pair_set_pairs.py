"""The pairs of a pair set as a table, with what is left out of its export."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, QTimer, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from termexplorer.models.sorted_table import SortedTableModel
from termexplorer.questions import LatestQueryWorker
from termexplorer.services.judge.set_pairs import (
    ExportedSets,
    PairSetReader,
    ShownPairs,
    export_pair_sets,
    export_pairs,
)
from termexplorer.services.pairs.filter import PairFilter, told_counts, told_reason
from termexplorer.services.pairs.folders import MadeFolder
from termexplorer.texts import mark, tr, translated, trn
from termexplorer.views.judge.pair_filter_form import PairFilterForm
from termexplorer.views.judge.pair_verdict_table import whole_label
from termexplorer.views.widgets.file_dialogs import ask_output_folder, ask_save_path
from termexplorer.views.widgets.forms import choice, heading, quiet
from termexplorer.views.widgets.keys import add_key
from termexplorer.views.widgets.tables.sorted_table import SortedTable
from termexplorer.views.widgets.tables.table import Column
from termexplorer.views.window.page import Shared

_SETTLED_MS = 150  # after the last letter of a text
_TYPES = mark("Tab-separated (*.tsv)")
_NOTHING = mark("No matching pairs.")


class PairSetPairs(QWidget):
    """Shows the pairs of one set of a folder.

    Signals:
        left: the user goes back.
    """

    left = Signal()

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._folder: MadeFolder | None = None
        self._reader = PairSetReader()
        self.sets = choice(tr("Pair set"), 20)
        self.filter, self.message = PairFilterForm(), quiet()
        self.left_out = QCheckBox(tr("Show the pairs left out"))
        self.model = SortedTableModel(self, digits=1)
        self.table = SortedTable(
            mark("Pairs of a set"), self.model, shared.session, _make_columns()
        )
        self.table.hint = translated(_NOTHING)
        self.back = QPushButton(tr("Back"))
        self.export = QPushButton(tr("Export set…"))
        self.export_all = QPushButton(tr("Export all sets…"))
        self._looking, self._exporting = LatestQueryWorker(self), LatestQueryWorker(self)
        self._waiting = QTimer(self, singleShot=True, interval=_SETTLED_MS)
        self._shown_filter = self.filter.chosen  # what is exported: that of the pairs on show
        self._lay_out()
        self._connect()

    def close_pairs(self) -> None:
        """End the threads."""
        self._looking.close()
        self._exporting.close()

    def entrance(self) -> QWidget:
        """Return the choice of a set."""
        return self.sets

    def show_folder(self, pair_folder: MadeFolder) -> None:
        """Show the first set of a folder."""
        self._folder = pair_folder
        with QSignalBlocker(self.sets):
            self.sets.clear()
            for pair_set in pair_folder.pair_sets.sets:
                self.sets.addItem(pair_set.name, pair_folder.folder / f"{pair_set.name}.tsv")
        self._look()

    def _lay_out(self) -> None:
        self.back.setToolTip(tr("Back to pair sets (Esc)"))
        self.export.setToolTip(tr("This set without the pairs left out, as a pair set"))
        self.export_all.setToolTip(tr("All sets of the folder without the pairs left out"))
        form = QWidget()
        left = QVBoxLayout(form)
        left.setContentsMargins(0, 0, 0, 0)
        left.setSpacing(8)
        left.addWidget(heading(tr("Pair set")))
        for widget in (self.sets, self.filter, self.left_out):
            left.addWidget(widget)
        left.addStretch(1)
        form.setFixedWidth(form.sizeHint().width())
        middle = QHBoxLayout()
        middle.setSpacing(16)
        middle.addWidget(form)
        middle.addWidget(self.table, 1)
        last = QHBoxLayout()
        last.setSpacing(8)
        for button in (self.back, self.export, self.export_all):
            last.addWidget(button)
        last.addWidget(self.message, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        column.addLayout(middle, 1)
        column.addLayout(last)

    def _connect(self) -> None:
        self.back.clicked.connect(self._on_back)
        self.export.clicked.connect(self._on_export)
        self.export_all.clicked.connect(self._on_export_all)
        self.sets.activated.connect(self._look)
        self.left_out.toggled.connect(self._look)
        self.filter.changed.connect(self._waiting.start)
        self._waiting.timeout.connect(self._look)
        self._looking.answered.connect(self._on_pairs)
        self._looking.failed.connect(self._shared.notices.error)
        self._exporting.answered.connect(self._on_exported)
        self._exporting.failed.connect(self._shared.notices.error)
        add_key("Esc", self, self._on_back)

    @Slot()
    def _look(self) -> None:
        path = self.sets.currentData()
        if path is not None:
            only = self.left_out.isChecked()
            self._looking.ask(
                partial(_look_at_pairs, self._reader, path, self.filter.chosen, left_out=only)
            )

    @Slot(object)
    def _on_pairs(self, answer: tuple[ShownPairs, PairFilter]) -> None:
        shown, self._shown_filter = answer
        header = (tr("Term"), tr("Term"), tr("Label"), tr("Concept"), tr("Concept"), tr("Left out"))
        rows = [
            (
                pair.left, pair.right, whole_label(pair.label),
                pair.left_concept, pair.right_concept,
                told_reason(reason) if reason else "",
            )
            for pair, reason in shown.pairs
        ]  # fmt: skip
        self.model.show_rows(header, rows, (2,))
        parts = [trn("{n:,} pair", "{n:,} pairs", shown.remaining), told_counts(shown.left_out)]
        total = sum(shown.left_out.values()) if self.left_out.isChecked() else shown.remaining
        if total > len(rows):
            parts.append(tr("the first {n:,} are shown", n=len(rows)))
        self.message.setText(" · ".join(filter(None, parts)))
        self.export.setText(tr("Export set ({n:,})…", n=shown.remaining))
        self.export.setEnabled(shown.remaining > 0)

    @Slot()
    def _on_back(self) -> None:
        self._looking.forget()
        self._reader.forget()
        self.left.emit()

    @Slot()
    def _on_export(self) -> None:
        source: Path | None = self.sets.currentData()
        if source is None:
            return
        title, types = tr("Export set"), translated(_TYPES)
        if out := ask_save_path(self, "tables", title, source.name, types):
            self._exporting.ask(partial(export_pairs, source, out, self._shown_filter))

    @Slot()
    def _on_export_all(self) -> None:
        sources = [self.sets.itemData(row) for row in range(self.sets.count())]
        if folder := ask_output_folder(self, "pair_sets", tr("Folder for the exported pair sets")):
            self._exporting.ask(partial(export_pair_sets, sources, folder, self._shown_filter))

    @Slot(object)
    def _on_exported(self, exported: ExportedSets) -> None:
        message = trn(
            "Exported {n:,} pair to {path}", "Exported {n:,} pairs to {path}", exported.pairs,
            path=exported.out,
        )  # fmt: skip
        self._shared.notices.tell(
            " · ".join(filter(None, (message, told_counts(exported.left_out))))
        )


def _look_at_pairs(
    reader: PairSetReader, path: Path, left_out_for: PairFilter, *, left_out: bool
) -> tuple[ShownPairs, PairFilter]:
    return reader.look_at_pairs(path, left_out_for, left_out=left_out), left_out_for


def _make_columns() -> tuple[Column, ...]:
    return (
        Column("left", share=3, least=140),
        Column("right", share=3, least=140),
        Column("label", f"{tr('Label')}__"),
        Column("left concept", share=1, least=80),
        Column("right concept", share=1, least=80),
        Column("left out", share=1, least=90),
    )
