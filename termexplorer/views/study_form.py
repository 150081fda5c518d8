"""A new study on one page: which pairs, what is asked of them, and who judges."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from termexplorer.questions import Questions
from termexplorer.services.studies import LookUp, StudyPlan
from termexplorer.services.study_presets import Scale, protocols, scales
from termexplorer.services.study_sizes import SECONDS, SetSize, StudySize, count_sets, study_size
from termexplorer.services.study_work import StudyRequest
from termexplorer.views.evaluate_files import FileField
from termexplorer.views.forms import (
    choice,
    fields,
    form_column,
    heading,
    make_primary,
    quiet,
    scrolled,
)
from termexplorer.views.job_bar import duration_text
from termexplorer.views.keys import add_key
from termexplorer.views.number_box import number_box
from termexplorer.views.page import Shared
from termexplorer.workers.supervision import Cancelled, Control

_PAIRS = "Pair sets (*.tsv *.csv *.txt *.json *.jsonl);;All files (*)"
_TEXTS = "Texts (*.txt *.tsv);;All files (*)"
_LEVELS = {
    "nominal": "kinds, without an order",
    "ordinal": "steps in an order",
    "interval": "steps that are equally far apart",
}
_TITLES = {"doctors": "Doctors' protocol", "one-hour": "One hour"}
_SCALES = {
    "same": "Same or not",
    "relatedness": "Relatedness, 0 to 3",
    "one-to-four": "Relatedness, 1 to 4",
}


class StudyForm(QWidget):
    """Asks for a study.

    Signals:
        wanted: a `StudyRequest`.
        left: the user goes back without.
    """

    wanted = Signal(object)
    left = Signal()

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._sizes: Sequence[SetSize] | None = ()
        self._error = ""
        self._control = Control(behind=True)
        self.title = QLineEdit(placeholderText="Such as: Same or not, spring 2026")
        self.pairs = FileField(
            "Add pair files", _PAIRS, "Two terms and a label a line, 1 for similar and 0 for not",
            several=True, folders="All pair sets of a folder, as the tab Pair sets makes them",
        )  # fmt: skip
        self.protocol, self.scale = choice("Protocol"), choice("Scale")
        self.each = number_box(1, 10_000, 1, "So many similar pairs, and as many others")
        self.practice = number_box(0, 1_000, 0, "Pairs before, which do not count")
        self.repeat = number_box(0, 50, 0, "Of the pairs, which come twice: how well people agree "
                                 "with themselves")  # fmt: skip
        self.overlap = number_box(0, 0, 0, "How many judge each pair")
        self.seed = number_box(
            0, 2_000_000_000, 0, "Of all that is drawn; equal seeds, equal studies"
        )
        self.annotators = QPlainTextEdit(placeholderText="A name a line")
        self.question, self.answers = QLineEdit(), quiet()
        self.guidelines = QPlainTextEdit()
        self.web = QCheckBox("Annotators may look terms up on the web")
        self.glossary = FileField(
            "Glossary",
            _TEXTS,
            "Annotators may look terms up in it: a term, a tab, a text, line by line",
        )
        self.told = QLabel(wordWrap=True)
        self.back, self.make = QPushButton("Back"), QPushButton("Make study")
        self._counting = Questions(self)
        self._fill()
        self._lay_out()
        self._connect()
        self._on_protocol()
        self._on_scale()

    @property
    def plan(self) -> StudyPlan:
        """What is asked for."""
        return StudyPlan(
            title=self.title.text(),
            annotators=self._names,
            scale=self._asked,
            each=self.each.value(),
            practice=self.practice.value(),
            repeat=self.repeat.value() / 100,
            overlap=self.overlap.value() or None,
            seed=self.seed.value(),
            look_up=LookUp(self.web.isChecked()),
        )

    @property
    def comes_to(self) -> StudySize | None:
        """What it comes to; None while pairs are counted."""
        plan = self.plan
        if self._sizes is None:
            return None
        return study_size(
            self._sizes, each=plan.each, practice=plan.practice, repeat=plan.repeat,
            overlap=plan.overlap, annotators=len(plan.annotators),
        )  # fmt: skip

    @property
    def why_not(self) -> str:
        """Why it cannot be made yet and what to do, in words; empty if it can."""
        names = self._names
        if not self.title.text().strip():
            return "Give the study a title"
        if not self.pairs.paths:
            return "Add pair sets: a folder of them, or files"
        if self._error:
            return self._error
        if not names:
            return "Name who judges, a name a line"
        if len(set(names)) < len(names):
            return "Somebody is named twice; names tell people apart"
        return "" if self.question.text().strip() else "Ask a question"

    def close_form(self) -> None:
        """Ends the thread."""
        self._control.cancel()
        self._counting.close()

    def use_pairs(self, folder: Path) -> None:
        """Draws from a folder of pair sets."""
        self.pairs.use([folder])

    @Slot()
    def allow(self) -> None:
        """Says what the plan comes to, or what is missing; has it made if nothing is."""
        why = self.why_not
        self.make.setEnabled(not why)
        self.make.setToolTip(why or "Draws the pairs and hands them out (Ctrl+Enter)")
        self.told.setText(f"{why}." if why else self._size_text())

    @property
    def _names(self) -> list[str]:
        lines = (" ".join(line.split()) for line in self.annotators.toPlainText().splitlines())
        return [line for line in lines if line]

    @property
    def _asked(self) -> Scale:
        scale: Scale = scales()[self.scale.currentData()]
        guidelines = self.guidelines.toPlainText().strip()
        return replace(scale, question=self.question.text().strip(), guidelines=guidelines)

    def _fill(self) -> None:
        for name, protocol in protocols().items():
            self.protocol.addItem(f"{_TITLES.get(name, name)}: {protocol.meaning}", name)
        for name in scales():
            self.scale.addItem(_SCALES.get(name, name), name)
        self.repeat.setSuffix(" %")
        self.overlap.setSpecialValueText("All")
        named = {
            "Title": self.title, "Pairs of each kind of a set": self.each,
            "Practice pairs": self.practice, "Repeated pairs in per cent": self.repeat,
            "How many judge each pair": self.overlap, "Seed": self.seed, "Question": self.question,
            "Annotators": self.annotators, "Guidelines": self.guidelines,
            "Answers": self.answers, "What this comes to": self.told,
        }  # fmt: skip
        for name, widget in named.items():
            widget.setAccessibleName(name)
        for text in (self.annotators, self.guidelines):
            text.setTabChangesFocus(True)
        self.guidelines.setToolTip("Shown before the first pair, and one key away then")
        self.web.setToolTip("Off by default; each use is recorded with the verdict")
        self.back.setToolTip("To the studies; what is written here stays (Esc)")

    def _lay_out(self) -> None:
        inside, left, right = QWidget(), QWidget(), QWidget()
        column = form_column(left)
        column.addWidget(heading("New study"))
        column.addLayout(fields(("Title", self.title)))
        column.addWidget(self.pairs)
        column.addLayout(
            fields(
                ("Protocol", self.protocol),
                ("Of each set, of each kind", self.each),
                ("Practice pairs", self.practice),
                ("Repeated pairs", self.repeat),
            )
        )
        column.addSpacing(8)
        column.addWidget(heading("Who judges"))
        column.addWidget(self.annotators)
        column.addLayout(fields(("Who judges each pair", self.overlap), ("Seed", self.seed)))
        column.addStretch(1)
        column = form_column(right)
        column.addWidget(heading("What is asked"))
        column.addLayout(
            fields(("Scale", self.scale), ("Question", self.question), ("Answers", self.answers))
        )
        column.addWidget(heading("Guidelines"))
        column.addWidget(self.guidelines, 1)
        column.addWidget(self.web)
        column.addWidget(self.glossary)
        self.annotators.setMinimumHeight(80)
        self.annotators.setMaximumHeight(160)
        self.guidelines.setMinimumHeight(160)
        both = QHBoxLayout(inside)
        both.setContentsMargins(0, 0, 0, 0)
        both.addWidget(left, 1)
        both.addWidget(right, 1)
        last = QHBoxLayout()
        last.setContentsMargins(16, 8, 16, 12)
        last.setSpacing(8)
        last.addWidget(self.told, 1)
        last.addWidget(self.back)
        last.addWidget(self.make)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(scrolled(inside), 1)
        whole.addLayout(last)
        make_primary(self.make, self)

    def _connect(self) -> None:
        self.pairs.changed.connect(self._on_pairs)
        self.protocol.activated.connect(self._on_protocol)
        self.scale.activated.connect(self._on_scale)
        for box in (self.each, self.practice, self.repeat, self.overlap, self.seed):
            box.valueChanged.connect(self.allow)
        for line in (self.title, self.question):
            line.textChanged.connect(self.allow)
        self.annotators.textChanged.connect(self._on_annotators)
        self._counting.answered.connect(self._on_counted)
        self._counting.failed.connect(self._on_failed)
        self.make.clicked.connect(self._on_make)
        self.back.clicked.connect(self.left)
        add_key("Esc", self, self.left.emit)

    @Slot()
    def _on_protocol(self) -> None:
        protocol = protocols()[self.protocol.currentData()]
        self.each.setValue(protocol.each)
        self.practice.setValue(protocol.practice)
        self.repeat.setValue(round(100 * protocol.repeat))

    @Slot()
    def _on_scale(self) -> None:
        scale = scales()[self.scale.currentData()]
        self.question.setText(scale.question)
        self.guidelines.setPlainText(scale.guidelines)
        words = (f"{a.answer} ({a.meaning})" if a.meaning else a.answer for a in scale.answers)
        self.answers.setText(f"{' · '.join(words)}\nMeasured as {_LEVELS[scale.level]}")

    @Slot()
    def _on_annotators(self) -> None:
        self.overlap.setMaximum(max(len(self._names) - 1, 0))  # all is All
        self.allow()

    @Slot()
    def _on_pairs(self) -> None:
        self._control.cancel()
        self._control, self._sizes, self._error = Control(behind=True), (), ""
        if self.pairs.paths:
            self._sizes = None
            self._counting.ask(partial(_count, self.pairs.paths, self._control))
        self.allow()

    @Slot(object)
    def _on_counted(self, sizes: Sequence[SetSize]) -> None:
        self._sizes = sizes
        self.allow()

    @Slot(str)
    def _on_failed(self, why: str) -> None:
        self._sizes, self._error = (), why
        self.allow()

    @Slot()
    def _on_make(self) -> None:
        glossary = next(iter(self.glossary.paths), None)
        folder = self._shared.workspace.folder
        self.wanted.emit(StudyRequest(folder, self.plan, self.pairs.paths, glossary))

    def _size_text(self) -> str:
        size, sets = self.comes_to, len(self._sizes or ())
        if size is None:
            return "Counting pairs…"
        people = len(self._names)
        whose = "each of them" if people > 1 else self._names[0]
        return (
            f"{_count_text(size.pairs, 'pair')} of {_count_text(sets, 'set')} at the most, "
            f"{_count_text(people, 'annotator')}: "
            f"{whose} is asked {_count_text(size.asked, 'time')}, about "
            f"{duration_text(size.seconds)} with practice, at {SECONDS} seconds a pair."
        )


def _count(paths: Sequence[Path], control: Control) -> tuple[SetSize, ...]:
    try:
        return count_sets(paths, control)
    except Cancelled:
        return ()


def _count_text(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
