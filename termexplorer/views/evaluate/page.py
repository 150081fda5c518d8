"""The Evaluate page: a form, and the figures of all encoders that were measured."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from termexplorer.services.encoders.encoders import EncoderInfo, inputs_of, list_encoders
from termexplorer.services.evaluate.conclusion_words import conclusion_text
from termexplorer.services.evaluate.evaluation import (
    Evaluated,
    EvaluationRequest,
    evaluate,
    learned_level,
    least_seen,
    list_evaluations,
)
from termexplorer.services.explore.ontologies import Ontology, list_ontologies
from termexplorer.services.train.runs import RunInfo, list_runs
from termexplorer.texts import tr, trn
from termexplorer.views.evaluate.form import EvaluateForm
from termexplorer.views.evaluate.results import EvaluateResults
from termexplorer.views.evaluate.words import task_title
from termexplorer.views.widgets.focus import mark_parts
from termexplorer.views.widgets.forms import FORM_WIDTHS
from termexplorer.views.widgets.splitter import KeptSplitter
from termexplorer.views.window.page import PageWidget, Shared
from termexplorer.views.window.store_reading import StoreReading
from termexplorer.workspace import Workspace

LANE = "evaluation"
_KEY = "evaluate/splitter"


@dataclass(frozen=True, slots=True)
class EvaluateState:
    """What the workspace holds that this page shows."""

    encoders: tuple[EncoderInfo, ...]
    ontologies: tuple[Ontology, ...]
    runs: tuple[RunInfo, ...]
    evaluations: tuple[Evaluated, ...]


def read_state(workspace: Workspace) -> EvaluateState:
    """Reads it; evaluations first, so that their encoders are there."""
    evaluations = tuple(list_evaluations(workspace))
    return EvaluateState(
        tuple(list_encoders(workspace)),
        tuple(list_ontologies(workspace)),
        tuple(list_runs(workspace)),
        evaluations,
    )


class EvaluatePage(PageWidget):
    """Measures encoders and compares them."""

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._state = EvaluateState((), (), (), ())
        self.form = EvaluateForm(shared)
        self.results = EvaluateResults(shared)
        self._reading = StoreReading(shared, self, self._question)
        self._reading.answered.connect(self._on_state)
        self._lay_out()
        shared.selection.ontology_changed.connect(self._show_ontology)
        shared.errands.show_evaluated.connect(self.results.list.choose)
        shared.errands.show_evaluated.connect(self.results.show_list)
        self.form.encoders.changed.connect(self._on_ticked)
        shared.errands.evaluate_task.connect(self.form.use_task)
        shared.errands.evaluate_pairs.connect(self.form.use_pairs)
        self.form.wanted.connect(self._on_wanted)

    def close_page(self) -> None:
        """Keeps what is chosen and the sizes, and ends the thread."""
        self.form.keep()
        self.results.close_results()
        self.splitter.keep()
        self._reading.close()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Reads what has changed."""
        super().showEvent(event)
        self._reading.look()

    def entrance(self) -> QWidget:
        """The tasks."""
        return self.form.tasks

    def _lay_out(self) -> None:
        horizontal = Qt.Orientation.Horizontal
        self.splitter = KeptSplitter(self._shared.session, _KEY, horizontal)
        self.splitter.fill(FORM_WIDTHS, self.form, self.results)
        self.splitter.setStretchFactor(1, 1)
        mark_parts(self.form, *self.results.parts())
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.splitter)

    def _question(self) -> Callable[[], EvaluateState]:
        return partial(read_state, self._shared.workspace)

    @Slot(object)
    def _on_state(self, state: EvaluateState) -> None:
        before, self._state = self._state, state
        if (state.encoders, state.runs) != (before.encoders, before.runs):
            self.form.show_state(state.encoders, state.runs)
        if state != before:
            self.results.curves.use_runs(state.runs, state.ontologies)
            self.results.show_evaluations(state.evaluations, self._labels(), self._beneath())
        self._show_ontology()

    @Slot()
    def _show_ontology(self) -> None:
        current = self._shared.selection.ontology_id
        ontology = next((o for o in self._state.ontologies if o.id == current), None)
        self.form.show_ontology(ontology)
        self.results.show_ontology(ontology)

    @Slot()
    def _on_ticked(self) -> None:
        self.results.matrix.use_ticked(self.form.encoders.ids)

    @Slot(object)
    def _on_wanted(self, request: EvaluationRequest) -> None:
        count = len(request.encoder_ids)
        title = trn(
            "{task}, {n} encoder", "{task}, {n} encoders", count, task=task_title(request.task)
        )
        work = partial(evaluate, self._shared.workspace, request)
        job = self._shared.jobs.add(title, work, LANE, lost=True)
        job.succeeded.connect(self._on_evaluated)

    @Slot(object)
    def _on_evaluated(self, evaluations: tuple[Evaluated, ...]) -> None:
        level = learned_level(evaluations, self._state.runs)
        shown = least_seen(evaluations, level)  # what an encoder has learned tells little about it
        self.results.list.choose(shown)
        text = conclusion_text(shown, self._labels(), beneath=self._beneath())
        if self._others_than(shown):
            text = tr(
                "{conclusion} This covers the encoders measured now; others have "
                "figures there too.",
                conclusion=text,
            )
        subject = f"{task_title(shown.task)} · {shown.shown_data}"
        message = f"{text} · {subject}" if len(evaluations) > 1 else text
        self._shared.notices.tell(message)
        self._reading.renew()

    def _others_than(self, measured: Evaluated) -> set[int]:
        """Other encoders that were measured on the same data before."""
        same = (
            evaluation
            for evaluation in self._state.evaluations
            if (evaluation.task, evaluation.data_hash) == (measured.task, measured.data_hash)
        )
        known = {figure.encoder_id for evaluation in same for figure in evaluation.figures}
        return known - {figure.encoder_id for figure in measured.figures}

    def _labels(self) -> dict[int, str]:
        return {encoder.id: encoder.label for encoder in self._state.encoders}

    def _beneath(self) -> dict[int, int]:
        return inputs_of(self._state.encoders)
