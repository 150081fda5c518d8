"""Lists of the Evaluate page: tasks of which one is chosen, encoders of which many are."""

from collections.abc import Sequence

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


class TaskList(ShortList):
    """The tasks; the current one is chosen.

    Signals:
        chosen: the name of another task.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Task", len(TASKS), parent)
        for task in TASKS:
            item = QListWidgetItem(WORDS[task].title, self)
            item.setData(_KEY, task)
            item.setToolTip(WORDS[task].sentence)
        self.fit()
        self.setCurrentRow(0)
        self.currentRowChanged.connect(self._on_row)

    @property
    def task(self) -> str:
        """The one that is chosen."""
        return TASKS[self.currentRow()]

    def choose(self, task: str) -> None:
        """Chooses a task, if it is there."""
        if task in TASKS:
            self.setCurrentRow(TASKS.index(task))

    @Slot(int)
    def _on_row(self, row: int) -> None:
        if row >= 0:
            self.chosen.emit(TASKS[row])


class EncoderList(ShortList):
    """Encoders with a tick each; Space ticks.

    Signals:
        changed: others are ticked.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Encoders", 6, parent)
        self._shown: list[tuple[int, str]] = []
        self.itemChanged.connect(self._on_changed)

    @property
    def ids(self) -> tuple[int, ...]:
        """Those that are ticked, in their order."""
        return tuple(item.data(_KEY) for item in self._items() if _is_ticked(item))

    def show_encoders(self, encoders: Sequence[EncoderInfo], ticked: Sequence[int]) -> None:
        """Offers encoders, with these ticked."""
        shown = [(encoder.id, encoder.label) for encoder in encoders]
        if shown != self._shown:
            current = self.currentRow()
            self._shown = shown
            self.blockSignals(True)
            self.clear()
            for encoder in encoders:
                item = QListWidgetItem(encoder.label, self)
                item.setData(_KEY, encoder.id)
                item.setToolTip(f"{encoder.label}: {encoder.kind}, {encoder.method}")
            self.setCurrentRow(min(max(current, 0), self.count() - 1))
            self.blockSignals(False)
            self.fit()
        self.tick(ticked)

    def tick(self, ids: Sequence[int]) -> None:
        """Ticks these and no others."""
        self.blockSignals(True)
        for item in self._items():
            ticked = item.data(_KEY) in ids
            item.setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
        self.blockSignals(False)
        self.changed.emit()

    def _items(self) -> list[QListWidgetItem]:
        return [self.item(row) for row in range(self.count())]

    @Slot(QListWidgetItem)
    def _on_changed(self, _item: QListWidgetItem) -> None:
        self.changed.emit()


def _is_ticked(item: QListWidgetItem) -> bool:
    return item.checkState() == Qt.CheckState.Checked
