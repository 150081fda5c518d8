"""A table of texts that is known whole: previews, reports, lists of terms."""

from collections.abc import Collection, Sequence
from typing import Any, TypeAlias

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

Index: TypeAlias = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()


class PlainTableModel(QAbstractTableModel):
    """Rows of cells under a header."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.header: tuple[str, ...] = ()
        self.rows: list[Sequence[object]] = []
        self.figures: frozenset[int] = frozenset()

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

    def rowCount(self, parent: Index = _NO_INDEX) -> int:  # noqa: N802
        """How many rows."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NO_INDEX) -> int:  # noqa: N802
        """How many columns."""
        return 0 if parent.isValid() else len(self.header)

    def headerData(  # noqa: N802
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The header's texts."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.header[section]
        return self._side(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A cell's text, whole in the tooltip too."""
        row = self.rows[index.row()]
        value = row[index.column()] if index.column() < len(row) else ""
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return f"{value:,}" if isinstance(value, int) else str(value)
        return self._side(index.column()) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def _side(self, column: int) -> Qt.AlignmentFlag:
        right = column in self.figures
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter
