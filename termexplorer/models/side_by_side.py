"""One mention's rankings of a comparison side by side: right answers and moves are marked."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor, QFont

from termexplorer.models.columns import Index
from termexplorer.models.mentions import true_rank_text
from termexplorer.models.rankings import ColumnPart, GroupedModel, MoveColours
from termexplorer.services.compare.side_by_side import ComparedColumn, ComparedName, SideBySide
from termexplorer.texts import tr

TRUE = "✓"
_PARTS = (ColumnPart.RELATION, ColumnPart.NAME, ColumnPart.MOVE)
_SIDES = {
    ColumnPart.RELATION: Qt.AlignmentFlag.AlignHCenter,
    ColumnPart.NAME: Qt.AlignmentFlag.AlignLeft,
    ColumnPart.MOVE: Qt.AlignmentFlag.AlignRight,
}


class SideBySideModel(GroupedModel):
    """Row `i` holds rank `i + 1` by each encoder; the name that is marked stands out everywhere."""

    def __init__(self, colours: MoveColours, marked: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._colours, self._highlight = colours, marked
        self._columns: tuple[ComparedColumn, ...] = ()
        self._marked: int | None = None
        self._bold = QFont()
        self._bold.setWeight(QFont.Weight.DemiBold)

    def use_colours(self, colours: MoveColours, marked: str) -> None:
        """Shows other colours; `marked` lies behind the name that is marked."""
        self._colours, self._highlight = colours, marked
        self.repaint_all()

    def show_side(self, side: SideBySide | None, baseline_id: int | None = None) -> None:
        """Shows a mention's rankings; the baseline's have no moves."""
        self.beginResetModel()
        self._columns = side.columns if side else ()
        self._parts = [(0, ColumnPart.RANK)] if self._columns else []
        for number, column in enumerate(self._columns):
            parts = _PARTS[:-1] if column.encoder_id == baseline_id else _PARTS
            self._parts += [(number, part) for part in parts]
        self._marked = None
        self.endResetModel()

    def name(self, index: Index) -> ComparedName | None:
        """The ranked name that a cell belongs to."""
        if not index.isValid():
            return None
        rows = self._columns[self._parts[index.column()][0]].rows
        return rows[index.row()] if index.row() < len(rows) else None

    def mark(self, index: Index) -> ComparedName | None:
        """Has the name of a cell stand out wherever it is; returns it."""
        name = self.name(index)
        self._marked = name.name_id if name else None
        self.repaint_all()
        return name

    def places(self, name: ComparedName) -> tuple[str, ...]:
        """Where a name stands with each encoder, in words."""
        ranks = zip(self._columns, name.ranks, strict=True)
        return tuple(f"{column.title}: {_rank_text(column, rank)}" for column, rank in ranks)

    def lengths(self) -> Sequence[int]:
        """How many names of each encoder are shown."""
        return [len(column.rows) for column in self._columns]

    def headerData(  # noqa: N802
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The encoder's title over its names, and the rank of its best right answer."""
        if orientation != Qt.Orientation.Horizontal or section >= len(self._parts):
            return None
        number, part = self._parts[section]
        column = self._columns[number]
        if role == Qt.ItemDataRole.DisplayRole:
            return _column_head(column) if part is ColumnPart.NAME else ""
        return column.title if role == Qt.ItemDataRole.ToolTipRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A cell: rank, sign of a right answer, name or move."""
        part = self._parts[index.column()][1]
        if part is ColumnPart.RANK and role == Qt.ItemDataRole.DisplayRole:
            return str(index.row() + 1)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _SIDES.get(part, Qt.AlignmentFlag.AlignRight) | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ForegroundRole and part is ColumnPart.RANK:
            return QColor(self._colours.quiet)
        name = self.name(index)
        if name is None or part is ColumnPart.RANK:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return _cell_text(name, part)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._tip(name)
        return self._look(name, part, role)

    def _look(self, name: ComparedName, part: ColumnPart, role: int) -> Any:
        if role == Qt.ItemDataRole.BackgroundRole and name.name_id == self._marked:
            return QColor(self._highlight)
        if role == Qt.ItemDataRole.FontRole and name.true and part is not ColumnPart.MOVE:
            return self._bold
        if role == Qt.ItemDataRole.ForegroundRole and part is not ColumnPart.NAME:
            return QColor(self._colour(name, part))
        return None

    def _colour(self, name: ComparedName, part: ColumnPart) -> str:
        if part is ColumnPart.RELATION:
            return self._colours.relation
        if not name.move:
            return self._colours.quiet
        return self._colours.up if name.move > 0 else self._colours.down

    def _tip(self, name: ComparedName) -> str:
        concept = name.concept
        right = (tr("a true answer"),) if name.true else ()
        head = f"{name.text}  ({concept.code or concept.curie} {concept.label})"
        return "\n".join((head, *right, *self.places(name)))


def _cell_text(name: ComparedName, part: ColumnPart) -> str:
    if part is ColumnPart.NAME:
        return name.text
    if part is ColumnPart.MOVE:
        return name.moved
    return TRUE if name.true else ""


def _rank_text(column: ComparedColumn, rank: int | None) -> str:
    if rank is not None:
        return tr("rank {rank}", rank=rank)
    return tr("below rank {rank}", rank=column.kept) if column.rows else tr("no ranking")


def _column_head(column: ComparedColumn) -> str:
    if not column.rows:
        return f"{column.title}\n{tr('unknown to it')}"
    if column.best is None:
        best = tr("none", sense="answer")
    else:
        best = true_rank_text(column.best, next((n.rank for n in column.rows if n.true), None))
    return f"{column.title}\n{tr('best true rank: {rank}', rank=best)}"
