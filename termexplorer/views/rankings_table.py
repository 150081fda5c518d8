"""The table of rankings: names take the room, figures as much as they need."""

from PySide6.QtCore import QLocale, QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QTableView,
    QWidget,
)

from termexplorer.models.rankings import Part, RankingsModel
from termexplorer.views.group_header import GroupHeader

_NARROWEST = 86
_WIDEST_LETTERS = 100
_WIDTHS = {Part.RANK: "000", Part.SIMILARITY: "−.00", Part.RELATION: "~~", Part.MOVE: "+000  "}


class _MoveDelegate(QStyledItemDelegate):
    """Keeps a move apart from the name that follows it."""

    def displayText(self, value: object, _locale: QLocale | QLocale.Language) -> str:  # noqa: N802
        return f"{value}   "


class RankingsTable(QTableView):
    """Shows a `RankingsModel`.

    Signals:
        gone_to: release id and concept id of the row that was entered.
    """

    gone_to = Signal(object, object)

    def __init__(self, rankings: RankingsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rankings = rankings
        self._moves = _MoveDelegate(self)
        self.setModel(rankings)
        self.setAccessibleName("Rankings")
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)
        self.setWordWrap(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        header = GroupHeader(rankings, self)
        self.setHorizontalHeader(header)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setMinimumSectionSize(20)
        header.setHighlightSections(False)
        rankings.modelReset.connect(self.fit)
        self.activated.connect(self._on_activated)
        self.selectionModel().currentChanged.connect(self._on_current)

    @Slot()
    def fit(self) -> None:
        """Gives figures what they need and shares the rest among the names."""
        metrics = self.fontMetrics()
        self.verticalHeader().setDefaultSectionSize(metrics.height() + 12)
        parts = [self._rankings.part(c)[1] for c in range(self._rankings.columnCount())]
        fixed = {
            part: metrics.horizontalAdvance(text) + (12 if part is Part.RELATION else 14)
            for part, text in _WIDTHS.items()
        }
        names = parts.count(Part.NAME)
        room = self.viewport().width() - sum(fixed.get(part, 0) for part in parts)
        # a name in a far wider column would stand too far from its figures
        share = min(room // max(names, 1), _WIDEST_LETTERS * metrics.averageCharWidth())
        policy = Qt.ScrollBarPolicy
        fits = share >= _NARROWEST
        self.setHorizontalScrollBarPolicy(
            policy.ScrollBarAlwaysOff if fits else policy.ScrollBarAsNeeded
        )
        for column, part in enumerate(parts):
            self.setColumnWidth(column, fixed.get(part) or max(share, _NARROWEST))
            moves = part is Part.MOVE
            self.setItemDelegateForColumn(column, self._moves if moves else self.itemDelegate())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Shares the new room."""
        super().resizeEvent(event)
        self.fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Copies the name of the current cell."""
        row = self._rankings.ranked(self.currentIndex())
        if event.matches(QKeySequence.StandardKey.Copy) and row:
            QGuiApplication.clipboard().setText(row.text)
        else:
            super().keyPressEvent(event)

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        row = self._rankings.ranked(index)
        if row:
            self.gone_to.emit(row.ontology_id, row.concept_id)

    @Slot(QModelIndex, QModelIndex)
    def _on_current(self, index: QModelIndex, _before: QModelIndex) -> None:
        self._rankings.mark(index)
