"""The pairs that an encoder gets most wrong, with the similarity by every encoder."""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

from PySide6.QtCore import QObject, Qt

from termexplorer.models.columns import NO_INDEX, ColumnsModel, Index
from termexplorer.services.evaluate.pair_details import (
    LABELS,
    HardPair,
    PairDetails,
    measured_together,
    placed,
)
from termexplorer.texts import number, tr, translated

WRONG = "✗"
_PLACE, _LEFT, _RIGHT, _LABEL, _FIRST = range(5)

Row = tuple[int, HardPair]


class HardestPairsModel(ColumnsModel):
    """The hardest of each label first, unless sorted otherwise.

    Attributes:
        rows: places and pairs as they are shown.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[Row] = []
        self._unsorted: Sequence[Row] = ()
        self._encoders: Sequence[int] = ()
        self._thresholds: Mapping[int, float | None] = {}
        self._sorted = (-1, Qt.SortOrder.AscendingOrder)

    def show_details(
        self, details: Sequence[PairDetails], encoder_id: int | None, labels: Mapping[int, str]
    ) -> None:
        """Shows the pairs that are hardest for an encoder.

        Args:
            details: of all encoders on the same data.
            encoder_id: one of them; None for no pairs.
            labels: of encoders, by their ids.
        """
        self.beginResetModel()
        self._thresholds = {detail.encoder_id: detail.threshold for detail in details}
        self._unsorted = [
            row for detail in details if detail.encoder_id == encoder_id for row in placed(detail)
        ]
        self._encoders = measured_together(details, labels)
        titles = (labels[listed_id] for listed_id in self._encoders)
        self.header = (tr("Place"), tr("Left"), tr("Right"), tr("Label"), *titles)
        self.figures = (_PLACE, *range(_FIRST, len(self.header)))
        self.tips = {_PLACE: tr("Among the pairs of its label, the hardest first")} | {
            column: self._header_tip(encoder_id, labels[encoder_id])
            for column, encoder_id in enumerate(self._encoders, _FIRST)
        }
        self._arrange()
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sorts by a column; by none, the hardest of each label in turn."""
        self._sorted = (column, order)
        self.beginResetModel()
        self._arrange()
        self.endResetModel()

    def rowCount(self, parent: Index = NO_INDEX) -> int:  # noqa: N802
        """How many pairs."""
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A cell's text, whole in the tooltip too."""
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._text(self.rows[index.row()], index.column())
        return self.side(index.column()) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def _text(self, row: Row, column: int) -> str:
        if column < _FIRST:
            return f"{self._value(row, column)}"
        pair, encoder_id = row[1], self._encoders[column - _FIRST]
        similarity = pair.similarities.get(encoder_id)
        if similarity is None:
            return "–"
        threshold = self._thresholds.get(encoder_id)
        taken = similarity >= (inf if threshold is None else threshold)
        wrong = encoder_id in self._thresholds and taken != pair.similar
        text = number(similarity, ".3f")
        return f"{WRONG} {text}" if wrong else text

    def _value(self, row: Row, column: int) -> Any:
        rank, pair = row
        if column >= _FIRST:
            return pair.similarities.get(self._encoders[column - _FIRST], -inf)
        return (rank, pair.left, pair.right, translated(LABELS[pair.similar]))[column]

    def _arrange(self) -> None:
        column, order = self._sorted
        self.rows = list(self._unsorted)
        if 0 <= column < len(self.header):
            descending = order == Qt.SortOrder.DescendingOrder
            self.rows.sort(key=lambda row: self._value(row, column), reverse=descending)

    def _header_tip(self, encoder_id: int, label: str) -> str:
        threshold = self._thresholds.get(encoder_id)
        if threshold is None:
            return tr(
                "Similarity by {encoder}; its best accuracy takes no pair as similar",
                encoder=label,
            )
        return tr(
            "Similarity by {encoder}; its best accuracy takes pairs from {threshold:.3f} on as "
            "similar",
            encoder=label,
            threshold=threshold,
        )
