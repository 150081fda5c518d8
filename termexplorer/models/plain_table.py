"""A table of texts that is known whole: previews, reports, lists of terms."""

from collections.abc import Collection, Sequence
from typing import Any

from PySide6.QtCore import QObject, Qt

from termexplorer.models.columns import NO_INDEX, ColumnsModel, Index
from termexplorer.texts import number


class PlainTableModel(ColumnsModel):
    """Rows of cells under a header."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[Sequence[object]] = []

    def show_rows(
        self,
        header: Sequence[str],
        rows: Sequence[Sequence[object]],
        figures: Collection[int] = (),
    ) -> None:
        """Shows other rows; the columns numbered in `figures` stand at the right."""
        self.beginResetModel()
        self.figures = frozenset(figures)
        self.header = tuple(header)
        self.rows = list(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = NO_INDEX) -> int:  # noqa: N802
        """How many rows."""
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A cell's text, whole in the tooltip too."""
        row = self.rows[index.row()]
        value = row[index.column()] if index.column() < len(row) else ""
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return number(value) if isinstance(value, int) else str(value)
        return self.side(index.column()) if role == Qt.ItemDataRole.TextAlignmentRole else None
