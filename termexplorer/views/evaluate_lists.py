"""Lists of the Evaluate page, of tasks and of encoders: several of each may be ticked."""

from collections.abc import Collection, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from termexplorer.services.encoders import EncoderInfo
from termexplorer.services.evaluation import TASKS
from termexplorer.views.evaluate_words import WORDS

_KEY = Qt.ItemDataRole.UserRole
_FRAME = 4


class ShortList(QListWidget):
    """As high as its rows, up to a number of them; Tab leaves it."""

    def __init__(self, name: str, most: int, parent: QWidget | None = None) -> None:
        self._most = most
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setTabKeyNavigation(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

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


class TickList(ShortList):
    """Rows with a tick each; Space ticks.

    Signals:
        changed: others are ticked.
    """

    changed = Signal()

    def __init__(self, name: str, most: int, parent: QWidget | None = None) -> None:
        super().__init__(name, most, parent)
        self.itemChanged.connect(self._on_changed)

    def add(self, key: object, text: str, tip: str) -> None:
        """Adds a row; `tick` says whether it is ticked."""
        item = QListWidgetItem(text, self)
        item.setData(_KEY, key)
        item.setToolTip(tip)

    def tick(self, keys: Collection[object]) -> None:
        """Ticks these and no others."""
        self.blockSignals(True)
        for item in self._items():
            ticked = item.data(_KEY) in keys
            item.setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
        self.blockSignals(False)
        self.changed.emit()

    def _ticked(self) -> tuple[Any, ...]:
        """What is ticked, in its order."""
        ticked = (i for i in self._items() if i.checkState() == Qt.CheckState.Checked)
        return tuple(item.data(_KEY) for item in ticked)

    def _items(self) -> list[QListWidgetItem]:
        return [self.item(row) for row in range(self.count())]

    @Slot(QListWidgetItem)
    def _on_changed(self, _item: QListWidgetItem) -> None:
        self.changed.emit()


class TaskList(TickList):
    """The tasks; those that are ticked are done, the current one is told about.

    Signals:
        chosen: the name of another task is the current one.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Tasks", len(TASKS), parent)
        for task in TASKS:
            self.add(task, WORDS[task].title, WORDS[task].sentence)
        self.choose(TASKS[0])
        self.fit()
        self.currentRowChanged.connect(self._on_row)

    @property
    def task(self) -> str:
        """The current one."""
        return TASKS[self.currentRow()]

    @property
    def tasks(self) -> tuple[str, ...]:
        """Those that are ticked."""
        return self._ticked()

    def choose(self, *tasks: str) -> None:
        """Ticks tasks and no others, if they are there; the first is the current one."""
        there = [task for task in TASKS if task in tasks]
        if there:
            self.setCurrentRow(TASKS.index(there[0]))
            self.tick(there)

    @Slot(int)
    def _on_row(self, row: int) -> None:
        if row >= 0:
            self.chosen.emit(TASKS[row])


class EncoderList(TickList):
    """Encoders, of which some are ticked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Encoders", 6, parent)
        self._shown: list[tuple[int, str]] = []

    @property
    def ids(self) -> tuple[int, ...]:
        """Those that are ticked, in their order."""
        return self._ticked()

    def show_encoders(self, encoders: Sequence[EncoderInfo], ticked: Sequence[int]) -> None:
        """Offers encoders, with these ticked."""
        shown = [(encoder.id, encoder.label) for encoder in encoders]
        if shown != self._shown:
            current = self.currentRow()
            self._shown = shown
            self.blockSignals(True)
            self.clear()
            for each in encoders:
                self.add(each.id, each.label, f"{each.label}: {each.kind}, {each.method}")
            self.setCurrentRow(min(max(current, 0), self.count() - 1))
            self.blockSignals(False)
            self.fit()
        self.tick(ticked)
