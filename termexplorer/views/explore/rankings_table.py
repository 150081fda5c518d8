"""The table of rankings: names take the room, figures as much as they need."""

from collections.abc import Sequence

from PySide6.QtCore import QLocale, QModelIndex, QPersistentModelIndex, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QStyledItemDelegate, QWidget

from termexplorer.models.rankings import ColumnPart, RankingsModel
from termexplorer.services.explore.concept_links import NamedConcept
from termexplorer.texts import mark
from termexplorer.views.widgets.tables.group_table import READABLE_LETTERS, GroupTable
from termexplorer.views.widgets.tables.table import Column
from termexplorer.views.widgets.ui_state import UiState

_WIDEST_LETTERS = 100  # a name in a wider column would stand too far from its figures
_LONGEST_CODE = 12
_SAMPLES = {
    ColumnPart.RANK: "00",
    ColumnPart.SIMILARITY: ".00",
    ColumnPart.RELATION: "~",
    ColumnPart.MOVE: "+000",
}


class _MoveDelegate(QStyledItemDelegate):
    """Keeps a move apart from the name that follows it."""

    def displayText(self, value: object, _locale: QLocale | QLocale.Language) -> str:  # noqa: N802
        return f"{value}   "


class RankingsTable(GroupTable):
    """Shows a `RankingsModel`.

    Signals:
        gone_to: release id and concept id of the row that was entered.
    """

    gone_to = Signal(object, object)

    def __init__(
        self, rankings: RankingsModel, session: UiState, parent: QWidget | None = None
    ) -> None:
        self._rankings = rankings
        super().__init__(mark("Rankings"), rankings, session, parent)
        self._moves = _MoveDelegate(self)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.activated.connect(self._on_activated)
        self.selectionModel().currentChanged.connect(self._on_current)

    def columns(self) -> Sequence[Column]:
        """Names take the room, as wide as each other; how wide depends on how many there are."""
        letter = self.fontMetrics().averageCharWidth()
        names = Column(
            f"{len(self._rankings.columns)} names", share=1, most=_WIDEST_LETTERS * letter
        )
        code = Column("code", self._rankings.longest_code[:_LONGEST_CODE])
        other_columns = {part: Column(part.value, sample) for part, sample in _SAMPLES.items()}
        wide = other_columns | {ColumnPart.NAME: names, ColumnPart.CODE: code}
        return [wide[part] for part in self.parts()]

    @Slot()
    def fit(self) -> None:
        """Shows codes where there is room; names take two lines where there is little."""
        columns, parts = self.columns(), self.parts()
        codes, names = parts.count(ColumnPart.CODE), max(parts.count(ColumnPart.NAME), 1)
        fixed = sum(self.fixed_width(column) for column in columns)
        code = next((self.fixed_width(c) for c in columns if c.key == "code"), 0)
        readable = READABLE_LETTERS * self.fontMetrics().averageCharWidth()
        room = self.viewport().width() - fixed
        with_code = room >= names * readable
        self.setWordWrap(room + codes * code < names * readable)
        for column, part in enumerate(parts):
            self.setColumnHidden(column, part is ColumnPart.CODE and not with_code)
        super().fit()
        for column, part in enumerate(parts):
            if part is not ColumnPart.NAME:
                moves = part is ColumnPart.MOVE
                self.setItemDelegateForColumn(column, self._moves if moves else self.itemDelegate())

    def concept_at(self, index: QModelIndex | QPersistentModelIndex) -> NamedConcept | None:
        """Return the concept of a cell, with the name that is ranked."""
        row = self._rankings.ranked(index)
        return NamedConcept(row.curie, row.code, row.text, row.ontology_id) if row else None

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        row = self._rankings.ranked(index)
        if row:
            self.gone_to.emit(row.ontology_id, row.concept_id)

    @Slot(QModelIndex, QModelIndex)
    def _on_current(self, index: QModelIndex, _before: QModelIndex) -> None:
        self._rankings.mark(index)
