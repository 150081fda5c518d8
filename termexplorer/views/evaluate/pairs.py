"""What stands behind figures on a pair set: ROC curves, or the pairs that are hardest."""

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QStackedWidget, QWidget

from termexplorer.models.hardest_pairs import WRONG, HardestPairsModel
from termexplorer.questions import LatestQueryWorker
from termexplorer.services.evaluate.evaluation import Evaluated
from termexplorer.services.evaluate.pair_details import (
    CURVE_HEADER,
    PairDetails,
    curve_rows,
    hardest_header,
    hardest_rows,
    measured_together,
    read_pair_details,
    rows_of_pairs,
)
from termexplorer.services.files.exports import Cell
from termexplorer.texts import mark, tr, translated
from termexplorer.views.evaluate.roc import RocPlot
from termexplorer.views.widgets.export_button import ALL, SHOWN
from termexplorer.views.widgets.forms import choice, offer
from termexplorer.views.widgets.tables.sorted_table import SortedTable
from termexplorer.views.widgets.tables.table import Column
from termexplorer.views.widgets.ui_state import UiState
from termexplorer.views.window.page import Shared

ROC, HARDEST = "roc", "hardest"
PARTS = {ROC: mark("ROC curves"), HARDEST: mark("Hardest pairs")}
_TITLES = 4  # columns before those of encoders
_SAMPLE, _LETTERS = f"{WRONG} 0.000__", 14
_OVER = {
    ROC: mark("true over false positives, chance dotted"),
    HARDEST: mark("{sign} on the wrong side of the encoder's best threshold"),
}


class HardestTable(SortedTable):
    """Shows a `HardestPairsModel`; a click on a title sorts by it."""

    def __init__(self, pairs: HardestPairsModel, session: UiState) -> None:
        self._pairs = pairs
        super().__init__(mark("Hardest pairs"), pairs, session)

    def columns(self) -> Sequence[Column]:
        """The terms take the room that the figures leave."""
        if not self._pairs.header:
            return ()
        terms = [Column(side, share=3, least=120) for side in ("left", "right")]
        label = Column("label", f"{tr('dissimilar')}__")
        titles = self._pairs.header[_TITLES:]
        encoders = [Column(title, max(_SAMPLE, title[:_LETTERS], key=len)) for title in titles]
        return (Column("place", f"{tr('Place')}__"), *terms, label, *encoders)


class PairPane(QStackedWidget):
    """Shows one of the two, of all encoders that were measured on the same pairs.

    Signals:
        shown: other pairs are shown.
    """

    shown = Signal()

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._details: Sequence[PairDetails] = ()
        self._labels: Mapping[int, str] = {}
        self._areas: Mapping[int, float] = {}  # under the curves of encoders
        self.plot = RocPlot(shared.theme)
        self.model = HardestPairsModel(self)
        self.table = HardestTable(self.model, shared.session)
        self.encoder = choice(tr("Hardest for"))
        self._reading = LatestQueryWorker(self)
        self.addWidget(self.plot)
        self.addWidget(self.table)
        self.model.modelReset.connect(self.shown)
        self._reading.answered.connect(self._on_details)
        self._reading.failed.connect(shared.notices.error)
        self.encoder.currentIndexChanged.connect(self._on_encoder)

    def close_pane(self) -> None:
        """Ends the thread that reads."""
        self._reading.close()

    def show_evaluated(self, evaluated: Evaluated, labels: Mapping[int, str]) -> None:
        """Reads what is kept of an evaluation, and shows it then."""
        self._labels = labels
        figures = evaluated.figures
        self._areas = {
            figure.encoder_id: figure.value for figure in figures if figure.metric == "AUC"
        }
        self._reading.ask(partial(read_pair_details, self._shared.workspace, evaluated))

    def show_part(self, part: str) -> str:
        """Shows `ROC` or `HARDEST`; returns what that is, in words."""
        self.setCurrentWidget(self.plot if part == ROC else self.table)
        return translated(_OVER[part], sign=WRONG)

    def counts(self, part: str) -> dict[str, int]:
        """Return how many rows of a part can be exported: those shown, and all."""
        if part == ROC:
            return {SHOWN: sum(len(detail.curve[0]) for detail in self._details)}
        return {
            SHOWN: len(self.model.rows),
            ALL: sum(len(detail.hardest) for detail in self._details),
        }

    def file(
        self, part: str, *, everything: bool = False
    ) -> tuple[str, list[str], list[list[Cell]]]:
        """Return name, header and rows of a file of what is shown, or of all encoders."""
        if part == ROC:
            return translated(PARTS[ROC]), CURVE_HEADER, curve_rows(self._details, self._labels)
        header = hardest_header(self._details, self._labels)
        if everything or not self.model.rows:
            rows = hardest_rows(self._details, self._labels)
        else:
            encoders = measured_together(self._details, self._labels)
            label = self._labels[self.encoder.currentData()]
            rows = rows_of_pairs(label, self.model.rows, encoders)
        return translated(PARTS[HARDEST]), header, rows

    @Slot(object)
    def _on_details(self, details: Sequence[PairDetails]) -> None:
        self._details = [detail for detail in details if detail.encoder_id in self._labels]
        rows = [(self._labels[detail.encoder_id], detail.encoder_id) for detail in self._details]
        with QSignalBlocker(self.encoder):
            offer(self.encoder, rows, self._details[0].encoder_id if rows else None)
        self.plot.show_details(self._details, self._labels, self._areas)
        self._on_encoder()

    @Slot()
    def _on_encoder(self) -> None:
        self.model.show_details(self._details, self.encoder.currentData(), self._labels)
