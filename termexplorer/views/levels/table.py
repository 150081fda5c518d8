"""The table of a level's classes, with a filter."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from termexplorer.models.class_table import CODE, LABEL, NAMES, REASON, ClassTableModel
from termexplorer.texts import mark
from termexplorer.views.widgets.tables.sorted_table import ARROW
from termexplorer.views.widgets.tables.table import Column, Table
from termexplorer.views.widgets.ui_state import UiState

_CODE = "code"
_SEEN = 50  # rows whose codes tell how wide codes are
_PAD = 10  # pixels that the style draws beside what it asks for
_WIDEST_CODE = 240  # pixels; longer ones are cut in the middle
_COLUMNS = (
    Column(_CODE, "HP:0000000 ___"),
    Column("class", share=7, least=120),
    Column("names", "000,000"),
    Column("share", "100.0%"),
    Column("reason", share=3, least=120),
)


class ClassTable(Table):
    """Shows a `ClassTableModel`; the class takes the room.

    Signals:
        chosen: the concept id of the row that was clicked or entered.
    """

    chosen = Signal(object)

    def __init__(
        self, classes: ClassTableModel, session: UiState, parent: QWidget | None = None
    ) -> None:
        super().__init__(mark("Classes"), classes, session, parent)
        self._classes = classes
        self._marked: int | None = None  # id of a concept
        self._row = -1
        self.setSortingEnabled(True)
        header = self.horizontalHeader()
        header.setStyleSheet(ARROW)
        header.setSortIndicator(NAMES, Qt.SortOrder.DescendingOrder)
        classes.modelAboutToBeReset.connect(self._on_leaving)
        classes.modelReset.connect(self._on_back)
        self.clicked.connect(self._on_entered)
        self.activated.connect(self._on_entered)

    def columns(self) -> Sequence[Column]:
        """The class takes the room, with the reason where one is left out."""
        return _COLUMNS

    def fixed_width(self, column: Column) -> int:
        """Codes have room beside their boxes to tick."""
        width = super().fixed_width(column)
        if column.key != _CODE or self.is_own(column):
            return width
        rows = range(min(self._classes.rowCount(), _SEEN))
        codes = (self._classes.index(row, CODE) for row in rows)
        needed = max((self.sizeHintForIndex(code).width() for code in codes), default=0)
        return max(width, min(needed + _PAD, _WIDEST_CODE))

    def mark(self, concept_id: int | None) -> None:
        """Selects the row of a concept, if it is there, without telling."""
        if concept_id == self._marked and self.hasFocus():
            return  # the user is in a row of his own choice
        self._marked = concept_id
        row = self._classes.row_of(concept_id)
        if row < 0:
            self.clearSelection()
        elif row != self.currentIndex().row() or not self.selectionModel().hasSelection():
            self.selectRow(row)
            self.scrollTo(self._classes.index(row, LABEL))

    @Slot()
    def fit(self) -> None:
        """Shows why classes are left out, if any is."""
        self.setColumnHidden(REASON, not self._classes.has_left_out)
        super().fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Space ticks the row, whichever cell is the current one."""
        if event.key() == Qt.Key.Key_Space and self.currentIndex().isValid():
            code = self.currentIndex().siblingAtColumn(CODE)
            role = Qt.ItemDataRole.CheckStateRole
            ticked = Qt.CheckState(code.data(role) or 0) == Qt.CheckState.Checked
            other = Qt.CheckState.Unchecked if ticked else Qt.CheckState.Checked
            self._classes.setData(code, other, role)
        else:
            super().keyPressEvent(event)

    @Slot()
    def _on_leaving(self) -> None:
        self._row = self.currentIndex().row()

    @Slot()
    def _on_back(self) -> None:
        """Stays where the user was: he may go on from there with the keys."""
        if self._row >= 0 and self.hasFocus() and self._classes.rowCount():
            self.selectRow(min(self._row, self._classes.rowCount() - 1))

    @Slot(QModelIndex)
    def _on_entered(self, index: QModelIndex) -> None:
        if index.isValid():
            self.chosen.emit(self._classes.row(index.row()).concept_id)
