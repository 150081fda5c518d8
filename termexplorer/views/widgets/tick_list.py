"""A list of a form, several rows of which may be ticked."""

from collections.abc import Collection, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from termexplorer.views.widgets.plain_label import plain_item
from termexplorer.views.widgets.sibling_names import SiblingDelegate

KEY = Qt.ItemDataRole.UserRole
_FRAME = 4


class TickList(QListWidget):
    """Rows with a tick each, which Space sets; as high as they are, up to a number of them.

    Signals:
        changed: others are ticked.
    """

    changed = Signal()

    def __init__(self, name: str, most: int, parent: QWidget | None = None) -> None:
        self._most = most
        self._rows: list[tuple[object, str, str]] = []
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setTabKeyNavigation(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setItemDelegate(SiblingDelegate(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.itemChanged.connect(self._on_changed)

    def fit(self) -> None:
        """Takes the height that its rows need."""
        rows = min(max(self.count(), 1), self._most)
        self.setFixedHeight(rows * max(self.sizeHintForRow(0), 1) + _FRAME)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Fits when the text size changes."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.fit()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Fits when the style sheet has its say."""
        super().showEvent(event)
        self.fit()

    def sizeHint(self) -> QSize:  # noqa: N802
        """No wider than there is room."""
        return QSize(0, self.height())

    def add(self, key: object, text: str, tip: str) -> None:
        """Adds a row; `tick` says whether it is ticked."""
        item = plain_item(text, tip)
        item.setData(KEY, key)
        self.addItem(item)

    def show_rows(
        self, rows: Sequence[tuple[object, str, str]], ticked: Collection[object]
    ) -> None:
        """Offers rows (key, text, tool tip) with these keys ticked; the same rows stay in place."""
        if rows != self._rows:
            self._rows, current = list(rows), self.currentRow()
            self.blockSignals(True)
            self.clear()
            for row in rows:
                self.add(*row)
            self.setCurrentRow(min(max(current, 0), self.count() - 1))
            self.blockSignals(False)
            self.fit()
        self.tick(ticked)

    def tick(self, keys: Collection[object]) -> None:
        """Ticks these and no others."""
        self.blockSignals(True)
        for item in self._items():
            ticked = item.data(KEY) in keys
            item.setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
        self.blockSignals(False)
        self.changed.emit()

    def ticked(self) -> tuple[Any, ...]:
        """What is ticked, in its order."""
        ticked = (i for i in self._items() if i.checkState() == Qt.CheckState.Checked)
        return tuple(item.data(KEY) for item in ticked)

    def _items(self) -> list[QListWidgetItem]:
        return [self.item(row) for row in range(self.count())]

    @Slot(QListWidgetItem)
    def _on_changed(self, item: QListWidgetItem) -> None:
        self.setCurrentItem(item)  # a click on its box alone does not
        self.changed.emit()
