"""The left of the Evaluate page: which tasks, for which encoders, on which data."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QLineEdit,
    QPushButton,
    QWidget,
)

from termexplorer.errors import UserError
from termexplorer.plain_text import plain_tip
from termexplorer.services.encoders.encoders import EncoderInfo
from termexplorer.services.evaluate.evaluation import MEASURE, MEASURES, ON_PAIRS, EvaluationRequest
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.services.train.renaming import rename_own_encoder
from termexplorer.services.train.runs import RunInfo
from termexplorer.texts import mark, tr, translated
from termexplorer.views.evaluate.files import FileField
from termexplorer.views.evaluate.lists import EncoderList, TaskList
from termexplorer.views.evaluate.words import (
    MENTIONS,
    OF_CONCEPTS,
    ON_LEVELS,
    measure_title,
    task_sentence,
    task_title,
    why_not,
)
from termexplorer.views.widgets.elided_label import ElidedLabel
from termexplorer.views.widgets.forms import (
    choice,
    fields,
    finish_form,
    form_column,
    heading,
    quiet,
)
from termexplorer.views.widgets.number_box import number_box
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.window.page import Shared

_PAIRS = mark("Term pairs (*.tsv *.csv *.txt *.json *.jsonl);;All files (*)")
_MENTIONS = mark("PubTator (*.txt *.pubtator *.pubtator.txt *.gz);;All files (*)")
_TASKS, _ENCODERS, _MEASURE = "evaluate/task", "evaluate/encoders", "evaluate/measure"
_KINDS, _SWITCHED_OFF = "evaluate/kinds", "evaluate/off"


class EvaluateForm(QWidget):
    """Asks what to evaluate.

    Signals:
        wanted: an `EvaluationRequest`; one for each task.
    """

    wanted = Signal(object)

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._ontology: Ontology | None = None
        self._runs: Sequence[RunInfo] = ()
        self._known: set[int] = set()
        self._asked_for: tuple[int, ...] = ()  # encoders, before they are known
        self._splits: dict[str, QComboBox] = {}
        self.tasks = TaskList()
        self.sentence = PlainLabel(wordWrap=True)
        self.encoders = EncoderList()
        self.ontology = ElidedLabel()
        self.split = choice(tr("Held-out names"))
        self.concept_split = choice(tr("Held-out synonyms"))
        self.measure = choice(tr("Measure"))
        self.pairs = FileField(
            tr("Add pair files", sense="short"), translated(_PAIRS),
            tr("Two terms and a score or label a line; columns are guessed"),
            several=True, folders=tr("All .tsv files of a folder, such as pair sets"),
        )  # fmt: skip
        self.corpus = FileField(
            tr("Mentions"), translated(_MENTIONS), tr("A PubTator file of mentions with concepts")
        )
        self.training = FileField(
            tr("Training mentions"), translated(_MENTIONS),
            tr("Optional: mentions in it are mapped to their concept first"),
        )  # fmt: skip
        self._files = {"pairs": self.pairs, "mentions": self.corpus, "training": self.training}
        self.kinds = QLineEdit(placeholderText=tr("All"), clearButtonEnabled=True)
        self.abbreviations = QCheckBox(tr("Spell abbreviations out"))
        self.composites = QCheckBox(tr("Take composite mentions apart"))
        self._switches = {"abbreviations": self.abbreviations, "composites": self.composites}
        self.seed = number_box(
            0, 2_000_000_000, 0,
            tr("Random seed of sampled names and of intervals; the same seed gives the "
"same figures"),
        )  # fmt: skip
        self.why = quiet()
        self.evaluate = QPushButton(tr("Evaluate"))
        self._fill()
        self._lay_out()
        self._connect()
        self._on_current()
        self._on_tasks()

    def show_state(self, encoders: Sequence[EncoderInfo], runs: Sequence[RunInfo]) -> None:
        """Offers encoders, and the splits of runs.

        What is new is ticked, of lexical encoders the first alone.
        """
        encoder_ids = {encoder.id for encoder in encoders}
        usual = {e.id for e in encoders if e.kind != "lexical" or e.id == encoders[0].id}
        remembered = self.encoders.ids if self._known else self._shared.session.numbers(_ENCODERS)
        fresh = usual - self._known if self._known or not remembered else set()
        self._known, self._runs = encoder_ids, runs
        ticked, self._asked_for = self._asked_for or tuple({*remembered, *fresh}), ()
        self.encoders.show_encoders(encoders, tuple(encoder_ids & {*ticked}))

    def show_ontology(self, ontology: Ontology | None) -> None:
        """Says whose names are ranked."""
        self._ontology = ontology
        self.ontology.setText(ontology.label if ontology else tr("No ontology yet"))
        self._show_splits()
        self._allow()

    def requests(self) -> list[EvaluationRequest]:
        """What is asked for, one task after the other; of each only what it looks at."""
        return [self._request(task) for task in self.tasks.tasks]

    @property
    def why_not(self) -> str:
        """Why nothing can be evaluated yet, in words; empty if something can."""
        tasks = self.tasks.tasks
        if not tasks:
            return tr("Tick at least one task")
        why = {task: self._why_not(task) for task in tasks}
        for task in tasks:
            if why[task]:
                return why[task] if len(tasks) == 1 else f"{task_title(task)}: {why[task]}"
        if not self.encoders.ids:
            return tr("Tick at least one encoder; two or more are compared with each other")
        return ""

    def _request(self, task: str) -> EvaluationRequest:
        on_pairs, on_mentions = task in ON_PAIRS, task in MENTIONS
        kinds = (kind.strip() for kind in self.kinds.text().split(",") if on_mentions)
        split = self._splits.get(task)
        return EvaluationRequest(
            workspace=self._shared.workspace.folder,
            task=task,
            encoder_ids=self.encoders.ids,
            ontology_id=self._ontology.id if self._ontology and not on_pairs else None,
            split_id=None if split is None else split.currentData(),
            pairs=self.pairs.paths if on_pairs else (),
            corpus=next(iter(self.corpus.paths), None) if on_mentions else None,
            training=next(iter(self.training.paths), None) if on_mentions else None,
            kinds=frozenset(kind for kind in kinds if kind),
            abbreviations=self.abbreviations.isChecked() or not on_mentions,
            composites=self.composites.isChecked() or not on_mentions,
            measure=self.measure.currentData() if on_pairs else MEASURE,
            seed=self.seed.value(),
        )

    def _why_not(self, task: str) -> str:
        ontology = self._ontology
        chosen = self._shared.selection.ontology_id is not None
        if ontology is None and chosen and task not in ON_PAIRS:
            return tr("The ontology is being read")
        return why_not(
            task,
            ontology=ontology.label if ontology else "",
            is_a=bool(ontology and ontology.is_a),
            pairs=bool(self.pairs.paths),
            corpus=bool(self.corpus.paths),
        )

    def keep(self) -> None:
        """Keeps what is chosen for the next start."""
        session = self._shared.session
        session.keep_place(_TASKS, " ".join(self.tasks.tasks))
        session.keep_place(_MEASURE, self.measure.currentData())
        session.keep_place(_KINDS, self.kinds.text())
        off = (key for key, box in self._switches.items() if not box.isChecked())
        session.keep_place(_SWITCHED_OFF, " ".join(off))
        for key, field in self._files.items():
            session.keep_files(f"evaluate/{key}", field.paths)
        if self._known:
            session.keep_place(_ENCODERS, " ".join(map(str, self.encoders.ids)))

    @Slot(str, object)
    def use_task(self, task: str, encoder_ids: Sequence[int]) -> None:
        """Chooses a task and the encoders to measure, and no others."""
        self.tasks.choose(task)
        self.encoders.tick(encoder_ids)
        self._asked_for = () if self._known else tuple(encoder_ids)
        self.evaluate.setFocus()

    @Slot(object)
    def use_pairs(self, folder: Path) -> None:
        """Chooses the pair sets of a folder, and the task that is for them."""
        self.tasks.choose("pairs")
        self.pairs.use([folder])
        self.evaluate.setFocus()

    @Slot()
    def submit(self) -> None:
        """Asks for the evaluations."""
        for request in self.requests():
            self.wanted.emit(request)

    def _fill(self) -> None:
        self._splits |= dict.fromkeys(ON_LEVELS, self.split)
        self._splits |= dict.fromkeys(OF_CONCEPTS, self.concept_split)
        for measure in MEASURES:
            self.measure.addItem(measure_title(measure), measure)
        session = self._shared.session
        index = self.measure.findData(session.place(_MEASURE))
        self.measure.setCurrentIndex(max(index, self.measure.findData(MEASURE)))
        self.tasks.choose(*session.place(_TASKS).split())
        self.kinds.setText(session.place(_KINDS))
        off = session.place(_SWITCHED_OFF).split()
        for key, box in self._switches.items():
            box.setChecked(key not in off)
        for key, field in self._files.items():
            field.use(session.files(f"evaluate/{key}"))
        self.sentence.setProperty("quiet", True)
        self.ontology.setAccessibleName(tr("Ontology"))
        self.kinds.setAccessibleName(tr("Types of mentions"))
        self.kinds.setToolTip(tr("Such as Disease; several with commas between them"))
        self.abbreviations.setToolTip(tr("Those that the mention's document defines"))
        self.composites.setToolTip(tr("Such as “breast and ovarian cancer”"))
        self.seed.setAccessibleName(tr("Seed"))
        self.measure.setToolTip(tr("How similar two terms are; lexical encoders have their own"))

    def _lay_out(self) -> None:
        self._fields: QFormLayout = fields(
            (tr("Ontology"), self.ontology),
            (tr("Held-out names"), self.split),
            (tr("Held-out synonyms"), self.concept_split),
            (tr("Measure"), self.measure),
            (tr("Types"), self.kinds),
            ("", self.abbreviations),
            ("", self.composites),
            (tr("Seed"), self.seed),
        )
        inside = QWidget()
        column = form_column(inside)
        column.addWidget(heading(tr("Tasks")))
        column.addWidget(self.tasks)
        column.addWidget(self.sentence)
        column.addSpacing(8)
        column.addWidget(heading(tr("Encoders")))
        column.addWidget(self.encoders)
        column.addSpacing(8)
        column.addWidget(heading(tr("Data")))
        for field in self._files.values():
            column.addWidget(field)
        column.addLayout(self._fields)
        column.addStretch(1)
        finish_form(self, inside, self.evaluate, self.why)

    def _connect(self) -> None:
        self.tasks.chosen.connect(self._on_current)
        self.tasks.changed.connect(self._on_tasks)
        self.encoders.changed.connect(self._on_encoders)
        self.encoders.renamed.connect(self._on_renamed)
        for files in self._files.values():
            files.changed.connect(self._allow)
        self.evaluate.clicked.connect(self.submit)
        for box in (self.split, self.concept_split):
            box.currentTextChanged.connect(box.setToolTip)

    @Slot()
    def _on_current(self) -> None:
        self.sentence.setText(task_sentence(self.tasks.task))

    @Slot()
    def _on_tasks(self) -> None:
        """Shows the fields that any of the tasks looks at."""
        tasks = {*self.tasks.tasks}
        on_mentions = bool(tasks.intersection(MENTIONS))
        on_pairs = bool(tasks.intersection(ON_PAIRS))
        self.pairs.setVisible(on_pairs)
        self.corpus.setVisible(on_mentions)
        self.training.setVisible(on_mentions)
        for widget, shown in (
            (self.ontology, bool(tasks.difference(ON_PAIRS))),
            (self.split, bool(tasks.intersection(ON_LEVELS))),
            (self.concept_split, bool(tasks.intersection(OF_CONCEPTS))),
            (self.measure, on_pairs),
            (self.kinds, on_mentions),
            (self.abbreviations, on_mentions),
            (self.composites, on_mentions),
        ):
            self._fields.setRowVisible(widget, shown)
        several = len(tasks) > 1
        self.evaluate.setText(
            tr("Evaluate {tasks} tasks", tasks=len(tasks)) if several else tr("Evaluate")
        )
        self._allow()

    @Slot(int, str)
    def _on_renamed(self, encoder_id: int, title: str) -> None:
        try:
            rename_own_encoder(self._shared.workspace, encoder_id, title)
        except UserError as error:
            self._shared.notices.error(str(error))
        self._shared.watch.look()

    @Slot()
    def _on_encoders(self) -> None:
        self._show_splits()
        self._allow()

    def _show_splits(self) -> None:
        """Offers what is held out: as the first trained encoder has it, or as another run has.

        Runs on a level part names for other tasks than those on synonym sets do.
        """
        for box, on_level in ((self.split, True), (self.concept_split, False)):
            runs = [r for r in self._runs if r.split_id and bool(r.request["choice"]) == on_level]
            self._offer(box, runs)

    def _offer(self, box: QComboBox, runs: Sequence[RunInfo]) -> None:
        ontology_id = self._ontology.id if self._ontology else None
        drawn = {run.split_id: run for run in runs}
        of_encoder = {run.encoder_id: run for run in runs}
        first = next(
            (
                of_encoder[encoder_id]
                for encoder_id in self.encoders.ids
                if encoder_id in of_encoder
            ),
            None,
        )
        chosen = box.currentData()
        box.clear()
        if first is not None and first.release_id == ontology_id:
            as_first = tr(
                "As for {run} (split {split})", run=first.shown_title, split=first.split_id
            )
            box.addItem(as_first, None)
        else:
            box.addItem(tr("Sampled by the seed"), None)
        for split_id, run in sorted(drawn.items()):
            if run.release_id == ontology_id:
                title = tr("Split {split}, of {run}", split=split_id, run=run.shown_title)
                box.addItem(title, split_id)
        box.setCurrentIndex(max(box.findData(chosen), 0))

    @Slot()
    def _allow(self) -> None:
        why = self.why_not
        self.why.setText(why)
        self.why.setVisible(bool(why))
        self.evaluate.setEnabled(not why)
        self.evaluate.setToolTip(
            plain_tip(why) or tr("In the background, with progress below (Ctrl+Enter)")
        )
