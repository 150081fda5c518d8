"""The table of a level's classes, with a filter."""

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from termexplorer.models.class_table import CODE, LABEL, NAMES, REASON, SHARE, ClassTableModel

_SAMPLES = {CODE: "HP:0000000 ___", NAMES: "000,000 _", SHARE: "100.0% _"}
_ARROW = (  # over the title, where it hides nothing
    "QHeaderView::down-arrow, QHeaderView::up-arrow { subcontrol-origin: padding;"
    " subcontrol-position: top center; width: 10px; height: 6px; }"
)
_REASON_SHARE = 0.3


class ClassTable(QTableView):
    """Shows a `ClassTableModel`; the class takes the room.

    Signals:
        chosen: the concept id of the row that was clicked or entered.
    """

    chosen = Signal(object)

    def __init__(self, classes: ClassTableModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._classes = classes
        self.setModel(classes)
        self.setAccessibleName("Classes")
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)
        self.setWordWrap(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setSortingEnabled(True)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setHighlightSections(False)
        header.setStyleSheet(_ARROW)
        header.setSortIndicator(NAMES, Qt.SortOrder.DescendingOrder)
        classes.modelReset.connect(self.fit)
        self.clicked.connect(self._on_entered)
        self.activated.connect(self._on_entered)

    def mark(self, concept_id: int | None) -> None:
        """Selects the row of a concept, if it is there, without telling."""
        row = self._classes.row_of(concept_id)
        if row < 0:
            self.clearSelection()
        elif row != self.currentIndex().row() or not self.selectionModel().hasSelection():
            self.selectRow(row)
            self.scrollTo(self._classes.index(row, LABEL))

    @Slot()
    def fit(self) -> None:
        """Gives figures what they need."""
        metrics = self.fontMetrics()
        self.verticalHeader().setDefaultSectionSize(metrics.height() + 10)
        self.setColumnHidden(REASON, not self._classes.has_left_out)
        room = self.viewport().width()
        widths = {column: metrics.horizontalAdvance(text) for column, text in _SAMPLES.items()}
        widths[REASON] = int(room * _REASON_SHARE) if self._classes.has_left_out else 0
        widths[LABEL] = max(room - sum(widths.values()), 120)
        for column, width in widths.items():
            self.setColumnWidth(column, width)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Shares the new room."""
        super().resizeEvent(event)
        self.fit()

    @Slot(QModelIndex)
    def _on_entered(self, index: QModelIndex) -> None:
        if index.isValid():
            self.chosen.emit(self._classes.row(index.row()).concept_id)
