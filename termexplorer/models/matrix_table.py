"""Encoders by sets and tasks: a row an encoder, its mean rank and mean, then a column each."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QFont

from termexplorer.models.columns import NO_INDEX, ColumnsModel, Index
from termexplorer.services.evaluate.matrix import (
    CellStanding,
    EvaluationMatrix,
    MatrixCell,
    MatrixColumn,
    MatrixRow,
)
from termexplorer.services.evaluate.matrix_tables import MISSING, cell_text, cell_tip
from termexplorer.texts import number, tr

ENCODER, MEAN_RANK, MEAN, FIRST_SET = range(4)  # columns


class MatrixTableModel(ColumnsModel):
    """Rows in the order of the matrix, unless sorted by a column."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.matrix = EvaluationMatrix()
        self._labels: Mapping[int, str] = {}
        self._rows: list[MatrixRow] = []
        self._sorted = (-1, Qt.SortOrder.AscendingOrder)

    def show_matrix(
        self,
        matrix: EvaluationMatrix,
        labels: Mapping[int, str],
        titles: Sequence[str],
        tips: Sequence[str],
    ) -> None:
        """Show another matrix, sorted as the one before.

        Args:
            matrix: what is shown.
            labels: of encoders, by their ids.
            titles: over its columns.
            tips: what these are of.
        """
        self.beginResetModel()
        self.matrix, self._labels = matrix, labels
        self.header = (tr("Encoder"), tr("Mean rank").replace(" ", "\n"), tr("Mean"), *titles)
        self.figures = range(1, len(self.header))
        self.tips = dict(enumerate(tips, FIRST_SET))
        self._rows = self._arranged()
        self.endResetModel()

    @property
    def shown_matrix(self) -> EvaluationMatrix:
        """The matrix with its rows in the order on show."""
        return replace(self.matrix, rows=tuple(self._rows))

    def matrix_column(self, column: int) -> MatrixColumn | None:
        """Return what a column of the table is of; None for the encoders and the means."""
        at = column - FIRST_SET
        return self.matrix.columns[at] if 0 <= at < len(self.matrix.columns) else None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column, cells without a figure last; by none, as in the matrix."""
        self._sorted = (column, order)
        self.beginResetModel()
        self._rows = self._arranged()
        self.endResetModel()

    def headerData(  # noqa: N802
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The best figure comes first at the first click."""
        if role == Qt.ItemDataRole.InitialSortOrderRole and section > MEAN_RANK:
            return Qt.SortOrder.DescendingOrder
        return super().headerData(section, orientation, role)

    def rowCount(self, parent: Index = NO_INDEX) -> int:  # noqa: N802
        """How many encoders."""
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A cell: figure and sign, its interval in the tooltip."""
        row, column = self._rows[index.row()], index.column()
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self.side(column)
        if self.matrix_column(column) is None:
            is_text = role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
            return self._text(row, column) if is_text else None
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{self._labels[row.encoder_id]}\n{cell_tip(row.cells[column - FIRST_SET])}"
        return _cell_data(row.cells[column - FIRST_SET], role)

    def _text(self, row: MatrixRow, column: int) -> str:
        if column == ENCODER:
            return self._labels[row.encoder_id]
        value, spec = (row.mean_rank, ".2f") if column == MEAN_RANK else (row.mean, ".3f")
        return MISSING if value is None else number(value, spec)

    def _arranged(self) -> list[MatrixRow]:
        column, order = self._sorted
        rows = list(self.matrix.rows)
        if not 0 <= column < len(self.header):
            return rows
        if column == ENCODER:
            rows.sort(key=lambda row: self._labels[row.encoder_id].casefold())
            return rows[::-1] if order == Qt.SortOrder.DescendingOrder else rows
        values = {row.encoder_id: self._value(row, column) for row in rows}
        present = [row for row in rows if values[row.encoder_id] is not None]
        present.sort(
            key=lambda row: values[row.encoder_id] or 0.0,
            reverse=order == Qt.SortOrder.DescendingOrder,
        )
        return present + [row for row in rows if values[row.encoder_id] is None]

    def _value(self, row: MatrixRow, column: int) -> float | None:
        if self.matrix_column(column) is not None:
            cell = row.cells[column - FIRST_SET]
            return None if cell is None else cell.figure.value
        return row.mean_rank if column == MEAN_RANK else row.mean


def _cell_data(cell: MatrixCell | None, role: int) -> Any:
    if role == Qt.ItemDataRole.DisplayRole:
        return cell_text(cell)
    if role == Qt.ItemDataRole.FontRole and cell and cell.standing is CellStanding.BEST:
        font = QFont()
        font.setWeight(QFont.Weight.Bold)
        return font
    return None
