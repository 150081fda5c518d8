"""Tables that a click on a title sorts."""

from collections.abc import Sequence

from PySide6.QtCore import QAbstractItemModel, Qt
from PySide6.QtWidgets import QWidget

from termexplorer.texts import tr
from termexplorer.views.widgets.keys import shown_keys
from termexplorer.views.widgets.tables.table import SORT, Column, Table
from termexplorer.views.widgets.ui_state import UiState

ARROW = (  # over the title, where it hides nothing
    "QHeaderView::down-arrow, QHeaderView::up-arrow { subcontrol-origin: padding;"
    " subcontrol-position: top center; width: 10px; height: 6px; }"
)

_NONE = -1  # the column of the order in which rows come


class SortedTable(Table):
    """Shows a model that sorts; keys do it too, and a third time is the order as rows came.

    Args:
        name: marked to be translated; for screen readers, and where the widths are kept.
        model: what is shown.
        session: keeps the widths.
        columns: how wide each column is.
    """

    def __init__(
        self,
        name: str,
        model: QAbstractItemModel,
        session: UiState,
        columns: Sequence[Column] = (),
        parent: QWidget | None = None,
    ) -> None:
        self._columns = columns
        super().__init__(name, model, session, parent)
        self.setToolTip(tr("{keys} sorts by the column of the cell", keys=shown_keys(SORT)))
        header = self.horizontalHeader()
        header.setStyleSheet(ARROW)
        header.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(_NONE, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self.sort_by_keys()

    def columns(self) -> Sequence[Column]:
        """How wide each column is, of those that are there."""
        return self._columns[: self.model().columnCount()]
