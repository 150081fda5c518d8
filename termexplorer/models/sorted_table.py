"""A table that is known whole, of texts and figures, sorted by any column."""

from collections.abc import Collection, Sequence
from typing import Any

from PySide6.QtCore import QObject, Qt

from termexplorer.models.columns import Index
from termexplorer.models.plain_table import PlainTableModel
from termexplorer.texts import number


class SortedTableModel(PlainTableModel):
    """Rows in the order in which they came, unless sorted otherwise.

    Args:
        digits: of figures behind the point.
    """

    def __init__(self, parent: QObject | None = None, *, digits: int = 2) -> None:
        super().__init__(parent)
        self._digits = digits
        self._unsorted: list[Sequence[object]] = []
        self._sorted = (-1, Qt.SortOrder.AscendingOrder)

    def show_rows(
        self,
        header: Sequence[str],
        rows: Sequence[Sequence[object]],
        figures: Collection[int] = (),
    ) -> None:
        """Shows other rows, sorted as those before; None and NaN are shown as a dash."""
        self._unsorted = list(rows)
        super().show_rows(header, self._arranged(), figures)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sorts by a column; by none, as they came."""
        self._sorted = (column, order)
        self.beginResetModel()
        self.rows = self._arranged()
        self.endResetModel()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A cell's text, whole in the tooltip too."""
        value = self.rows[index.row()][index.column()]
        shown = role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
        if shown and (value is None or isinstance(value, float)):
            return "–" if _is_missing(value) else number(value, f",.{self._digits}f")
        return super().data(index, role)

    def _arranged(self) -> list[Sequence[object]]:
        column, order = self._sorted
        if column < 0:
            return list(self._unsorted)
        known_rows = [row for row in self._unsorted if not _is_missing(row[column])]
        known_rows.sort(
            key=lambda row: _sort_key(row[column]), reverse=order == Qt.SortOrder.DescendingOrder
        )
        return known_rows + [row for row in self._unsorted if _is_missing(row[column])]


def _is_missing(value: object) -> bool:
    return value is None or value != value


def _sort_key(value: object) -> Any:
    return value if isinstance(value, int | float) else str(value).casefold()
