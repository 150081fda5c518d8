"""The mentions of a comparison, one row each, as they were sorted and filtered."""

from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Qt

from termexplorer.models.columns import NO_INDEX, ColumnsModel, Index
from termexplorer.services.compare.comparison import Ints
from termexplorer.services.compare.sheet import ComparisonSheet
from termexplorer.services.compare.side_by_side import classes_of
from termexplorer.texts import mark, number, tr, translated

MENTION, OVERLAP, DIFFERENCE, GAIN, LOSS = range(5)
_MEASURED = {
    MENTION: mark("Mention"),
    OVERLAP: mark("Overlap"),
    DIFFERENCE: mark("Difference"),
    GAIN: mark("Ranks gained"),
    LOSS: mark("Ranks lost"),
}
_TIPS = {
    OVERLAP: mark(
        "Lowest rank-biased overlap of the first 100 names of two encoders (p = .9): 1 for equal "
        "rankings, 0 for such as share no name"
    ),
    DIFFERENCE: mark("Difference between the encoders' best true ranks"),
    GAIN: mark("How many ranks the best of the other encoders is above the baseline; 0 if none is"),
    LOSS: mark(
        "How many ranks the worst of the other encoders is below the baseline; 0 if none is"
    ),
}
_MOST_FIRST = (DIFFERENCE, GAIN, LOSS)


class MentionsModel(ColumnsModel):
    """Shows mentions of a `ComparisonSheet`; a cell is made when it shows."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.sheet: ComparisonSheet | None = None
        self._places = np.zeros(0, np.int64)
        self.show_mentions(None, self._places)

    def show_mentions(self, sheet: ComparisonSheet | None, places: Ints) -> None:
        """Shows the mentions at some places of a sheet."""
        self.beginResetModel()
        self.sheet, self._places = sheet, places
        titles = sheet.summary.titles if sheet else {}
        ranks = [tr("rank #{encoder}", encoder=encoder_id) for encoder_id in titles]
        self.header = (*map(translated, _MEASURED.values()), *ranks, f"  {tr('Seen')}")
        self.figures = range(OVERLAP, len(self.header) - 1)
        best = (tr("Best true rank by {encoder}", encoder=title) for title in titles.values())
        self.tips = {column: translated(tip) for column, tip in _TIPS.items()}
        self.tips |= dict(enumerate(best, len(_MEASURED)))
        self.tips |= {len(self.header) - 1: tr("The encoders that were trained on the mention")}
        self.endResetModel()

    @property
    def places(self) -> Ints:
        """Which mentions are shown, in their order."""
        return self._places

    def place(self, row: int) -> int:
        """The mention in a row, by its place in the comparison."""
        return int(self._places[row])

    def row_of(self, position: int | None) -> int:
        """The row of a mention, or -1."""
        if position is None:
            return -1
        rows = np.flatnonzero(self._places == position)
        return int(rows[0]) if len(rows) else -1

    def rowCount(self, parent: Index = NO_INDEX) -> int:  # noqa: N802
        """How many mentions are shown."""
        return 0 if parent.isValid() else len(self._places)

    def headerData(  # noqa: N802
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Of differences the largest come first, of ranks and overlaps the lowest."""
        if role == Qt.ItemDataRole.InitialSortOrderRole:
            down, up = Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder
            most_first = section in _MOST_FIRST or section == len(self.header) - 1
            return down if most_first else up
        return super().headerData(section, orientation, role)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A cell's text; in the tooltip the mention with its classes."""
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self.side(index.column())
        if self.sheet is None:
            return None
        position = self.place(index.row())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(self.sheet, position, index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            compared = self.sheet.compared
            return "\n".join((compared.mentions[position], *classes_of(compared, position)))
        return None

    def _text(self, sheet: ComparisonSheet, position: int, column: int) -> str:
        if column == MENTION:
            return sheet.compared.mentions[position]
        if column == len(self.header) - 1:
            ids = np.array(sheet.compared.encoder_ids)[sheet.compared.seen[position]]
            return "  " + " ".join(f"#{encoder_id}" for encoder_id in ids.tolist())
        value = float(sheet.values[position, column - 1])
        if value != value:
            return "–"
        if column >= len(_MEASURED):
            return true_rank_text(value)
        return number(value, ".3f") if column == OVERLAP else rank_text(value)


def rank_text(value: float) -> str:
    """A rank, or how many ranks something is above another; equals may share a half one."""
    return number(round(value, 1) + 0.0, ",.10g").replace("-", "−")  # no -0


def true_rank_text(expected: float, listed: int | None = None) -> str:
    """A rank that can be in a list; of equals, whose order says nothing, it is told that they tie.

    Args:
        expected: the mean over all orders of equals.
        listed: the rank in the list on show, where it is there.
    """
    rank = round(expected) if listed is None else listed
    text = number(rank)
    return text if rank == expected else tr("{rank}, tied", rank=text)
