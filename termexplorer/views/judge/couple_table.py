"""How well each two annotators agree: a matrix of one figure, which is chosen above it."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QWidget

from termexplorer.models.plain_table import PlainTableModel
from termexplorer.services.agreement.agreement import METRICS, AgreementReport
from termexplorer.services.agreement.couple_matrix import couple_matrix, couple_metrics
from termexplorer.texts import mark, tr, translated
from termexplorer.views.widgets.elided_box import ElidedBox
from termexplorer.views.widgets.forms import offer, shrinking
from termexplorer.views.widgets.tables.table import Column, Table
from termexplorer.views.widgets.ui_state import UiState

_LETTERS = 14


class CoupleFigure(ElidedBox):
    """Which figure of each two annotators is shown.

    Signals:
        changed: another one.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        shrinking(self, tr("Figure of each two annotators"), _LETTERS)
        self.activated.connect(self.changed)

    def offer_figures(self, report: AgreementReport) -> None:
        """Offers those of a report; the one that was chosen still is."""
        with QSignalBlocker(self):
            metrics = couple_metrics(report)
            offer(self, [(translated(METRICS[metric]), metric) for metric in metrics], "alpha")


class CoupleTable(Table):
    """A row and a column an annotator; in a cell the figure, its interval and its pairs."""

    def __init__(self, session: UiState) -> None:
        self._rows = PlainTableModel()
        super().__init__(mark("Agreement of each two annotators"), self._rows, session)
        self._rows.setParent(self)

    def columns(self) -> Sequence[Column]:
        """How wide each column is."""
        raters = self.model().columnCount() - 1
        cells = (Column(f"rater {n}", share=1, least=190) for n in range(raters))
        return (Column("annotator", share=1, least=90), *cells)

    def show_matrix(self, report: AgreementReport, metric: str) -> None:
        """Shows a figure of each two annotators."""
        matrix = couple_matrix(report, metric)
        rows = [(rater, *matrix.texts(rater)) for rater in matrix.raters]
        self._rows.show_rows((tr("Annotator"), *matrix.raters), rows)
