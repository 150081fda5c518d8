"""The head of the rank-diff desk: the task, its level, the encoders and the baseline."""

import json
from dataclasses import astuple, dataclass

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from termexplorer.services.compare.comparison import (
    MOST_ENCODERS,
    TASKS,
    CompareRequest,
    ComparisonSubject,
)
from termexplorer.services.encoders.encoders import EncoderInfo, list_encoders, trained_on_ontology
from termexplorer.services.explore.ontologies import Ontology, list_ontologies
from termexplorer.services.levels.lens import why_no_level
from termexplorer.texts import mark, tr, translated
from termexplorer.views.explore.encoder_choice import EncoderChoice
from termexplorer.views.explore.encoder_columns import usual_columns
from termexplorer.views.widgets.forms import TwoHalves, choice, offer
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.window.page import Shared
from termexplorer.views.window.shared_level import SharedLevel
from termexplorer.workspace import Workspace

_TASKS = {
    "neighbours": mark("Neighbours"),
    "hypernyms": mark("Hypernyms"),
    "synonyms": mark("Synonyms"),
}
_TIPS = {
    "neighbours": mark("Each name among all others: those of its class on the level are true"),
    "hypernyms": mark("Each name below the level among those on it: those of its classes are true"),
    "synonyms": mark("Each name that has synonyms among all others: those of its concept are true"),
}
_ENCODERS, _TASK, _BASELINE = "compare/encoders", "compare/task", "compare/baseline"
_DONE = "compare/done"
_FEWEST = 2


@dataclass(frozen=True, slots=True)
class CompareState:
    """What the workspace holds that the desk offers."""

    encoders: tuple[EncoderInfo, ...]
    ontology: Ontology | None
    trained_here: tuple[int, ...]


def read_state(workspace: Workspace, ontology_id: int | None) -> CompareState:
    """Reads it, for the ontology on show."""
    matches = (ontology for ontology in list_ontologies(workspace) if ontology.id == ontology_id)
    return CompareState(
        tuple(list_encoders(workspace)),
        next(matches, None),
        tuple(trained_on_ontology(workspace, ontology_id)),
    )


class DeskForm(QWidget):
    """Asks what to compare.

    Signals:
        ready: all that the choice depends on is known; it may be another one.
        baseline_changed: another encoder is the one to win or lose against.
    """

    ready = Signal()
    baseline_changed = Signal()

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._state = CompareState((), None, ())
        self.task = choice(tr("Task"))
        for row, task in enumerate(TASKS):
            self.task.addItem(translated(_TASKS[task]), task)
            self.task.setItemData(row, translated(_TIPS[task]), Qt.ItemDataRole.ToolTipRole)
        self.level_choice = SharedLevel(shared)
        self.encoders = EncoderChoice(shared.theme, most=MOST_ENCODERS)
        self.baseline = choice(tr("Baseline"), 16)
        self.baseline.setToolTip(tr("The encoder that the others win or lose against"))
        self.compare = QPushButton(tr("Compare"))
        self._lay_out()
        self._restore()
        self._connect()
        self._allow()

    @property
    def baseline_id(self) -> int:
        """The encoder to win or lose against."""
        encoder_id: int = self.baseline.currentData()
        return encoder_id

    @property
    def request(self) -> CompareRequest | None:
        """What is asked for; None where something is missing."""
        ontology = self._state.ontology
        if ontology is None or self.why_not:
            return None
        root = self.level_choice.chosen_root
        subject = ComparisonSubject(
            self.task.currentData(),
            ontology.id,
            root.id if root and self.level_choice.levels else None,
            self.level_choice.chosen_level if self.level_choice.levels else None,
        )
        return CompareRequest(self._shared.workspace.folder, subject, self.encoders.ids)

    @property
    def why_not(self) -> str:
        """Why nothing can be compared yet and what to do, in words; empty if something can."""
        ontology, level = self._state.ontology, self.level_choice.chosen_level
        if ontology is None:
            return tr("Import an ontology first, with Ctrl+I")
        if len(self.encoders.ids) < _FEWEST:
            return tr(
                "Choose two encoders or more; others are trained on the page Train, or opened there"
            )
        if self.level_choice.levels is None:
            return tr("Levels are being counted")
        if not self.level_choice.levels and self.task.currentData() == "hypernyms":
            return tr(
                "{ontology} has no levels; choose neighbours or synonyms", ontology=ontology.label
            )
        return why_no_level(level, self.level_choice.levels) if self.level_choice.levels else ""

    @property
    def was_done(self) -> bool:
        """Whether the same was compared last, so that it is kept."""
        request = self.request
        return request is not None and self._shared.session.place(_DONE) == _request_key(request)

    def keep_done(self, request: CompareRequest) -> None:
        """Remembers what was compared last."""
        self._shared.session.keep_place(_DONE, _request_key(request))

    def close_form(self) -> None:
        """Keeps what is chosen and ends the thread."""
        session = self._shared.session
        session.keep_place(_TASK, self.task.currentData())
        if self._state.encoders:
            session.keep_place(_ENCODERS, " ".join(map(str, self.encoders.ids)))
            session.keep_place(_BASELINE, str(self.baseline_id))
        self.level_choice.close_boxes()

    def show_state(self, state: CompareState) -> None:
        """Offers what there is; what was chosen stays."""
        first = not self._state.encoders
        self._state = state
        wanted = self._usual() if first else ()
        self.encoders.show_encoders(state.encoders, wanted)
        self._offer_baselines()
        self.level_choice.show_ontology(state.ontology)

    def _usual(self) -> list[int]:
        encoder_ids = [encoder.id for encoder in self._state.encoders]
        remembered = [
            encoder_id
            for encoder_id in self._shared.session.numbers(_ENCODERS)
            if encoder_id in encoder_ids
        ]
        if len(remembered) >= _FEWEST:
            return remembered
        usual = usual_columns(self._state.encoders, self._state.trained_here)
        return (
            usual
            if len(usual) >= _FEWEST
            else list(dict.fromkeys((*usual, *encoder_ids)))[:_FEWEST]
        )

    def _lay_out(self) -> None:
        above = TwoHalves()
        above.first.addWidget(self.task)
        above.first.addWidget(self.level_choice)
        above.first.addStretch(1)
        against = PlainLabel(tr("against"))
        against.setProperty("quiet", True)
        for part in (against, self.baseline, self.compare):
            above.second.addWidget(part)
        above.second.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(above)
        column.addWidget(self.encoders)

    def _restore(self) -> None:
        session = self._shared.session
        self.task.setCurrentIndex(max(self.task.findData(session.place(_TASK)), 0))

    def _connect(self) -> None:
        self.task.currentIndexChanged.connect(self._on_changed)
        self.level_choice.settled.connect(self._on_changed)
        self.encoders.changed.connect(self._on_encoders)
        self.baseline.currentIndexChanged.connect(self.baseline_changed)

    def _offer_baselines(self) -> None:
        labels = {encoder.id: encoder.label for encoder in self._state.encoders}
        remembered = next(iter(self._shared.session.numbers(_BASELINE)), None)
        before = self.baseline.currentData()
        with QSignalBlocker(self.baseline):
            offer(
                self.baseline,
                [(labels[encoder_id], encoder_id) for encoder_id in self.encoders.ids],
                remembered,
            )
        if before != self.baseline.currentData():
            self.baseline_changed.emit()

    @Slot()
    def _on_encoders(self) -> None:
        self._offer_baselines()
        self._on_changed()

    @Slot()
    def _on_changed(self) -> None:
        self.task.setToolTip(translated(_TIPS[self.task.currentData()]))
        self._allow()
        self.ready.emit()

    def _allow(self) -> None:
        why = self.why_not
        self.level_choice.setVisible(bool(self.level_choice.levels))
        self.compare.setEnabled(not why)
        self.compare.setToolTip(why or tr("Ctrl+Enter; rankings made before are reused"))


def _request_key(request: CompareRequest) -> str:
    return json.dumps([*astuple(request.subject), sorted(request.encoder_ids)])
