"""The tables of the rank-diff desk: classes, mentions, and one mention's rankings."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView

from termexplorer.models.mentions import OVERLAP, MentionsModel
from termexplorer.models.plain_table import PlainTableModel
from termexplorer.models.rankings import ColumnPart
from termexplorer.models.side_by_side import SideBySideModel
from termexplorer.services.compare.sheet import ComparisonSheet
from termexplorer.texts import mark, number, tr
from termexplorer.views.widgets.keys import shown_keys
from termexplorer.views.widgets.tables.group_table import READABLE_LETTERS, GroupTable
from termexplorer.views.widgets.tables.sorted_table import ARROW
from termexplorer.views.widgets.tables.table import SORT, Column, Table
from termexplorer.views.widgets.ui_state import UiState

_ROWS = 4  # of the classes on show; more are scrolled to
_LONGEST_TITLE = 32  # letters, with which no column leaves the window
_LEAST = 3  # ranks on show in the smallest window
_SAMPLES = {ColumnPart.RELATION: "✓✓"}  # of ranks and moves as many digits as there are


class TallyTable(Table):
    """Wins, losses and ties of each class; the one that is chosen has its mentions shown.

    Signals:
        chosen: a class, or all, was chosen.
    """

    chosen = Signal()

    def __init__(self, session: UiState) -> None:
        self._rows = PlainTableModel()
        super().__init__(mark("Wins, losses and ties"), self._rows, session)
        self._rows.setParent(self)
        self._numbers: list[int | None] = []
        self.setToolTip(tr("Select a class to show only its mentions below"))
        self.selectionModel().selectionChanged.connect(self._on_selection)

    @property
    def class_number(self) -> int | None:
        """The class that is chosen; None: all."""
        rows = self.selectionModel().selectedRows()
        return self._numbers[rows[0].row()] if rows else None

    def show_sheet(self, sheet: ComparisonSheet | None) -> None:
        """Shows how a comparison ended; the class that was chosen stays, if it is there."""
        before = self.class_number
        groups = sheet.by_class if sheet else ()
        titles = sheet.summary.titles if sheet else {}
        other_ids = [tally.encoder_id for tally in groups[0].tallies] if groups else []
        header = [tr("Class"), tr("Mentions")]
        for encoder_id in other_ids:
            title = titles[encoder_id]
            short = len(other_ids) > 1 or len(title) > _LONGEST_TITLE
            name = f"#{encoder_id}" if short else title
            header += [tr("{encoder} wins", encoder=name), tr("loses"), tr("ties")]
        rows = [
            (
                group.label or tr("All mentions"),
                group.mentions,
                *(n for tally in group.tallies for n in (tally.wins, tally.losses, tally.ties)),
            )
            for group in groups
        ]
        self._numbers = [group.number for group in groups]
        with QSignalBlocker(self):
            self._rows.show_rows(header, rows, range(1, len(header)))
            if rows:
                self.selectRow(self._numbers.index(before) if before in self._numbers else 0)

    def columns(self) -> Sequence[Column]:
        """Classes take the room."""
        titles = self._rows.header
        return [
            Column("class", share=1, least=160, most=480),
            *(
                Column(f"figure {n}", max(f"{title}__", "000,000__", key=len))
                for n, title in enumerate(titles[1:])
            ),
        ][: len(titles)]

    @Slot()
    def fit(self) -> None:
        """Is no higher than a few rows, and has one of them on show at least."""
        super().fit()
        rows = min(self._rows.rowCount(), _ROWS)
        least = self.height_of(min(rows, 1))
        without_bar = self.height_of(rows) - self.horizontalScrollBar().sizeHint().height()
        self.setMinimumHeight(least)
        self.setMaximumHeight(max(without_bar, least))

    @Slot()
    def _on_selection(self) -> None:
        if self.selectionModel().hasSelection():
            self.chosen.emit()


class MentionTable(Table):
    """Shows a `MentionsModel`.

    Signals:
        chosen: the place of another mention, or None.
        entered_row: the row that is current was entered, by Enter or a double click.
    """

    chosen = Signal(object)
    entered_row = Signal()

    def __init__(self, mentions: MentionsModel, session: UiState) -> None:
        self._mentions = mentions
        super().__init__(mark("Mentions"), mentions, session)
        self.setToolTip(
            tr(
                "Enter shows the concept; {keys} sorts by the column of the cell",
                keys=shown_keys(SORT),
            )
        )
        self.setSortingEnabled(True)
        self.sort_by_keys()
        self.horizontalHeader().setStyleSheet(ARROW)
        self.horizontalHeader().setSortIndicator(OVERLAP, Qt.SortOrder.AscendingOrder)
        self.selectionModel().currentRowChanged.connect(self._on_current)
        self.activated.connect(self._on_activated)

    def columns(self) -> Sequence[Column]:
        """Mentions take the room."""
        sample = "0,000.0"
        return [
            Column("mention", share=1, least=150),
            *(Column(title, max(title, sample, key=len)) for title in self._mentions.header[1:]),
        ]

    def go_to_row(self, row: int) -> None:
        """Makes a row the current one."""
        if row >= 0:
            self.choose_row(row)

    @Slot(QModelIndex, QModelIndex)
    def _on_current(self, index: QModelIndex, _before: QModelIndex) -> None:
        self.chosen.emit(self._mentions.place(index.row()) if index.isValid() else None)

    @Slot(QModelIndex)
    def _on_activated(self, _index: QModelIndex) -> None:
        self.entered_row.emit()


class SideTable(GroupTable):
    """Shows a `SideBySideModel`.

    Signals:
        named: the `ComparedName` of another cell, or None.
        entered_name: the `ComparedName` that was entered, by Enter or a double click.
    """

    named = Signal(object)
    entered_name = Signal(object)

    def __init__(self, names: SideBySideModel, session: UiState) -> None:
        self._side = names
        super().__init__(mark("Rankings side by side"), names, session)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.selectionModel().currentChanged.connect(self._on_current)
        self.activated.connect(self._on_activated)

    def columns(self) -> Sequence[Column]:
        """Names share the room."""
        parts = self.parts()
        names = Column(f"{parts.count(ColumnPart.NAME)} names", share=1, least=120)
        deepest = number(max((100, *self._side.lengths())))
        samples = _SAMPLES | {ColumnPart.RANK: deepest, ColumnPart.MOVE: f"+{deepest}_"}
        return [
            names if part is ColumnPart.NAME else Column(part.value, samples[part])
            for part in parts
        ]

    @Slot()
    def fit(self) -> None:
        """Names take two lines where there is little room; some rows are always on show."""
        readable = READABLE_LETTERS * self.fontMetrics().averageCharWidth()
        room = self.viewport().width() - sum(map(self.fixed_width, self.columns()))
        self.setWordWrap(room < self.parts().count(ColumnPart.NAME) * readable)
        super().fit()
        self.setMinimumHeight(self.height_of(_LEAST))

    @Slot(QModelIndex, QModelIndex)
    def _on_current(self, index: QModelIndex, _before: QModelIndex) -> None:
        self.named.emit(self._side.mark(index))

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        name = self._side.name(index)
        if name is not None:
            self.entered_name.emit(name)
