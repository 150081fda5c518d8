"""The table of all runs, and what can be done with those that are selected."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from termexplorer.models.runs_table import NOTES, TITLE, RunsTableModel
from termexplorer.services.train.runs import CAN_GO_ON, RunInfo
from termexplorer.texts import mark, tr, translated, trn
from termexplorer.views.widgets.focus import WayBack
from termexplorer.views.widgets.forms import heading
from termexplorer.views.widgets.keys import add_key
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.widgets.tables.table import Column, Table
from termexplorer.views.widgets.ui_state import UiState

_COLUMNS = (
    Column("run", "000"),
    Column("title", share=2.5, least=140),
    Column("status", mark("interrupted")),
    Column("level", share=1, least=52),  # what else is there than a number, the title says too
    Column("ontology", share=1, least=60),
    Column("mAP", "0.000 (0.000)"),
    Column("MRR", "0.000 (0.000)"),
    Column("created", "2026-01-01_"),
    Column("notes", share=1, least=60),
)


class RunList(QWidget):
    """Shows a `RunsTableModel`.

    Signals:
        selected: a list of `RunInfo`, the newest first.
        go_on: a run that is to be gone on with.
        again: a run that is to be done once more.
        deletion: a list of runs that may be deleted, unless something is against it; `ask` then.
        delete: a list of runs that are to be deleted; it was confirmed.
    """

    selected = Signal(object)
    go_on = Signal(object)
    again = Signal(object)
    deletion = Signal(object)
    delete = Signal(object)

    def __init__(
        self, runs: RunsTableModel, session: UiState, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._runs = runs
        self._busy: frozenset[int] = frozenset()
        self._left: list[int] = []  # ids of runs that were selected before the model changed
        self.table = _RunsTable(runs, session)
        self.go_on_button = QPushButton(tr("Go on"))
        self.again_button = QPushButton(tr("Run again"))
        self.delete_button = QPushButton(tr("Delete…"))
        self.confirm = QFrame()
        self.confirm.setObjectName("floating")
        self._way_back = WayBack(self.confirm)
        self.question = PlainLabel(wordWrap=True)
        self.really = QPushButton(tr("Delete"))
        self.keep = QPushButton(tr("Keep"))
        self._lay_out()
        self._connect()
        self._on_selection()

    def chosen(self) -> list[RunInfo]:
        """The runs that are selected, the newest first."""
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        return [self._runs.run(row) for row in rows]

    def choose(self, *run_ids: int) -> None:
        """Selects runs."""
        selection = QItemSelection()
        for row in (self._runs.row_of(run_id) for run_id in run_ids):
            if row >= 0:
                selection.select(self._runs.index(row, 0), self._runs.index(row, NOTES))
        flag, model = QItemSelectionModel.SelectionFlag, self.table.selectionModel()
        if not selection.isEmpty():
            model.setCurrentIndex(selection.indexes()[0], flag.NoUpdate)  # keys go on from there
        model.select(selection, flag.ClearAndSelect)

    def ask(self, runs: Sequence[RunInfo]) -> None:
        """Asks whether the runs that are selected are to be deleted."""
        self.question.setText(
            trn(
                "Delete run {runs}, “{title}”, with encoder, vectors and figures? This cannot be "
                "undone.",
                "Delete these {n} runs ({runs}) with encoder, vectors and figures? This cannot be "
                "undone.",
                len(runs),
                title=runs[0].shown_title,
                runs=", ".join(str(run.id) for run in runs),
            )
        )
        self.confirm.show()
        self.keep.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_busy(self, run_ids: frozenset[int]) -> None:
        """These train or wait: they cannot be deleted or gone on with."""
        self._busy = run_ids
        self._allow()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(heading(tr("Runs")), 1)
        for button in (self.go_on_button, self.again_button, self.delete_button):
            head.addWidget(button)
        sure = QHBoxLayout(self.confirm)
        sure.setContentsMargins(12, 8, 12, 8)
        sure.addWidget(self.question, 1)
        sure.addWidget(self.really)
        sure.addWidget(self.keep)
        self.confirm.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 8, 16, 8)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.confirm)
        column.addWidget(self.table, 1)

    def _connect(self) -> None:
        self.table.selectionModel().selectionChanged.connect(self._on_selection)
        self._runs.modelAboutToBeReset.connect(self._on_leaving)
        self._runs.modelReset.connect(self._on_back)
        self._runs.dataChanged.connect(self._allow)
        self.go_on_button.clicked.connect(self._on_go_on)
        self.again_button.clicked.connect(self._on_again)
        self.delete_button.clicked.connect(self._on_delete)
        self.really.clicked.connect(self._on_really)
        self.keep.clicked.connect(self._on_keep)
        add_key("Esc", self.confirm, self.keep.click)

    @Slot()
    def _allow(self) -> None:
        chosen = self.chosen()
        is_single = len(chosen) == 1
        busy = any(run.id in self._busy for run in chosen)
        can = is_single and chosen[0].status in CAN_GO_ON and not busy
        why_not = (
            tr("It is already running or queued")
            if busy
            else tr("Select one interrupted run first")
        )
        _set_enabled(self.go_on_button, can, tr("From its last epoch") if can else why_not)
        why = (
            tr("Run again with the same settings and seed")
            if is_single
            else tr("Select one run first")
        )
        _set_enabled(self.again_button, is_single, why)
        why = tr("Select runs first") if not chosen else tr("Cancel the running training first")
        free = bool(chosen) and not busy
        _set_enabled(
            self.delete_button, free, tr("With encoder, vectors and figures") if free else why
        )

    @Slot()
    def _on_selection(self) -> None:
        self.confirm.hide()
        self._allow()
        self.selected.emit(self.chosen())

    @Slot()
    def _on_leaving(self) -> None:
        self._left = [run.id for run in self.chosen()]

    @Slot()
    def _on_back(self) -> None:
        """Other runs are there: those that were selected still are."""
        self.choose(*self._left)
        self._on_selection()

    @Slot()
    def _on_go_on(self) -> None:
        self.go_on.emit(self.chosen()[0])

    @Slot()
    def _on_again(self) -> None:
        self.again.emit(self.chosen()[0])

    @Slot()
    def _on_delete(self) -> None:
        self.deletion.emit(self.chosen())

    @Slot()
    def _on_keep(self) -> None:
        self._way_back.go()
        self.confirm.hide()

    @Slot()
    def _on_really(self) -> None:
        chosen = self.chosen()
        self._on_keep()
        self.delete.emit(chosen)


class _RunsTable(Table):
    def __init__(self, runs: RunsTableModel, session: UiState) -> None:
        super().__init__(mark("Runs"), runs, session)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.hint = tr("No runs yet: fill in the form at the left and press Train.")

    def columns(self) -> Sequence[Column]:
        """Title, level, ontology and notes share what the others leave."""
        return [replace(column, sample=translated(column.sample)) for column in _COLUMNS]

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """F2 renames the run, unless another cell that can be edited is the current one."""
        current = self.currentIndex()
        if event.key() == Qt.Key.Key_F2 and current.isValid() and current.column() != NOTES:
            self.setCurrentIndex(current.siblingAtColumn(TITLE))
        super().keyPressEvent(event)


def _set_enabled(button: QPushButton, can: bool, tip: str) -> None:
    button.setEnabled(can)
    button.setToolTip(tip)
