"""The tables of all pages: rows are chosen by mouse or keys, and columns share the room."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractItemModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Slot,
)
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from termexplorer.texts import translated
from termexplorer.views.widgets.keys import add_key
from termexplorer.views.widgets.sibling_names import SiblingDelegate
from termexplorer.views.widgets.tables.item_menu import ItemMenu
from termexplorer.views.widgets.ui_state import UiState

SORT = "Ctrl+Shift+S"
_Index = QModelIndex | QPersistentModelIndex
_PAD = 16  # pixels of a column beside its text
_LINE_PAD = 10
_HINT_PAD = 16
_NARROWEST = 24
_SETTLED_MS = 200  # after the last move of a column's edge
_BY_KEYS = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


@dataclass(frozen=True, slots=True)
class Column:
    """How wide a column is, unless the user dragged it.

    Attributes:
        key: under which the user's own width is kept.
        sample: a text that it has room for.
        share: its part of what the others leave; 0: as wide as the sample.
        least: pixels that a share has at least.
        most: pixels that a share has at the most.
        has_names: whether texts of a share without room are shortened as names in a list are.
    """

    key: str
    sample: str = ""
    share: float = 0
    least: int = 90
    most: int = 100_000
    has_names: bool = True


class Table(QTableView):
    """Shows rows of a model; widths that the user dragged come back on the next start.

    Args:
        name: marked to be translated; for screen readers, and where the widths are kept.
        model: what is shown.
        session: keeps the widths.
        header: another one than the usual.

    Attributes:
        hint: what an empty table says.
        menu: copies rows, and has what else is offered for one.
    """

    def __init__(
        self,
        name: str,
        model: QAbstractItemModel,
        session: UiState,
        parent: QWidget | None = None,
        *,
        header: QHeaderView | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._widths_key = f"columns/{name.casefold()}"
        self._chosen_widths = session.widths(self._widths_key)
        self._fitting = False
        self._column = 0  # where the keys are
        self._drawn_otherwise = header is not None
        self._name_delegate, self._named = SiblingDelegate(self), set[int]()
        self.hint = ""
        self.setModel(model)
        self.menu = ItemMenu(self)
        dress(self, translated(name))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._settling = QTimer(self, singleShot=True, interval=_SETTLED_MS)
        self._settling.timeout.connect(self._on_settled)
        self._use_edges(header or self.horizontalHeader())
        model.modelReset.connect(self.fit)  # after the header's own, which counts the columns

    def columns(self) -> Sequence[Column]:
        """How wide each column of the model is."""
        raise NotImplementedError

    def first_column(self) -> int:
        """Where keys start in a row."""
        return 0

    def choose_row(self, row: int) -> None:
        """Makes a row the current one; the keys stay in their column."""
        cell, flag = self.model().index(row, self._column), QItemSelectionModel.SelectionFlag
        self.selectionModel().setCurrentIndex(cell, flag.ClearAndSelect | flag.Rows)
        self.scrollTo(cell)

    def sort_by_keys(self) -> None:
        """Has `SORT` sort by the column of the current cell, as a click on its title does."""
        add_key(SORT, self, self._on_sort, once=True)

    def currentChanged(self, current: _Index, previous: _Index) -> None:  # noqa: N802
        """Keeps the column while other rows are shown."""
        super().currentChanged(current, previous)
        if current.isValid():
            self._column = current.column()

    @Slot()
    def fit(self) -> None:
        """Gives figures what they need, and shares the rest."""
        lines = 2 if self.wordWrap() else 1
        height = lines * self.fontMetrics().lineSpacing() + _LINE_PAD
        self.verticalHeader().setDefaultSectionSize(height)
        columns = self.columns()
        visible = {n: columns[n] for n in range(len(columns)) if not self.isColumnHidden(n)}
        fixed = {n: width for n, column in visible.items() if (width := self._fixed(n, column))}
        room = self.viewport().width() - sum(fixed.values())
        shared = {n: column for n, column in visible.items() if n not in fixed}
        named = {n for n, column in visible.items() if column.share and column.has_names}
        self._tell_names_apart(named)
        self._fitting = True
        for n, width in (fixed | self._shared(room, shared)).items():
            self.setColumnWidth(n, width)
        self._fitting = False

    def _tell_names_apart(self, columns: set[int]) -> None:
        """Has these columns drawn by what shortens names; figures are never cut."""
        for n in self._named ^ columns:
            delegate = self._name_delegate if n in columns else self.itemDelegate()
            self.setItemDelegateForColumn(n, delegate)
        self._named = columns

    def _fixed(self, n: int, column: Column) -> int:
        width = self.fixed_width(column)
        if not width or self.is_own(column):
            return width
        return max(width, self._title_width(n))

    def _shared(self, room: int, columns: dict[int, Column]) -> dict[int, int]:
        """Shares room; a column whose share is too narrow for it has what it needs before."""
        shares = sum(column.share for column in columns.values())
        parts = {n: int(room * column.share / shares) for n, column in columns.items()}
        least = {n: max(column.least, self._title_width(n)) for n, column in columns.items()}
        short = {n: least[n] for n in columns if parts[n] < least[n]}
        if short:
            other_columns = {n: column for n, column in columns.items() if n not in short}
            return short | self._shared(room - sum(short.values()), other_columns)
        return {n: min(parts[n], column.most) for n, column in columns.items()}

    def _title_width(self, n: int) -> int:
        """Pixels below which a title is cut."""
        return 0 if self._drawn_otherwise else self.horizontalHeader().sectionSizeHint(n)

    def height_of(self, rows: int) -> int:
        """Pixels that so many rows take, with their titles and a bar that scrolls sideways."""
        bars = (self.horizontalHeader(), self.horizontalScrollBar())
        around = sum(bar.sizeHint().height() for bar in bars) + 2 * self.frameWidth()
        return rows * self.verticalHeader().defaultSectionSize() + around

    def is_own(self, column: Column) -> bool:
        """Whether the user dragged a column's edge."""
        return column.key in self._chosen_widths

    def fixed_width(self, column: Column) -> int:
        """Pixels of a column that does not share the room; 0 of one that does."""
        if self.is_own(column):
            return self._chosen_widths[column.key]
        return 0 if column.share else self.fontMetrics().horizontalAdvance(column.sample) + _PAD

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Shares the new room."""
        super().resizeEvent(event)
        self.fit()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Says what to do, where there are no rows."""
        super().paintEvent(event)
        model = self.model()
        if self.hint and model and not model.rowCount():
            with QPainter(self.viewport()) as painter:
                painter.setPen(self.palette().placeholderText().color())
                flag = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
                room = self.viewport().rect().adjusted(_HINT_PAD, 2 * _HINT_PAD, -_HINT_PAD, 0)
                painter.drawText(room, flag | Qt.TextFlag.TextWordWrap, self.hint)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Who comes by keys stands in a row at once."""
        super().focusInEvent(event)
        model = self.model()
        nowhere = not self.selectionModel().hasSelection()
        if event.reason() in _BY_KEYS and model and model.rowCount() and nowhere:
            row, flag = max(self.currentIndex().row(), 0), QItemSelectionModel.SelectionFlag
            cell = model.index(row, self.first_column())
            self.selectionModel().setCurrentIndex(cell, flag.ClearAndSelect | flag.Rows)

    def _use_edges(self, header: QHeaderView) -> None:
        """Has the edges of columns dragged; a double click there undoes it."""
        self.setHorizontalHeader(header)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setMinimumSectionSize(_NARROWEST)
        header.setHighlightSections(False)
        header.sectionResized.connect(self._on_dragged)
        header.sectionHandleDoubleClicked.connect(self._on_undone)

    @Slot()
    def _on_sort(self) -> None:
        header, column = self.horizontalHeader(), self._column
        role = Qt.ItemDataRole.InitialSortOrderRole
        up, down = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
        usual = self.model().headerData(column, Qt.Orientation.Horizontal, role)
        first, other = (down, up) if usual == down else (up, down)
        if header.sortIndicatorSection() != column:
            header.setSortIndicator(column, first)
        elif header.sortIndicatorOrder() == first:
            header.setSortIndicator(column, other)
        else:
            header.setSortIndicator(-1 if header.isSortIndicatorClearable() else column, first)

    @Slot(int, int, int)
    def _on_dragged(self, column: int, before: int, after: int) -> None:
        if self._fitting or not before or not after:  # a column that hides is 0 wide
            return
        self._chosen_widths[self.columns()[column].key] = after
        self._settling.start()

    @Slot()
    def _on_settled(self) -> None:
        self._session.keep_widths(self._widths_key, self._chosen_widths)
        self.fit()

    @Slot(int)
    def _on_undone(self, column: int) -> None:
        self._chosen_widths.pop(self.columns()[column].key, None)
        self._on_settled()


def dress(table: QTableView, name: str) -> None:
    """Gives a table the look of all tables; Tab leaves it."""
    table.setAccessibleName(name)
    table.verticalHeader().hide()
    table.setShowGrid(False)
    table.setAlternatingRowColors(True)
    table.setWordWrap(False)
    table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
    table.setTabKeyNavigation(False)
