"""The left of the Evaluate page: which task, for which encoders, on which data."""

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QFormLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from termexplorer.services.encoders import EncoderInfo
from termexplorer.services.evaluation import MEASURE, MEASURES, EvaluationRequest
from termexplorer.services.ontologies import Ontology
from termexplorer.services.runs import RunInfo
from termexplorer.views.elided_label import ElidedLabel
from termexplorer.views.evaluate_files import FileField
from termexplorer.views.evaluate_lists import EncoderList, TaskList
from termexplorer.views.evaluate_words import (
    MENTIONS,
    OF_CONCEPTS,
    ON_LEVELS,
    WORDS,
    measure_title,
    why_not,
)
from termexplorer.views.forms import choice, fields, finish_form, form_column, heading
from termexplorer.views.number_box import number_box
from termexplorer.views.page import Shared

_PAIRS = "Term pairs (*.tsv *.csv *.txt *.json *.jsonl);;All files (*)"
_MENTIONS = "PubTator (*.txt *.pubtator *.pubtator.txt *.gz);;All files (*)"
_WITH_SPLIT = (*ON_LEVELS, *OF_CONCEPTS)
_TASK, _ENCODERS, _MEASURE = "evaluate/task", "evaluate/encoders", "evaluate/measure"


class EvaluateForm(QWidget):
    """Asks what to evaluate.

    Signals:
        wanted: an `EvaluationRequest`.
    """

    wanted = Signal(object)

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._ontology: Ontology | None = None
        self._runs: Sequence[RunInfo] = ()
        self._known: set[int] = set()
        self.tasks = TaskList()
        self.sentence = QLabel(wordWrap=True)
        self.encoders = EncoderList()
        self.ontology = ElidedLabel()
        self.split = choice("Held-out names")
        self.measure = choice("Measure")
        self.pairs = FileField(
            "Add pair files", _PAIRS, "Two terms and a score a line; columns are guessed",
            several=True,
        )  # fmt: skip
        self.corpus = FileField("Mentions", _MENTIONS, "A PubTator file of mentions with concepts")
        self.training = FileField(
            "Training mentions", _MENTIONS, "Not needed: a mention that is there has its concept"
        )
        self.kinds = QLineEdit(placeholderText="All", clearButtonEnabled=True)
        self.seed = number_box(
            0, 2_000_000_000, 0, "Of names drawn anew, and of the intervals; equal seeds, "
            "equal figures",
        )  # fmt: skip
        self.evaluate = QPushButton("Evaluate")
        self._fill()
        self._lay_out()
        self._connect()
        self._on_task()

    def show_state(self, encoders: Sequence[EncoderInfo], runs: Sequence[RunInfo]) -> None:
        """Offers encoders, and the splits of runs.

        What is new is ticked, of lexical encoders the first alone.
        """
        there = {encoder.id for encoder in encoders}
        usual = {e.id for e in encoders if e.kind != "lexical" or e.id == encoders[0].id}
        kept = self.encoders.ids if self._known else self._shared.session.numbers(_ENCODERS)
        fresh = usual - self._known if self._known or not kept else set()
        self._known, self._runs = there, runs
        self.encoders.show_encoders(encoders, tuple(there & {*kept, *fresh}))

    def show_ontology(self, ontology: Ontology | None) -> None:
        """Says whose names are ranked."""
        self._ontology = ontology
        self.ontology.setText(ontology.label if ontology else "No ontology yet")
        self._show_splits()
        self._allow()

    def request(self) -> EvaluationRequest:
        """What is asked for; only what the task looks at."""
        task = self.tasks.task
        on_pairs, on_mentions = task == "relatedness", task in MENTIONS
        kinds = (kind.strip() for kind in self.kinds.text().split(",") if on_mentions)
        return EvaluationRequest(
            workspace=self._shared.workspace.folder,
            task=task,
            encoder_ids=self.encoders.ids,
            ontology_id=self._ontology.id if self._ontology and not on_pairs else None,
            split_id=self.split.currentData() if task in _WITH_SPLIT else None,
            pairs=self.pairs.paths if on_pairs else (),
            corpus=next(iter(self.corpus.paths), None) if on_mentions else None,
            training=next(iter(self.training.paths), None) if on_mentions else None,
            kinds=frozenset(kind for kind in kinds if kind),
            measure=self.measure.currentData() if on_pairs else MEASURE,
            seed=self.seed.value(),
        )

    @property
    def why_not(self) -> str:
        """Why nothing can be evaluated yet, in words; empty if something can."""
        ontology = self._ontology
        why = why_not(
            self.tasks.task,
            ontology=ontology.label if ontology else "",
            is_a=bool(ontology and ontology.is_a),
            pairs=bool(self.pairs.paths),
            corpus=bool(self.corpus.paths),
        )
        if not why and not self.encoders.ids:
            return "Tick at least one encoder; two or more are compared with each other"
        return why

    def keep(self) -> None:
        """Keeps what is chosen for the next start."""
        session = self._shared.session
        session.keep_place(_TASK, self.tasks.task)
        session.keep_place(_MEASURE, self.measure.currentData())
        if self._known:
            session.keep_place(_ENCODERS, " ".join(map(str, self.encoders.ids)))

    @Slot()
    def submit(self) -> None:
        """Asks for the evaluation."""
        self.wanted.emit(self.request())

    def _fill(self) -> None:
        for measure in MEASURES:
            self.measure.addItem(measure_title(measure), measure)
        session = self._shared.session
        kept = self.measure.findData(session.place(_MEASURE))
        self.measure.setCurrentIndex(max(kept, self.measure.findData(MEASURE)))
        self.tasks.choose(session.place(_TASK))
        self.sentence.setProperty("quiet", True)
        self.ontology.setAccessibleName("Ontology")
        self.kinds.setAccessibleName("Types of mentions")
        self.kinds.setToolTip("Such as Disease; several with commas between them")
        self.seed.setAccessibleName("Seed")
        self.measure.setToolTip("How similar two terms are; lexical encoders have their own")

    def _lay_out(self) -> None:
        self._fields: QFormLayout = fields(
            ("Ontology", self.ontology),
            ("Held-out names", self.split),
            ("Measure", self.measure),
            ("Types", self.kinds),
            ("Seed", self.seed),
        )
        inside = QWidget()
        column = form_column(inside)
        column.addWidget(heading("Task"))
        column.addWidget(self.tasks)
        column.addWidget(self.sentence)
        column.addSpacing(8)
        column.addWidget(heading("Encoders"))
        column.addWidget(self.encoders)
        column.addSpacing(8)
        column.addWidget(heading("Data"))
        for widget in (self.pairs, self.corpus, self.training):
            column.addWidget(widget)
        column.addLayout(self._fields)
        column.addStretch(1)
        finish_form(self, inside, self.evaluate)

    def _connect(self) -> None:
        self.tasks.chosen.connect(self._on_task)
        self.encoders.changed.connect(self._on_encoders)
        for files in (self.pairs, self.corpus, self.training):
            files.changed.connect(self._allow)
        self.evaluate.clicked.connect(self.submit)

    @Slot()
    def _on_task(self) -> None:
        task = self.tasks.task
        self.sentence.setText(WORDS[task].sentence)
        on_pairs, on_mentions = task == "relatedness", task in MENTIONS
        self.pairs.setVisible(on_pairs)
        self.corpus.setVisible(on_mentions)
        self.training.setVisible(on_mentions)
        for widget, shown in (
            (self.ontology, not on_pairs),
            (self.split, task in _WITH_SPLIT),
            (self.measure, on_pairs),
            (self.kinds, on_mentions),
        ):
            self._fields.setRowVisible(widget, shown)
        self._show_splits()
        self._allow()

    @Slot()
    def _on_encoders(self) -> None:
        self._show_splits()
        self._allow()

    def _show_splits(self) -> None:
        """Offers what is held out: as the first trained encoder has it, or as another run has.

        Only runs on a level, or only those on synonym sets, part names as the task needs it.
        """
        ontology_id = self._ontology.id if self._ontology else None
        on_level = self.tasks.task in ON_LEVELS
        runs = [r for r in self._runs if r.split_id and bool(r.request["choice"]) == on_level]
        drawn = {run.split_id: run for run in runs}
        of_encoder = {run.encoder_id: run for run in runs}
        first = next((of_encoder[each] for each in self.encoders.ids if each in of_encoder), None)
        chosen = self.split.currentData()
        self.split.clear()
        if first is not None and first.release_id == ontology_id:
            self.split.addItem(f"As for {first.title} (split {first.split_id})", None)
        else:
            self.split.addItem("Drawn anew by the seed", None)
        for split_id, run in sorted(drawn.items()):
            if run.release_id == ontology_id:
                self.split.addItem(f"Split {split_id}, of {run.title}", split_id)
        self.split.setCurrentIndex(max(self.split.findData(chosen), 0))

    @Slot()
    def _allow(self) -> None:
        why = self.why_not
        self.evaluate.setEnabled(not why)
        self.evaluate.setToolTip(why or "In the background, with progress below (Ctrl+Enter)")
