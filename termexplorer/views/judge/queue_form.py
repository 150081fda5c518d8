"""Which pairs to have judged next: those that encoders see differently, and some at random."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QPushButton, QWidget

from termexplorer.services.encoders.encoders import EncoderInfo, list_encoders
from termexplorer.services.evaluate.evaluation import MEASURES
from termexplorer.services.explore.ontologies import Ontology, list_ontologies
from termexplorer.services.judge.queue import BY, CANDIDATES, RANDOM_SHARE, QueuePlan
from termexplorer.texts import mark, tr, translated, trn
from termexplorer.views.evaluate.files import FileField
from termexplorer.views.evaluate.lists import EncoderList
from termexplorer.views.evaluate.words import measure_title
from termexplorer.views.judge.pairs_to_judge import PairDrawing
from termexplorer.views.widgets.forms import (
    choice,
    fields,
    finish_page,
    form_column,
    heading,
    quiet,
)
from termexplorer.views.widgets.number_box import number_box
from termexplorer.views.window.page import Shared
from termexplorer.views.window.store_reading import StoreReading
from termexplorer.workspace import Workspace

_PAIRS = mark("Pair sets (*.tsv *.csv *.txt *.json *.jsonl);;All files (*)")
_BY = {
    BY[0]: (
        mark("Encoders disagree"),
        mark(
            "The ranks that encoders give a pair, by similarity within its set, are farthest "
            "apart. Tick two encoders or more."
        ),
    ),
    BY[1]: (
        mark("One encoder is unsure"),
        mark(
            "Its similarity is nearest to the encoder's best threshold in its set, which needs "
            "labels. Tick one encoder."
        ),
    ),
}
_SHARE = mark(
    "Queued pairs are the hardest: people agree less on them, and encoders "
    "are right less often, than on the whole. Figures on them say which encoder is better there, "
    "not how good one is. The random part is drawn first, from all pairs that every encoder can "
    "represent, so agreement and accuracy on it are estimates without bias. Annotators do not see "
    "which part a pair is from; in the study the two are sets of their own."
)
_NUMBER = 200


@dataclass(frozen=True, slots=True)
class QueueState:
    """What there is to choose among."""

    encoders: tuple[EncoderInfo, ...]
    ontology: Ontology | None


class QueueForm(QWidget):
    """Asks which pairs are wanted, and has them drawn; then a new study takes them.

    Signals:
        left: the user goes back without.
    """

    left = Signal()

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._state = QueueState((), None)
        self._running = False
        self.pairs = FileField(
            tr("Add pair files"), translated(_PAIRS),
            tr("Two terms a line, and a label if there is one"), several=True,
            folders=tr("All pair sets of a folder, as the tab Pair sets makes them"),
        )  # fmt: skip
        self.random_pairs = QCheckBox()
        tip = tr("Pairs of any two of its concepts")
        self.candidates = number_box(1, 1_000_000, CANDIDATES, tip)
        self.by, self.sentence = choice(tr("Chosen because")), quiet()
        self.encoders, self.measure = EncoderList(), choice(tr("Measure"))
        tip = tr("Pairs to be judged, random ones too")
        self.number = number_box(1, 1_000_000, _NUMBER, tip)
        self.share = number_box(0, 100, round(100 * RANDOM_SHARE), tr("Of the pairs"))
        tip = tr("Random seed; the same seed gives the same pairs")
        self.seed = number_box(0, 2_000_000_000, 0, tip)
        self.why, self.message = quiet(translated(_SHARE)), quiet()
        self.back = QPushButton(tr("Back"))
        self.queue = QPushButton(tr("Queue and go on to New study"))
        self._drawing = PairDrawing(shared, self)
        self._reading = StoreReading(shared, self, self._question)
        self._fill()
        self._lay_out()
        self._connect()
        self._on_by()

    @property
    def plan(self) -> QueuePlan:
        """What is asked for."""
        return QueuePlan(
            encoder_ids=self.encoders.ids,
            number=self.number.value(),
            pairs=self.pairs.paths,
            ontology=self._state.ontology if self.random_pairs.isChecked() else None,
            candidates=self.candidates.value(),
            by=self.by.currentData(),
            measure=self.measure.currentData(),
            random_share=self.share.value() / 100,
            seed=self.seed.value(),
        )

    @property
    def why_not(self) -> str:
        """Why nothing can be queued yet and what to do, in words; empty if something can."""
        plan = self.plan
        if self._running:
            return tr("Pairs are being chosen; progress and Stop are below")
        if not plan.pairs and plan.ontology is None:
            return tr("Add pair sets to choose from, or tick random pairs")
        if plan.by == BY[0] and len(plan.encoder_ids) < 2:
            return tr("Tick two encoders or more, which may disagree")
        if plan.by == BY[1] and len(plan.encoder_ids) != 1:
            return tr("Tick the one encoder whose doubts count")
        if plan.by == BY[1] and plan.ontology is not None:
            return tr(
                "Random pairs of an ontology have no labels; choose by disagreement, or untick"
            )
        return ""

    def close_form(self) -> None:
        """Ends the thread."""
        self._reading.close()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Reads what there is to choose among."""
        super().showEvent(event)
        self._reading.look()

    def entrance(self) -> QWidget:
        """The files."""
        return self.pairs.choose

    def use_pairs(self, folder: Path) -> None:
        """Chooses from a folder of pair sets."""
        self.pairs.use([folder])

    def _fill(self) -> None:
        for by in BY:
            self.by.addItem(translated(_BY[by][0]), by)
        for measure in MEASURES:
            self.measure.addItem(measure_title(measure), measure)
        self.share.setSuffix(" %")
        named = {
            tr("Random candidates"): self.candidates, tr("Pairs"): self.number,
            tr("At random, in per cent"): self.share, tr("Seed"): self.seed,
            tr("What is missing"): self.message,
        }  # fmt: skip
        for name, widget in named.items():
            widget.setAccessibleName(name)
        self.back.setToolTip(tr("Your choices are kept (Esc)"))

    def _lay_out(self) -> None:
        inside, left, right = QWidget(), QWidget(), QWidget()
        both = QHBoxLayout(inside)
        both.setContentsMargins(0, 0, 0, 0)
        both.addWidget(left, 1)
        both.addWidget(right, 1)
        column = form_column(left)
        column.addWidget(heading(tr("Queue for judging")))
        column.addWidget(quiet(tr("Finds the pairs most worth judging among these:")))
        column.addWidget(self.pairs)
        column.addWidget(self.random_pairs)
        column.addLayout(fields((tr("How many of these"), self.candidates)))
        column.addSpacing(8)
        column.addLayout(fields((tr("Chosen because"), self.by), (tr("Measure"), self.measure)))
        column.addWidget(self.sentence)
        column.addWidget(self.encoders)
        column.addStretch(1)
        column = form_column(right)
        column.addWidget(heading(tr("How many")))
        column.addLayout(
            fields(
                (tr("Pairs"), self.number), (tr("At random"), self.share), (tr("Seed"), self.seed)
            )
        )
        column.addWidget(heading(tr("Why some at random?")))
        column.addWidget(self.why)
        column.addStretch(1)
        finish_page(self, inside, self.back, self.queue, self.message)

    def _connect(self) -> None:
        self.pairs.changed.connect(self._allow)
        self.random_pairs.toggled.connect(self._allow)
        self.by.currentIndexChanged.connect(self._on_by)
        self.encoders.changed.connect(self._allow)
        for box in (self.candidates, self.number, self.share, self.seed):
            box.valueChanged.connect(self._allow)
        self.back.clicked.connect(self.left)
        self.queue.clicked.connect(self._on_queue)
        self._drawing.ended.connect(self._on_ended)
        self._reading.answered.connect(self._on_state)
        self._shared.selection.ontology_changed.connect(self._reading.renew)

    def _question(self) -> Callable[[], QueueState]:
        return partial(_read_state, self._shared.workspace, self._shared.selection.ontology_id)

    @Slot(object)
    def _on_state(self, state: QueueState) -> None:
        self._state = state
        self.encoders.show_encoders(state.encoders, self.encoders.ids)
        text, tip = _random_texts(state.ontology)
        self.random_pairs.setText(text)
        self.random_pairs.setEnabled(state.ontology is not None)
        self.random_pairs.setToolTip(tip)
        self._allow()

    @Slot()
    def _on_by(self) -> None:
        self.sentence.setText(translated(_BY[self.by.currentData()][1]))
        self._allow()

    @Slot()
    def _allow(self) -> None:
        why = self.why_not
        self.candidates.setEnabled(self.random_pairs.isChecked())
        self.queue.setEnabled(not why)
        self.queue.setToolTip(why or tr("Chosen in the background (Ctrl+Enter)"))
        plan = self.plan
        random = round(plan.number * plan.random_share)
        summary = trn(
            "{n:,} chosen pair and {random:,} at random.",
            "{n:,} chosen pairs and {random:,} at random.",
            plan.number - random,
            random=random,
        )
        self.message.setText(f"{why}." if why else summary)

    @Slot()
    def _on_queue(self) -> None:
        self._running = True
        self._allow()
        self._drawing.draw(self.plan, tr("queue"))

    @Slot()
    def _on_ended(self) -> None:
        self._running = False
        self._allow()


def _random_texts(ontology: Ontology | None) -> tuple[str, str]:
    if ontology is None:
        tip = tr("Import an ontology first, with Ctrl+I")
        return tr("Also pairs of any two concepts of an ontology"), tip
    return tr("Also pairs of any two concepts of {ontology}", ontology=ontology.label), ""


def _read_state(workspace: Workspace, ontology_id: int | None) -> QueueState:
    matches = (ontology for ontology in list_ontologies(workspace) if ontology.id == ontology_id)
    return QueueState(tuple(list_encoders(workspace)), next(matches, None))
