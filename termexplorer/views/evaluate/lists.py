"""Lists of the Evaluate page, of tasks and of encoders: several of each may be ticked."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QListWidgetItem, QWidget

from termexplorer.services.encoders.encoders import EncoderInfo
from termexplorer.services.evaluate.evaluation import TASKS
from termexplorer.services.train.renaming import can_be_renamed
from termexplorer.texts import mark, tr, translated
from termexplorer.views.evaluate.words import task_sentence, task_title
from termexplorer.views.widgets.tick_list import KEY, TickList

_KINDS = {
    "lexical": mark("lexical"),
    "untrained": mark("untrained"),
    "trained": mark("trained"),
}


class TaskList(TickList):
    """The tasks; those that are ticked are done, the current one is told about.

    Signals:
        chosen: the name of another task is the current one.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Tasks"), len(TASKS), parent)
        for task in TASKS:
            self.add(task, task_title(task), task_sentence(task))
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
        return self.ticked()

    def choose(self, *tasks: str) -> None:
        """Ticks tasks and no others, if they are there; the first is the current one."""
        offered = [task for task in TASKS if task in tasks]
        if offered:
            self.setCurrentRow(TASKS.index(offered[0]))
            self.tick(offered)

    @Slot(int)
    def _on_row(self, row: int) -> None:
        if row >= 0:
            self.chosen.emit(TASKS[row])


class EncoderList(TickList):
    """Encoders, of which some are ticked; F2 renames one.

    Signals:
        renamed: the id of an encoder, and the title that was typed.
    """

    renamed = Signal(int, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        self._labels: dict[int, str] = {}
        super().__init__(tr("Encoders"), 6, parent)
        self.rename = QAction(tr("Rename…"), self)
        self.rename.triggered.connect(self._on_rename)
        self.addAction(self.rename)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.itemChanged.connect(self._on_edited)

    @Slot()
    def _on_rename(self) -> None:
        item = self.currentItem()
        if item is not None and item.flags() & Qt.ItemFlag.ItemIsEditable:
            self.editItem(item)

    @Slot(QListWidgetItem)
    def _on_edited(self, item: QListWidgetItem) -> None:
        """Tell a title that was typed; the row has its label again until the store has it."""
        encoder_id, text = item.data(KEY), item.text()
        label = self._labels.get(encoder_id, text)
        if text == label:
            return
        item.setText(label)
        self.renamed.emit(encoder_id, text.strip().removesuffix(f"#{encoder_id}").strip())

    @property
    def ids(self) -> tuple[int, ...]:
        """Those that are ticked, in their order."""
        return self.ticked()

    def show_encoders(self, encoders: Sequence[EncoderInfo], ticked: Sequence[int]) -> None:
        """Offers encoders, with these ticked."""
        rows = [
            (e.id, e.label, f"{e.label}: {translated(_KINDS.get(e.kind, e.kind))}, {e.method}")
            for e in encoders
        ]
        self._labels = {encoder.id: encoder.label for encoder in encoders}
        self.show_rows(rows, ticked)
        editable = {encoder.id for encoder in encoders if can_be_renamed(encoder)}
        self.blockSignals(True)
        for item in map(self.item, range(self.count())):
            if item.data(KEY) in editable:
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
        self.blockSignals(False)
