"""Tables whose columns are known beforehand: what stands over them, and at which side."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeAlias

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from termexplorer.models.plain_cells import PlainCells

Index: TypeAlias = QModelIndex | QPersistentModelIndex
NO_INDEX = QModelIndex()


class ColumnsModel(PlainCells, QAbstractTableModel):
    """A table with a header; the rows are up to who inherits it.

    Attributes:
        header: the titles of the columns.
        tips: what a column means, by its number.
        figures: the columns that stand at the right.
    """

    header: Sequence[str] = ()
    tips: Mapping[int, str] = {}
    figures: Collection[int] = ()

    def columnCount(self, parent: Index = NO_INDEX) -> int:  # noqa: N802
        """As many as have a title."""
        return 0 if parent.isValid() else len(self.header)

    def headerData(  # noqa: N802
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Titles, meanings and sides of the columns."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.header[section]
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.tips.get(section)
        return self.side(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def side(self, column: int) -> Qt.AlignmentFlag:
        """Figures at the right, texts at the left."""
        flag = Qt.AlignmentFlag
        return (flag.AlignRight if column in self.figures else flag.AlignLeft) | flag.AlignVCenter
