"""All encoders by all sets and tasks that were evaluated, at one sight."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from termexplorer.errors import UserError
from termexplorer.models.matrix_table import MatrixTableModel
from termexplorer.questions import LatestQueryWorker
from termexplorer.services.evaluate.evaluation import ON_PAIRS, TASKS
from termexplorer.services.evaluate.matrix import EvaluationMatrix, MatrixColumn, gather_matrix
from termexplorer.services.evaluate.matrix_tables import matrix_notes, write_matrix
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.store.encoders.evaluations import describe_data
from termexplorer.texts import mark, number, tr, translated
from termexplorer.views.evaluate.words import task_title
from termexplorer.views.widgets.file_dialogs import ask_save_path
from termexplorer.views.widgets.forms import choice, heading, quiet
from termexplorer.views.widgets.tables.sorted_table import SortedTable
from termexplorer.views.widgets.tables.table import Column
from termexplorer.views.widgets.ui_state import UiState
from termexplorer.views.window.page import Shared

_FORMATS = mark("Excel (*.xlsx);;CSV (*.csv);;LaTeX (*.tex);;HTML (*.html)")
_TASK = "evaluate/matrix_task"
_PARTS = re.compile(r"[^\s_-]*[\s_-]+|[^\s_-]+")
_TITLE_PAD = 30  # pixels beside a title, with the arrow of the column that sorts
_LETTERS = 12  # in a line of a title


class MatrixTable(SortedTable):
    """Shows a `MatrixTableModel`; figures have what they need, and the encoder the rest."""

    def __init__(self, model: MatrixTableModel, session: UiState) -> None:
        self._matrix_model = model
        super().__init__(mark("Encoders by sets and tasks"), model, session)
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideNone)

    def columns(self) -> Sequence[Column]:
        """As many as there are sets."""
        sets = len(self._matrix_model.matrix.columns)
        figures = [Column(f"set {at}", "▼ 0.000__") for at in range(sets)]
        means = [Column("mean rank", "00.00__"), Column("mean", "0.000__")]
        columns = [Column("encoder", share=1, least=180), *means, *figures]
        return columns[: self._matrix_model.columnCount()]

    def _title_width(self, n: int) -> int:
        """Return the pixels of the longest line of a title; all columns are to be narrow."""
        metrics = self.horizontalHeader().fontMetrics()
        lines = str(self._matrix_model.header[n]).split("\n")
        return max(map(metrics.horizontalAdvance, lines)) + _TITLE_PAD


class EvaluationMatrixView(QWidget):
    """The matrix of the ontology on show, and of all pair sets.

    Signals:
        left: the list of single evaluations is wanted.
        chosen: task and data hash of a column that is to be seen by itself.
    """

    left = Signal()
    chosen = Signal(str, str)

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._ontology: Ontology | None = None
        self._labels: Mapping[int, str] = {}
        self._ticked: Sequence[int] = ()
        self.task = choice(tr("Tasks in the matrix"), 14)
        self.ticked_only = QCheckBox(tr("Ticked encoders only"))
        self.ticked_only.setToolTip(tr("p is corrected over the encoders shown"))
        self.back = QPushButton(tr("Single evaluations"))
        self.export = QPushButton(tr("Export matrix…"))
        self.export.setToolTip(tr("As XLSX, CSV, LaTeX or HTML"))
        self.model = MatrixTableModel(self)
        self.table = MatrixTable(self.model, shared.session)
        self.table.hint = tr("No evaluation matches.")
        self.notes = quiet()
        self._reading = LatestQueryWorker(self)
        self._fill_tasks()
        self._lay_out()
        self._reading.answered.connect(self._on_matrix)
        self._reading.failed.connect(shared.notices.error)
        self.task.currentIndexChanged.connect(self._ask)
        self.ticked_only.toggled.connect(self._ask)
        self.back.clicked.connect(self.left)
        self.export.clicked.connect(self._on_export)
        self.table.activated.connect(self._on_activated)

    def close_matrix(self) -> None:
        """Keep what is chosen, and end the thread."""
        self._shared.session.keep_place(_TASK, self.task.currentData() or "")
        self._reading.close()

    def show_stored(self, ontology: Ontology | None, labels: Mapping[int, str]) -> None:
        """Show what is stored for an ontology now.

        Args:
            ontology: the one on show; None for none.
            labels: of encoders, by their ids.
        """
        self._ontology, self._labels = ontology, labels
        self._ask()

    def use_ticked(self, encoder_ids: Sequence[int]) -> None:
        """Show these encoders alone, where only ticked ones are wanted."""
        self._ticked = encoder_ids
        if self.ticked_only.isChecked():
            self._ask()

    def _fill_tasks(self) -> None:
        self.task.addItem(tr("All tasks"), "")
        for task in TASKS:
            self.task.addItem(task_title(task), task)
        index = self.task.findData(self._shared.session.place(_TASK))
        self.task.setCurrentIndex(max(index, 0))

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(heading(tr("Matrix")), 1)
        head.addWidget(self.back)
        head.addWidget(self.export)
        filters = QHBoxLayout()
        filters.setSpacing(16)
        filters.addWidget(self.task)
        filters.addWidget(self.ticked_only)
        filters.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 8)
        column.setSpacing(8)
        column.addLayout(head)
        column.addLayout(filters)
        column.addWidget(self.table, 1)
        column.addWidget(self.notes)

    @Slot()
    def _ask(self) -> None:
        ids = self._ticked if self.ticked_only.isChecked() else ()
        self._reading.ask(
            partial(
                gather_matrix,
                self._shared.workspace,
                self._ontology,
                task=self.task.currentData() or "",
                encoder_ids=tuple(ids),
            )
        )

    @Slot(object)
    def _on_matrix(self, matrix: EvaluationMatrix) -> None:
        ids = {row.encoder_id for row in matrix.rows}
        if not ids <= set(self._labels):  # another process made one; it is shown when it is read
            return
        titles = [_short_title(column) for column in matrix.columns]
        tips = [_column_tip(column) for column in matrix.columns]
        with QSignalBlocker(self.table.selectionModel()):
            self.model.show_matrix(matrix, self._labels, titles, tips)
        self.notes.setText(" ".join(matrix_notes(matrix)) if matrix.columns else "")
        self.export.setEnabled(bool(matrix.columns))

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        column = self.model.matrix_column(index.column())
        if column is not None:
            self.chosen.emit(column.task, column.data_hash)

    @Slot()
    def _on_export(self) -> None:
        name = f"{tr('matrix')}.xlsx"
        path = ask_save_path(self, "tables", tr("Export"), name, translated(_FORMATS))
        if path is None:
            return
        try:
            write_matrix(path, self.model.shown_matrix, self._labels)
        except UserError as error:
            self._shared.notices.error(str(error))
        else:
            self._shared.notices.tell(tr("The matrix is written to {path}", path=path))


def _short_title(column: MatrixColumn) -> str:
    """Return the set or task in a line, the metric and items below it."""
    if column.name:
        name = column.name
    elif column.task.partition(",")[0] in ON_PAIRS:
        name = column.title.rpartition(", ")[0] or column.title
    elif column.level is not None:
        name = tr("{task}, level {level}", task=task_title(column.task), level=column.level)
    else:
        name = task_title(column.task)
    lines = (*_wrap_name(name), translated(column.metric), f"n = {number(column.n)}")
    return "\n".join(lines)


def _wrap_name(name: str) -> Iterator[str]:
    """Break a title, also behind the low lines of a file's name."""
    line = ""
    for part in _PARTS.findall(name):
        if line and len(line) + len(part.rstrip()) > _LETTERS:
            yield line.rstrip()
            line = ""
        line += part
    yield line.rstrip()


def _column_tip(column: MatrixColumn) -> str:
    data = describe_data(column.title, column.level)
    return "\n".join(filter(None, (column.name, task_title(column.task), data)))
