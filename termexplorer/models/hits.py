"""What the search box found, one row a concept."""

from typing import Any, TypeAlias

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from termexplorer.models.plain_cells import PlainCells
from termexplorer.services.explore.browsing import Hit, SearchAnswer
from termexplorer.texts import tr

Index: TypeAlias = QModelIndex | QPersistentModelIndex
_NO_INDEX = QModelIndex()


class HitsModel(PlainCells, QAbstractListModel):
    """Hits, the best first; `HIT` gives the `Hit` itself."""

    HIT = Qt.ItemDataRole.UserRole

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._answer = SearchAnswer("")
        self._labels: dict[int, str] = {}

    def show_answer(self, answer: SearchAnswer, labels: dict[int, str]) -> None:
        """Shows an answer; `labels` names the releases of hits that are not of the current one."""
        self.beginResetModel()
        self._answer = answer
        self._labels = labels
        self.endResetModel()

    def hit(self, row: int) -> Hit:
        """The hit in a row."""
        return self._answer.hits[row]

    def target(self, row: int) -> tuple[int, int]:
        """Release and concept that a row leads to."""
        hit = self.hit(row)
        return hit.release_id, hit.concept_id

    def aside(self, row: int) -> str:
        """What is said after the text: whose name it is, what replaces it, where it is."""
        hit = self.hit(row)
        parts = [hit.label] if hit.label != hit.text and not hit.obsolete else []
        if hit.obsolete:
            new = self._answer.replacements.get(hit.concept_id)
            parts.append(f"{tr('obsolete')} → {new.code} {new.label}" if new else tr("obsolete"))
        if hit.more:
            parts.append(tr("+{n} more", n=hit.more))
        if hit.release_id in self._labels:
            parts.append(self._labels[hit.release_id])
        return "  ·  ".join(parts)

    def rowCount(self, parent: Index = _NO_INDEX) -> int:  # noqa: N802
        """How many concepts."""
        return 0 if parent.isValid() else len(self._answer.hits)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The text that was found; with code and aside for tooltips and screen readers."""
        hit = self.hit(index.row())
        if role == self.HIT:
            return hit
        if role == Qt.ItemDataRole.DisplayRole:
            return hit.text
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return "  ".join(part for part in (hit.code, hit.text, self.aside(index.row())) if part)
        return None
