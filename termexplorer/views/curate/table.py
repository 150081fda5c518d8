"""The table of suggestions, judged with one key each."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QStyledItemDelegate, QStyleOptionViewItem

from termexplorer.models.suggestion_table import WORDS, SuggestionTableModel
from termexplorer.services.curate.suggestion_lists import Suggestion
from termexplorer.services.verdicts.judging_keys import suggestion_keys
from termexplorer.services.verdicts.log import ANSWER_WORDS
from termexplorer.texts import tr, translated
from termexplorer.views.widgets.keys import shown_keys
from termexplorer.views.widgets.tables.sorted_table import ARROW
from termexplorer.views.widgets.tables.table import SORT, Column, Table
from termexplorer.views.widgets.ui_state import UiState

_LETTERS = 16  # of a code; what has more is shortened
_NONE = -1  # the column of the order in which they were found


class VerdictDelegate(QStyledItemDelegate):
    """Cuts at the end what has no room, so that what was chosen begins with its first word."""

    def initStyleOption(  # noqa: N802
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Set how a cell is drawn."""
        super().initStyleOption(option, index)
        option.textElideMode = Qt.TextElideMode.ElideRight


class SuggestionTable(Table):
    """Shows a `SuggestionTableModel`; a click on a title sorts by it.

    Signals:
        chosen: another `Suggestion` is the current one, or None.
        entered_suggestion: the `Suggestion` that was entered, by Enter or a double click.
    """

    chosen = Signal(object)
    entered_suggestion = Signal(object)

    def __init__(self, suggestions: SuggestionTableModel, session: UiState) -> None:
        self._suggestions = suggestions
        super().__init__(tr("Suggestions"), suggestions, session)
        self.setToolTip(
            tr(
                "{verdicts}; Enter shows the concept; {keys} sorts by the column of the cell",
                verdicts=", ".join(
                    f"{key} {translated(ANSWER_WORDS[answer])}"
                    for answer, key in suggestion_keys().items()
                ),
                keys=shown_keys(SORT),
            )
        )
        header = self.horizontalHeader()
        header.setStyleSheet(ARROW)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(_NONE, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self.sort_by_keys()
        self.setItemDelegateForColumn(0, VerdictDelegate(self))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.selectionModel().currentRowChanged.connect(self._on_current)
        self.activated.connect(self._on_activated)

    @property
    def current(self) -> Suggestion | None:
        """The suggestion that is judged next."""
        row = self.currentIndex().row()
        return self._suggestions.rows[row] if 0 <= row < len(self._suggestions.rows) else None

    @property
    def selected(self) -> list[Suggestion]:
        """The suggestions that an answer is given to, in their order."""
        rows = {index.row() for index in self.selectionModel().selectedRows()}
        return [suggestion for row, suggestion in enumerate(self._suggestions.rows) if row in rows]

    def columns(self) -> Sequence[Column]:
        """Long texts take the room that figures and codes leave."""
        model = self._suggestions
        verdict = max((f"{translated(word)}__" for word in WORDS.values()), key=len)
        least = 2 * self.fontMetrics().horizontalAdvance(verdict)  # with what was chosen instead
        judged = Column("verdict", share=2, least=least, most=2 * least, has_names=False)
        wide = [judged, Column("others", verdict)]
        for number, title in enumerate(model.header[2:], 2):
            if number in model.figures:
                wide.append(Column(title, max(f"{title}__", "0.000__", key=len)))
            elif len(longest := model.longest(number)) > _LETTERS:
                wide.append(Column(title, share=3, least=170))
            else:
                wide.append(Column(title, max(f"{title}__", f"{longest}__", key=len)))
        return wide[: len(model.header)]

    def go_to(self, suggestion: Suggestion | None, instead: int = 0) -> None:
        """Makes a suggestion the current one, or what stands in a row if it is not shown."""
        row_there = self._suggestions.row_of(suggestion)
        row = min(row_there if row_there >= 0 else max(instead, 0), len(self._suggestions.rows) - 1)
        with QSignalBlocker(self.selectionModel()):
            self.clearSelection()
        if row >= 0:
            self.choose_row(row)
        self.viewport().update()
        self.chosen.emit(self.current)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Keeps what is judged next in sight."""
        super().resizeEvent(event)
        self.scrollTo(self.currentIndex())

    @Slot(QModelIndex, QModelIndex)
    def _on_current(self, _now: QModelIndex, _before: QModelIndex) -> None:
        self.chosen.emit(self.current)

    @Slot(QModelIndex)
    def _on_activated(self, _index: QModelIndex) -> None:
        if self.current is not None:
            self.entered_suggestion.emit(self.current)
