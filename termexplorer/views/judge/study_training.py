"""What learning from a study's verdicts changed, and the way to have them learned."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from termexplorer.models.sorted_table import SortedTableModel
from termexplorer.services.studies.judged_runs import BeforeAfterRow, runs_on_study
from termexplorer.services.studies.status import StudyStatus
from termexplorer.texts import mark, tr, translated
from termexplorer.views.widgets.forms import heading
from termexplorer.views.widgets.tables.sorted_table import SortedTable
from termexplorer.views.widgets.tables.table import Column
from termexplorer.views.widgets.ui_state import UiState
from termexplorer.views.window.page import Shared
from termexplorer.views.window.store_reading import StoreReading

_HEIGHT = 124
_HEADER = (
    mark("Run"),
    mark("Pairs"),
    mark("Figure"),
    mark("Before"),
    mark("After"),
    mark("After − before"),
    mark("p (Holm)"),
    "n",
)
_SAID = {
    "all held out": mark("all held out"),
    "random": mark("random"),
    "queue": mark("queue"),
    "accuracy": mark("accuracy"),
}
_TIP = mark(
    "Goes to Train, where an encoder of your choice learns from the verdicts of this study; its "
    "figures on pairs that were not learned stand here, before and after"
)


class BeforeAfterTable(SortedTable):
    """Figures of encoders before and after they learned from a study, on held-out pairs."""

    def __init__(self, session: UiState) -> None:
        self._rows = SortedTableModel()
        span = "0.000 [0.000, 0.000]__"
        columns = (
            Column("run", "00,000_"),
            Column("pairs", share=2, least=80),
            Column("figure", f"{tr('accuracy')}_"),
            Column("before", span),
            Column("after", span),
            Column("difference", "+0.000 [+0.000, +0.000]__"),
            Column("p", f"{tr('p (Holm)')}_"),
            Column("n", "0,000__"),
        )
        super().__init__(mark("Before and after training"), self._rows, session, columns)
        self._rows.setParent(self)
        self._rows.tips = {
            1: tr(
                "Held out of training. Those drawn at random are without bias; those of a queue "
                "were chosen because encoders find them hard"
            ),
            2: tr("Accuracy at a threshold chosen on other pairs, those that training stopped by"),
            5: tr("With its 95 % interval, over the same pairs for both"),
            6: tr(
                "Of no difference: DeLong's test for AUC, McNemar's test for accuracy; corrected "
                "over all rows of this table"
            ),
        }

    def show_runs(self, rows: Sequence[BeforeAfterRow]) -> None:
        """Shows the figures of runs."""
        header = [translated(title) for title in _HEADER]
        cells = [
            [translated(_SAID.get(str(cell), "")) or cell for cell in row.cells] for row in rows
        ]
        self._rows.show_rows(header, cells, (0, 3, 4, 5, 6, 7))


class StudyTraining(QWidget):
    """A button, and below it what came of it before."""

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._status: StudyStatus | None = None
        self.train = QPushButton(tr("Train on verdicts…"))
        self.table = BeforeAfterTable(shared.session)
        self.table.setFixedHeight(_HEIGHT)
        self.title = heading(tr("Before and after training on the verdicts"))
        self._reading = StoreReading(shared, self, self._question)
        self._reading.answered.connect(self._on_rows)
        self.train.clicked.connect(self._on_train)
        over = QHBoxLayout()
        over.setSpacing(8)
        over.addWidget(self.title)
        over.addStretch(1)
        over.addWidget(self.train)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(over)
        column.addWidget(self.table)
        self._on_rows([])

    def close_training(self) -> None:
        """Ends the thread."""
        self._reading.close()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Reads what has changed."""
        super().showEvent(event)
        self._reading.look()

    def show_study(self, status: StudyStatus) -> None:
        """Shows another study, or the same with other answers."""
        other = self._status is None or self._status.study.id != status.study.id
        self._status = status
        judged = any(seat.judged for seat in status.seats)
        self.train.setEnabled(judged)
        why_not = tr("Nobody has judged a pair of this study yet")
        self.train.setToolTip(translated(_TIP) if judged else why_not)
        if other:
            self._on_rows([])
            self._reading.renew()

    def _question(self) -> Callable[[], object]:
        key = "" if self._status is None else self._status.study.head.key
        return partial(runs_on_study, self._shared.workspace, key)

    @Slot(object)
    def _on_rows(self, rows: Sequence[BeforeAfterRow]) -> None:
        self.table.show_runs(rows)
        for widget in (self.table, self.title):
            widget.setVisible(bool(rows))

    @Slot()
    def _on_train(self) -> None:
        if self._status is not None:
            errands = self._shared.errands
            errands.show_page.emit("train")
            errands.train_judged.emit(self._status.study.id)
