"""Rankings of several encoders side by side: a group of columns for each."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFont

from termexplorer.models.plain_cells import PlainCells
from termexplorer.services.compare.rankings import RankedName, RankingColumn, Rankings, Relation
from termexplorer.texts import mark, number, tr, translated

Index: TypeAlias = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()
SIGNS = {
    Relation.NONE: "",
    Relation.SYNONYM: "=",
    Relation.ANCESTOR: "↑",
    Relation.DESCENDANT: "↓",
    Relation.SIBLING: "~",
}


class ColumnPart(Enum):
    """What a column of an encoder's group shows."""

    RANK = "#"
    CODE = mark("code")
    NAME = mark("name")
    SIMILARITY = mark("similarity")
    RELATION = mark("relation")
    MOVE = mark("move")


_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_SIDES = {
    ColumnPart.CODE: _LEFT,
    ColumnPart.NAME: _LEFT,
    ColumnPart.RELATION: Qt.AlignmentFlag.AlignCenter,
}
_ASIDE = {Qt.ItemDataRole.UserRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole}
_PARTS = (
    ColumnPart.CODE,
    ColumnPart.NAME,
    ColumnPart.SIMILARITY,
    ColumnPart.RELATION,
    ColumnPart.MOVE,
)


@dataclass(frozen=True, slots=True)
class MoveColours:
    """Colours for moves, relations and quiet text, as `#rrggbb`."""

    up: str
    down: str
    relation: str
    quiet: str


class GroupedModel(PlainCells, QAbstractTableModel):
    """A table with a group of columns for each of some encoders, after one of ranks."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._parts: list[tuple[int, ColumnPart]] = []

    def part(self, column: int) -> tuple[int, ColumnPart]:
        """The encoder's number, from 0, and what a column shows of it."""
        return self._parts[column]

    def lengths(self) -> Sequence[int]:
        """How many names each encoder ranks."""
        raise NotImplementedError

    def rowCount(self, parent: Index = _NO_INDEX) -> int:  # noqa: N802
        """As many as the longest ranking has."""
        return 0 if parent.isValid() else max(self.lengths(), default=0)

    def columnCount(self, parent: Index = _NO_INDEX) -> int:  # noqa: N802
        """A rank, and some for each encoder."""
        return 0 if parent.isValid() else len(self._parts)

    def repaint_all(self) -> None:
        """Has every cell drawn anew."""
        if self._parts and self.rowCount():
            last = self.index(self.rowCount() - 1, len(self._parts) - 1)
            self.dataChanged.emit(self.index(0, 0), last)


class RankingsModel(GroupedModel):
    """Row `i` holds rank `i + 1` of each encoder; `ROW` gives the `RankedName` of a cell."""

    ROW = Qt.ItemDataRole.UserRole

    def __init__(self, colours: MoveColours, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._colours = colours
        self._columns: tuple[RankingColumn, ...] = ()
        self._marked: int | None = None
        self._grey = False
        self._bold = QFont()
        self._bold.setWeight(QFont.Weight.DemiBold)
        self._cells: dict[tuple[int, int], dict[int, Any]] = {}  # what was drawn, by row and column

    @property
    def columns(self) -> tuple[RankingColumn, ...]:
        """The rankings on show."""
        return self._columns

    def use_colours(self, colours: MoveColours) -> None:
        """Shows other colours."""
        self._colours = colours
        self.repaint_all()

    def repaint_all(self) -> None:
        """Has every cell made and drawn anew."""
        self._cells.clear()
        super().repaint_all()

    def show_rankings(self, rankings: Rankings | None) -> None:
        """Shows an answer, or nothing."""
        self.beginResetModel()
        self._columns = rankings.columns if rankings else ()
        self._parts = [(0, ColumnPart.RANK)] if self._columns else []
        for index in range(len(self._columns)):
            parts = _PARTS if index else _PARTS[:-1]  # the first is what moves count from
            self._parts += [(index, part) for part in parts]
        self._marked = None
        self._grey = False
        self._cells.clear()
        self.endResetModel()

    @property
    def longest_code(self) -> str:
        """Of all codes on show."""
        codes = (code_of(row) for column in self._columns for row in column.rows)
        return max(codes, key=len, default="")

    def ranked(self, index: Index) -> RankedName | None:
        """The ranked name that a cell belongs to."""
        if not index.isValid():
            return None
        rows = self._columns[self._parts[index.column()][0]].rows
        return rows[index.row()] if index.row() < len(rows) else None

    def mark(self, index: Index) -> None:
        """Writes the name of a cell in bold wherever it stands."""
        row = self.ranked(index)
        marked = row.name_id if row else None
        if marked != self._marked:
            self._marked = marked
            self.repaint_all()

    def grey(self, grey: bool) -> None:
        """Writes everything in quiet colours, as it is no answer to what is asked now."""
        if grey != self._grey:
            self._grey = grey
            self.repaint_all()

    def lengths(self) -> Sequence[int]:
        """How many names of each encoder are shown."""
        return [len(column.rows) for column in self._columns]

    def headerData(  # noqa: N802
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The encoder's title over its names."""
        if orientation != Qt.Orientation.Horizontal or section >= len(self._parts):
            return None
        number, part = self._parts[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return _column_head(self._columns[number]) if part is ColumnPart.NAME else ""
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _LEFT
        if role == Qt.ItemDataRole.ToolTipRole:
            column = self._columns[number]
            lines = (column.title, translated(part.value), column.note)
            return "\n".join(line for line in lines if line)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A cell: rank, code, name, similarity, relation sign or move."""
        cell_key = index.row(), index.column()
        cell = self._cells.get(cell_key)
        if cell is None:
            cell = self._cells[cell_key] = self._cell(index)
        return cell[role] if role in cell else self._aside(index, role)

    def _aside(self, index: Index, role: int) -> Any:
        """What is seldom asked for."""
        row = self.ranked(index) if role in _ASIDE else None
        return row and (row if role == self.ROW else self._told(row))

    def _cell(self, index: Index) -> dict[int, Any]:
        """Text, side, weight and colour, by role."""
        column_number, part = self._parts[index.column()]
        row = self.ranked(index)
        if row is None:
            return (
                {Qt.ItemDataRole.DisplayRole: str(index.row() + 1)}
                if part is ColumnPart.RANK
                else {}
            )
        shown = len(self._columns[0].rows)
        text = (
            _cell_text(row, column_number, part, shown)
            if part is not ColumnPart.RANK
            else str(index.row() + 1)
        )
        name = part is ColumnPart.NAME
        bold = name and (row.true or row.name_id == self._marked)
        colour = self._colours.quiet if self._grey else _cell_colour(self._colours, part, text)
        return {
            Qt.ItemDataRole.DisplayRole: text,
            Qt.ItemDataRole.TextAlignmentRole: _SIDES.get(part, _RIGHT),
            Qt.ItemDataRole.FontRole: self._bold if bold else None,
            Qt.ItemDataRole.ForegroundRole: QColor(colour) if self._grey or not name else None,
        }

    def _told(self, row: RankedName) -> str:
        lines = [f"{row.text}  ({code_of(row)})"]
        if row.relation is not Relation.NONE:
            relation = translated(row.relation.value)
            right = tr("{relation}, a right answer", relation=relation)
            lines.append(right if row.true else relation)
        ranks = [pair for pair in zip(self._columns, row.ranks, strict=False) if pair[1]]
        lines += [
            tr("rank {rank:,} with {encoder}", rank=rank, encoder=column.title)
            for column, rank in ranks
        ]
        return "\n".join(lines)


def code_of(row: RankedName) -> str:
    """What its concept is called by people, or else by machines."""
    return row.code or row.curie


def _column_head(column: RankingColumn) -> str:
    if not column.encoded:
        return f"{column.title}\n{tr('not encoded yet')}"
    if column.best_true_rank is None:
        many = tr("{candidates:,} candidates", candidates=column.candidates)
        return f"{column.title}\n{many}"
    rank, candidates = column.best_true_rank, column.candidates
    best = tr("best true rank: {rank:,} of {candidates:,}", rank=rank, candidates=candidates)
    if column.tied > 1:
        best = tr(
            "best true rank: {rank:,} of {candidates:,}, {tied:,} tied",
            rank=rank,
            candidates=candidates,
            tied=column.tied,
        )
    return f"{column.title}\n{best}"


def _cell_text(row: RankedName, number: int, part: ColumnPart, shown: int) -> str:
    if part is ColumnPart.CODE:
        return code_of(row)
    if part is ColumnPart.NAME:
        return row.text
    if part is ColumnPart.SIMILARITY:
        return similarity_text(row.similarity)
    return SIGNS[row.relation] if part is ColumnPart.RELATION else move_text(row, number, shown)


def similarity_text(value: float) -> str:
    """Two digits, in English without the zero that says nothing: `.94`, `−.12`, `1.00`."""
    digits = number(abs(value), ".2f")
    digits = digits[1:] if digits.startswith("0.") else digits
    return ("−" if value < 0 and digits.strip(".,0") else "") + digits


def move_text(row: RankedName, number: int, shown: int) -> str:
    """Return how far up or down a name is against the first column, or `new`.

    A name that stays has a 0: the sign = says that it is a synonym.
    """
    first, here = row.ranks[0], row.ranks[number]
    if not shown:  # nothing to be further up than
        return ""
    if first > shown:
        return tr("new")
    if first == here:
        return "0"
    return f"+{first - here}" if first > here else f"−{here - first}"


def _cell_colour(colours: MoveColours, part: ColumnPart, text: str) -> str:
    if part is ColumnPart.RELATION:
        return colours.relation
    if part is ColumnPart.MOVE and text[:1] in "+−":
        return colours.up if text.startswith("+") else colours.down
    return colours.quiet
