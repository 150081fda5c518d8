"""The rank-diff desk: where encoders disagree, mention by mention, and who wins."""

from collections.abc import Callable
from functools import partial

import numpy as np
from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from termexplorer.questions import LatestQueryWorker
from termexplorer.services.compare.comparison import CompareRequest, Ints, compare
from termexplorer.services.compare.sheet import ComparisonSheet, Order, make_sheet
from termexplorer.services.evaluate.curves import Curves
from termexplorer.services.explore.ontologies import ConceptRef
from termexplorer.texts import mark, tr, translated
from termexplorer.views.compare.desk_figures import DeskFigures
from termexplorer.views.compare.desk_form import CompareState, DeskForm, read_state
from termexplorer.views.compare.desk_tables import TallyTable
from termexplorer.views.compare.mentions_pane import MentionsPane
from termexplorer.views.compare.side_pane import SidePane
from termexplorer.views.evaluate.plot import FigurePlot
from termexplorer.views.widgets.focus import mark_parts
from termexplorer.views.widgets.forms import make_primary
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.widgets.splitter import KeptSplitter
from termexplorer.views.window.page import Shared
from termexplorer.views.window.store_reading import StoreReading
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

LANE = "comparison"
_KEY = "compare/splitter"
_WIDTHS = (660, 660)
_HINT = mark("Choose encoders above and press Compare (Ctrl+Enter).")
_RUNNING = mark("Comparing… progress and Cancel are at the bottom of the window.")
_NONE = mark("No such mention: choose another class, or clear the filter.")


class EncoderDesk(QWidget):
    """Compares encoders in a job; mentions at the left, the rankings of one at the right.

    Attributes:
        sheet: the comparison on show, or None.
    """

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self.sheet: ComparisonSheet | None = None
        self._running: dict[QObject, CompareRequest] = {}  # by their jobs; they may also wait
        self._asked: CompareRequest | None = None  # of the last job
        self.form = DeskForm(shared)
        self.conclusion = PlainLabel(wordWrap=True)
        self.about = PlainLabel()
        self.figures, self.slopes = DeskFigures(shared), FigurePlot(shared.theme)
        self.classes = TallyTable(shared.session)
        self.mentions = MentionsPane(shared)
        self.side = SidePane(shared)
        self._reading = StoreReading(shared, self, self._question)
        self._arranging = LatestQueryWorker(self)
        self._lay_out()
        self._connect()
        self._show_sheet(None)

    def close_part(self) -> None:
        """Keeps what is chosen and the sizes, and ends the threads."""
        self.form.close_form()
        self.mentions.close_pane()
        self.side.close_pane()
        self.figures.close_figures()
        self.splitter.keep()
        for questions in (self._reading, self._arranging):
            questions.close()

    def entrance(self) -> QWidget:
        """The task."""
        return self.form.task

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Reads what has changed."""
        super().showEvent(event)
        self._reading.look()

    def _lay_out(self) -> None:
        make_primary(self.form.compare, self)
        self.about.setProperty("quiet", True)
        horizontal = Qt.Orientation.Horizontal
        self.splitter = KeptSplitter(self._shared.session, _KEY, horizontal)
        self.splitter.fill(_WIDTHS, self.mentions, self.side)
        self.splitter.setStretchFactor(1, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        for above in (self.form, self.conclusion, self.about, self.figures):
            column.addWidget(above)
        column.addLayout(self._head())
        column.addWidget(self.splitter, 1)
        mark_parts(self.form, self.classes, self.mentions, self.side)

    def _head(self) -> QHBoxLayout:
        """Classes, and beside them the slopes over levels."""
        self.slopes.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.classes, 1)
        row.addWidget(self.slopes, 1)
        return row

    def _connect(self) -> None:
        shared, form = self._shared, self.form
        form.compare.clicked.connect(self._on_compare)
        form.ready.connect(self._on_ready)
        form.baseline_changed.connect(self._arrange)
        self.classes.chosen.connect(self._arrange)
        self.mentions.asked_otherwise.connect(self._arrange)
        self.mentions.chosen.connect(self._on_mention)
        self.mentions.table.entered_row.connect(self.side.go)
        self.side.gone_to.connect(self._on_gone)
        self.figures.figures_read.connect(self._on_curves)
        self._reading.answered.connect(self._on_state)
        self._arranging.answered.connect(self._on_arranged)
        self._arranging.failed.connect(shared.notices.error)
        shared.selection.ontology_changed.connect(self._reading.renew)

    def _question(self) -> Callable[[], CompareState]:
        return partial(read_state, self._shared.workspace, self._shared.selection.ontology_id)

    @Slot(object)
    def _on_state(self, state: CompareState) -> None:
        shown = self.sheet.compared.request.subject.ontology_id if self.sheet else None
        if shown is not None and (state.ontology is None or state.ontology.id != shown):
            self._asked = None
            self._show_sheet(None)
        self.form.show_state(state)

    @Slot()
    def _on_ready(self) -> None:
        """Shows what is kept, if just this was compared before."""
        fresh = self.sheet is None and self.form.request != self._asked
        if fresh and self.form.was_done:
            self._on_compare()
        self._show_hint()

    @Slot()
    def _on_compare(self) -> None:
        request = self.form.request
        if request is None or request in self._running.values():
            return
        self._asked = request
        title = tr(
            "Compare {encoders} encoders, {task}",
            encoders=len(request.encoder_ids),
            task=translated(request.subject.task),
        )
        work = partial(_compare_encoders, self._shared.workspace, request, self.form.baseline_id)
        job = self._shared.jobs.add(title, work, LANE, lost=True)
        self._running[job] = request
        for over in (job.succeeded, job.failed, job.cancelled):
            over.connect(self._on_over)
        job.succeeded.connect(self.show_comparison)
        self._show_hint()

    @Slot(object)
    def show_comparison(self, sheet: ComparisonSheet) -> None:
        """Shows what came of a comparison, if its ontology is still the one on show."""
        self.form.keep_done(sheet.compared.request)
        if sheet.summary.ontology.id != self._shared.selection.ontology_id:
            self._asked = None  # it is kept for when the user comes back
            return
        self.sheet = sheet
        self._arrange()

    @Slot()
    def _on_over(self) -> None:
        self._running.pop(self.sender(), None)
        self._show_hint()

    @Slot()
    def _arrange(self) -> None:
        sheet = self.sheet
        if sheet is None:
            return
        baseline = self.form.baseline_id
        if baseline not in sheet.compared.encoder_ids:
            baseline = sheet.summary.baseline_id
        order = self.mentions.order(sheet, self.classes.class_number)
        self._arranging.ask(partial(_arrange_sheet, self._shared.workspace, sheet, baseline, order))

    @Slot(object)
    def _on_arranged(self, arranged: tuple[ComparisonSheet, Ints]) -> None:
        sheet, places = arranged
        if sheet is not self.mentions.model.sheet:
            self._show_sheet(sheet)
        self.mentions.show_mentions(sheet, places)

    def _show_sheet(self, sheet: ComparisonSheet | None) -> None:
        self.sheet = sheet
        self.conclusion.setText(sheet.conclusion if sheet else "")
        self.about.setText(sheet.summary.text if sheet else "")
        for widget in (self.conclusion, self.about, self.classes, self.figures):
            widget.setVisible(sheet is not None)
        self._on_curves(None)
        if sheet is not None:
            self.figures.show_summary(sheet.summary)
        self.classes.show_sheet(sheet)
        if sheet is None:
            self._arranging.forget()
            self.mentions.show_mentions(None, np.zeros(0, np.int64))
        self._show_hint()

    def _show_hint(self) -> None:
        why = self.form.why_not
        idle = translated(_NONE) if self.sheet else f"{why}." if why else translated(_HINT)
        ontology_id = self._shared.selection.ontology_id
        runs = any(job.subject.ontology_id == ontology_id for job in self._running.values())
        self.mentions.say(translated(_RUNNING) if runs and not self.sheet else idle)

    @Slot(object)
    def _on_curves(self, curves: Curves | None) -> None:
        self.slopes.setVisible(curves is not None)
        if curves is not None:
            self.slopes.show_figures(curves)

    @Slot(object)
    def _on_mention(self, position: int | None) -> None:
        sheet = self.mentions.model.sheet  # which is another one than is being laid out
        if sheet is None or position is None:
            self.side.clear()
        else:
            self.side.ask(sheet.compared, position, sheet.summary.baseline_id)

    @Slot(object)
    def _on_gone(self, concept: ConceptRef) -> None:
        self._shared.errands.show_concept(concept.release_id, concept.id)


def _compare_encoders(
    workspace: Workspace,
    request: CompareRequest,
    baseline_id: int,
    control: JobControl,
    on_message: Callable[[object], None],
) -> ComparisonSheet:
    return make_sheet(workspace, compare(workspace, request, control, on_message), baseline_id)


def _arrange_sheet(
    workspace: Workspace, sheet: ComparisonSheet, baseline_id: int, order: Order
) -> tuple[ComparisonSheet, Ints]:
    if sheet.summary.baseline_id != baseline_id:
        sheet = make_sheet(workspace, sheet.compared, baseline_id)
    return sheet, sheet.places(order)
