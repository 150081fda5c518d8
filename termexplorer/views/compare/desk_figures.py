"""The head of the rank-diff desk: the figures that Evaluate keeps, and how they go over levels."""

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from termexplorer.questions import LatestQueryWorker
from termexplorer.services.compare.rows import Summary
from termexplorer.services.evaluate.evaluation import Evaluated
from termexplorer.services.evaluate.stored_figures import EVALUATED, StoredFigures, stored_figures
from termexplorer.services.figures.coverage_words import evaluated_n_text
from termexplorer.services.figures.metric_kinds import LEAST_ITEMS
from termexplorer.texts import mark, tr, translated
from termexplorer.views.widgets.elided_label import ElidedLabel
from termexplorer.views.window.page import Shared

_NONE = mark(
    "These encoders have no figures on this task and level yet; Evaluate measures them "
    "on held-out names"
)


class DeskFigures(QWidget):
    """A line of stored figures, with a button that leads to them.

    Signals:
        figures_read: the `Curves` over levels, or None.
    """

    figures_read = Signal(object)

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._evaluated: Evaluated | None = None
        self._titles: Mapping[int, str] = {}
        self._asked: tuple[str, tuple[int, ...]] | None = None
        self.message = ElidedLabel()
        self.message.setProperty("quiet", True)
        self.open = QPushButton(tr("Open in Evaluate"))
        self.open.clicked.connect(self._on_open)
        self._reading = LatestQueryWorker(self)
        self._reading.answered.connect(self._on_found)
        self._reading.failed.connect(shared.notices.error)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.message, 1)
        row.addWidget(self.open)

    def close_figures(self) -> None:
        """Ends the thread."""
        self._reading.close()

    def show_summary(self, summary: Summary) -> None:
        """Looks for what was measured of the encoders that are compared."""
        subject, self._titles = summary.compared.request.subject, summary.titles
        self._asked = EVALUATED[subject.task], summary.compared.encoder_ids
        self._reading.ask(
            partial(
                stored_figures,
                self._shared.workspace,
                subject.task,
                subject.ontology_id,
                subject.level,
                summary.compared.encoder_ids,
                summary.titles,
            )
        )

    @Slot(object)
    def _on_found(self, stored: StoredFigures) -> None:
        self._evaluated = stored.evaluated
        self.message.setText(self._text(stored) or translated(_NONE))
        self.figures_read.emit(stored.curves)

    def _text(self, stored: StoredFigures) -> str:
        if stored.evaluated is None:
            return ""
        figures = (
            tr(
                "{encoder} {value:.3f} ({low:.3f} to {high:.3f})",
                encoder=self._titles[figure.encoder_id],
                value=figure.value,
                low=figure.low,
                high=figure.high,
            )
            for figure in stored.figures
            if figure.n >= LEAST_ITEMS
        )
        data = stored.evaluated.shown_data
        n = evaluated_n_text(stored.evaluated)
        figures_text = " · ".join(figures) or tr("too few items")
        return f"{stored.evaluated.metric}, {data}, n {n}: {figures_text}"

    @Slot()
    def _on_open(self) -> None:
        self._shared.errands.show_page.emit("evaluate")
        if self._evaluated is not None:
            self._shared.errands.show_evaluated.emit(self._evaluated)
        elif self._asked is not None:
            self._shared.errands.evaluate_task.emit(*self._asked)
