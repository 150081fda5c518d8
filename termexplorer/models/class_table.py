"""The classes of a level, trained ones above, left-out ones below; a row is read when it shows."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor

from termexplorer.models.columns import NO_INDEX, ColumnsModel, Index
from termexplorer.services.levels.lens import ClassRow, LevelLens
from termexplorer.store.indexes.folding import fold_text
from termexplorer.texts import mark, number, tr, translated

BY_HAND = mark("left out by hand")
CODE, LABEL, NAMES, SHARE, REASON = range(5)


class ClassTableModel(ColumnsModel):
    """Holds places and sizes; code and label come from the lens when they are wanted.

    Signals:
        ticked: CURIE of a class, and whether it is to be trained on.
    """

    ticked = Signal(str, bool)

    figures = (NAMES, SHARE)

    def __init__(self, quiet: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.header = (tr("Code"), tr("Class"), tr("Names"), tr("Share"), f"  {tr('Left out')}")
        self.tips = {
            CODE: tr("Unticked classes are left out by hand"),
            NAMES: tr("Names that would be examples of the class"),
            SHARE: tr("Of the names of all classes"),
            REASON: tr("Why a class is not trained on"),
        }
        self._quiet = quiet
        self._lens: LevelLens | None = None
        self._reasons: list[str] = [""]
        self._places = np.zeros(0, np.int64)
        self._sizes = np.zeros(0, np.int64)
        self._reason = np.zeros(0, np.int64)  # place in _reasons, 0 for a class that is trained on
        self._order = np.zeros(0, np.int64)
        self._total = 0
        self._sorted = (NAMES, Qt.SortOrder.DescendingOrder)
        self._wanted = ""

    def use_colour(self, quiet: str) -> None:
        """The colour of classes that are left out, as `#rrggbb`."""
        self._quiet = quiet

    def show_level(
        self,
        lens: LevelLens,
        trained: tuple[NDArray[np.int64], NDArray[np.int64]],
        left_out: list[tuple[str, NDArray[np.int64]]],
    ) -> None:
        """Shows a level.

        Args:
            lens: tells what is at a place.
            trained: (k,) places of the classes and (k,) their names.
            left_out: reason in words, and places of the classes that it took out.
        """
        self.beginResetModel()
        self._lens = lens
        places, sizes = trained
        by_hand = translated(BY_HAND)
        self._reasons = ["", *(by_hand if why == BY_HAND else why for why, _ in left_out)]
        gone = [group for _, group in left_out]
        self._places = np.concatenate([places, *gone])
        self._sizes = np.concatenate([sizes, np.zeros(sum(map(len, gone)), np.int64)])
        counts = [len(places), *map(len, gone)]
        self._reason = np.repeat(np.arange(len(counts)), counts)
        self._total = int(sizes.sum())
        self._arrange()
        self.endResetModel()

    def filter(self, text: str) -> None:
        """Keeps rows whose code or label holds the text."""
        self.beginResetModel()
        self._wanted = fold_text(text.strip())
        self._arrange()
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sorts classes that are trained on; the others stay below, sorted likewise."""
        self.beginResetModel()
        self._sorted = (column, order)
        self._arrange()
        self.endResetModel()

    def row(self, number: int) -> ClassRow:
        """The class in a row."""
        return self._class(int(self._order[number]))

    def rows(self, *, everything: bool = False) -> Iterator[ClassRow]:
        """Yield the classes as they are filtered and sorted, or all of the level."""
        return map(self._class, range(len(self._places)) if everything else self._order.tolist())

    @property
    def count(self) -> int:
        """How many classes the level has, whatever the filter lets through."""
        return len(self._places)

    def _class(self, at: int) -> ClassRow:
        assert self._lens is not None  # noqa: S101 - there are rows
        reason = self._reasons[self._reason[at]]
        return self._lens.row(int(self._places[at]), int(self._sizes[at]), reason)

    def row_of(self, concept_id: int | None) -> int:
        """The row of a concept, or -1."""
        if self._lens is None or concept_id is None:
            return -1
        places = self._places[self._order].tolist()
        matching_rows = (
            n for n, at in enumerate(places) if self._lens.concept_id(at) == concept_id
        )
        return next(matching_rows, -1)

    def share(self, row: ClassRow) -> float:
        """Of the names of all classes that are trained on."""
        return row.names / self._total if self._total else 0.0

    @property
    def has_left_out(self) -> bool:
        """Whether any class is left out."""
        return len(self._reasons) > 1

    def rowCount(self, parent: Index = NO_INDEX) -> int:  # noqa: N802
        """As many classes as the filter lets through."""
        return 0 if parent.isValid() else len(self._order)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """The code can be unticked, where no rule has taken the class out."""
        flags = super().flags(index)
        if index.column() == CODE and self._may_tick(index.row()):
            flags |= Qt.ItemFlag.ItemIsUserCheckable
        return flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A cell."""
        row = self.row(index.row())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self.side(index.column())
        if role == Qt.ItemDataRole.ForegroundRole and row.left_out:
            return QColor(self._quiet)
        if role == Qt.ItemDataRole.CheckStateRole and index.column() == CODE:
            return self._tick(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join(text for text in (f"{row.code} {row.label}", row.left_out) if text)
        return None

    def setData(  # noqa: N802
        self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole
    ) -> bool:
        """Ticks or unticks a class; whoever listens shows the level anew."""
        if role != Qt.ItemDataRole.CheckStateRole or not self._may_tick(index.row()):
            return False
        checked = Qt.CheckState(value) == Qt.CheckState.Checked
        self.ticked.emit(self.row(index.row()).curie, checked)
        return True

    def _may_tick(self, number: int) -> bool:
        return self.row(number).left_out in ("", translated(BY_HAND))

    def _tick(self, row: ClassRow) -> Qt.CheckState | None:
        if row.left_out not in ("", translated(BY_HAND)):
            return None
        return Qt.CheckState.Unchecked if row.left_out else Qt.CheckState.Checked

    def _text(self, row: ClassRow, column: int) -> str:
        if column == CODE:
            return row.code or row.curie
        if column == LABEL:
            return row.label
        if column == REASON:
            return f"  {row.left_out}"
        if row.left_out:
            return ""
        return number(row.names) if column == NAMES else number(self.share(row), ".1%")

    def _arrange(self) -> None:
        column, direction = self._sorted
        sign = 1 if direction == Qt.SortOrder.AscendingOrder else -1
        wanted = np.flatnonzero(self._matches())
        keys: NDArray[np.int64] = self._keys(column)[wanted] * sign
        self._order = wanted[np.lexsort((keys, self._reason[wanted] > 0))]

    def _matches(self) -> NDArray[np.bool_]:
        if not self._wanted:
            return np.ones(len(self._places), np.bool_)
        texts = self._each(lambda text: self._wanted in fold_text(f"{text[1]} {text[2]}"))
        return np.array(texts, np.bool_)

    def _keys(self, column: int) -> NDArray[np.int64]:
        """(rows,) numbers that sort like the column."""
        if column in (NAMES, SHARE):
            return self._sizes
        if column == REASON:
            return self._reason
        texts = self._each(_code_key if column == CODE else _label_key)
        ranks = np.empty(len(texts), np.int64)
        ranks[sorted(range(len(texts)), key=texts.__getitem__)] = np.arange(len(texts))
        return ranks

    def _each(self, of: Callable[[tuple[str, str, str]], Any]) -> list[Any]:
        lens = self._lens
        return [of(text) for text in lens.texts(self._places.tolist())] if lens else []


def _label_key(text: tuple[str, str, str]) -> str:
    return text[2].casefold()


def _code_key(text: tuple[str, str, str]) -> str:
    """With numbers as long as each other, so that 2 comes before 10."""
    return re.sub(r"\d+", lambda digits: digits[0].zfill(8), text[1])
