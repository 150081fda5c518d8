"""The changes from one release to another, of one kind or all, with a filter."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QObject, Qt

from termexplorer.models.columns import NO_INDEX, ColumnsModel, Index
from termexplorer.services.curate.release_diff import KIND_WORDS, Change
from termexplorer.store.indexes.folding import fold_text
from termexplorer.texts import tr, translated


class ChangeTableModel(ColumnsModel):
    """Shows changes as rows."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.header = (tr("Change"), tr("Concept"), tr("Name"), tr("Before"), tr("After"))
        self.tips = {
            3: tr("Previous parents or name"),
            4: tr("New parents or name, or the replacement"),
        }
        self.rows: Sequence[Change] = ()
        self._all: Sequence[Change] = ()
        self._kind, self._text = "", ""

    def show_changes(self, changes: Sequence[Change]) -> None:
        """Shows other changes, as they are filtered now."""
        self._all = changes
        self._filter()

    def show_kind(self, kind: str) -> None:
        """Shows changes of one kind; all if it is empty."""
        self._kind = kind
        self._filter()

    def show_text(self, text: str) -> None:
        """Shows changes that have a text in a concept, name, or what was before or came after."""
        self._text = fold_text(text.strip())
        self._filter()

    def rowCount(self, parent: Index = NO_INDEX) -> int:  # noqa: N802
        """How many changes are shown."""
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A cell's text, whole in the tooltip too."""
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return _change_cells(self.rows[index.row()])[index.column()]
        return self.side(index.column()) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def _filter(self) -> None:
        self.beginResetModel()
        self.rows = [
            change
            for change in self._all
            if self._kind in ("", change.kind)
            and (not self._text or self._text in fold_text("\n".join(_change_cells(change))))
        ]
        self.endResetModel()


def _change_cells(change: Change) -> tuple[str, ...]:
    return (
        translated(KIND_WORDS.get(change.kind, change.kind)),
        change.concept,
        change.name,
        "; ".join(change.before),
        "; ".join(change.after),
    )
