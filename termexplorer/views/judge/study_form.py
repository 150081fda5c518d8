"""A new study on one page: which pairs, what is asked of them, and who judges."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from termexplorer.plain_text import plain_tip
from termexplorer.questions import LatestQueryWorker
from termexplorer.services.studies.presets import protocols
from termexplorer.services.studies.sizes import SECONDS, SetSize, StudySize, count_sets, study_size
from termexplorer.services.studies.studies import LookUp, StudyPlan
from termexplorer.services.studies.work import StudyRequest
from termexplorer.texts import duration_text, mark, tr, translated, trn
from termexplorer.views.evaluate.files import FileField
from termexplorer.views.judge.pair_filter_form import PairFilterForm
from termexplorer.views.judge.study_question import StudyQuestion
from termexplorer.views.widgets.forms import (
    choice,
    fields,
    form_column,
    heading,
    make_primary,
    scrolled,
)
from termexplorer.views.widgets.keys import add_key
from termexplorer.views.widgets.number_box import number_box
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.window.page import Shared
from termexplorer.workers.process.supervision import Cancelled, JobControl

_PAIRS = mark("Pair sets (*.tsv *.csv *.txt *.json *.jsonl);;All files (*)")
_TITLES = {"doctors": mark("Doctors' protocol"), "one-hour": mark("One hour")}


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
        self._control = JobControl(behind=True)
        self.title = QLineEdit(placeholderText=tr("Such as: Same or not, spring 2026"))
        self.pairs = FileField(
            tr("Add pair files"), translated(_PAIRS),
            tr("Two terms and a label a line, 1 for similar and 0 for not"), several=True,
            folders=tr("All pair sets of a folder, as the tab Pair sets makes them"),
        )  # fmt: skip
        self.protocol, self.asked = choice(tr("Protocol")), StudyQuestion()
        tip = tr("Number of similar pairs, and of dissimilar ones")
        self.pairs_of_set = number_box(1, 10_000, 1, tip)
        self.practice = number_box(0, 1_000, 0, tr("Practice pairs, which do not count"))
        tip = tr("Of the pairs, which come twice: how well people agree with themselves")
        self.repeat = number_box(0, 50, 0, tip)
        self.overlap = number_box(0, 0, 0, tr("How many judge each pair"))
        tip = tr("Of the pairs, as many in each set; each of the others is judged by one alone")
        self.shared = number_box(0, 100, 100, tip)
        tip = tr("Random seed; the same seed gives the same study")
        self.seed = number_box(0, 2_000_000_000, 0, tip)
        self.left_out = PairFilterForm()
        self.tell_practice = QCheckBox(tr("Say what was right after each practice pair"))
        self.checks = FileField(
            tr("Pairs with known answers"), translated(_PAIRS),
            tr("Attention checks for all annotators, not counted in any figure"), several=True,
        )  # fmt: skip
        self.annotators = QPlainTextEdit(placeholderText=tr("A name a line"))
        self.message = PlainLabel(wordWrap=True)
        self.back, self.make = QPushButton(tr("Back")), QPushButton(tr("Make study"))
        self._counting = LatestQueryWorker(self)
        self._fill()
        self._lay_out()
        self._connect()
        self._on_protocol()

    @property
    def plan(self) -> StudyPlan:
        """What is asked for."""
        return StudyPlan(
            title=self.title.text(),
            annotators=self._names,
            scale=self.asked.asked,
            each=self.pairs_of_set.value(),
            practice=self.practice.value(),
            repeat=self.repeat.value() / 100,
            overlap=self.overlap.value() or None,
            seed=self.seed.value(),
            look_up=LookUp(self.asked.web.isChecked()),
            shared=self.shared.value() / 100,
            leave_out=self.left_out.chosen,
            tell_practice=self.tell_practice.isChecked(),
        )

    @property
    def comes_to(self) -> StudySize | None:
        """What it comes to; None while pairs are counted."""
        if self._sizes is None:
            return None
        return study_size(
            self._sizes, per_kind=self.pairs_of_set.value(), practice=self.practice.value(),
            repeat=self.repeat.value() / 100, overlap=self.overlap.value() or None,
            annotators=len(self._names), shared=self.shared.value() / 100,
        )  # fmt: skip

    @property
    def why_not(self) -> str:
        """Why it cannot be made yet and what to do, in words; empty if it can."""
        names = self._names
        if not self.title.text().strip():
            return tr("Give the study a title")
        if not self.pairs.paths:
            return tr("Add pair sets: a folder of them, or files")
        if self._error:
            return self._error
        if not names:
            return tr("List the annotators, one name per line")
        if len(set(names)) < len(names):
            return tr("A name is listed twice; names must be unique")
        return self.asked.why_not

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
        self.make.setToolTip(
            plain_tip(why) or tr("Draws the pairs and hands them out (Ctrl+Enter)")
        )
        self.message.setText(f"{why}." if why else self._size_text())

    @property
    def _names(self) -> list[str]:
        lines = (" ".join(line.split()) for line in self.annotators.toPlainText().splitlines())
        return [line for line in lines if line]

    def _fill(self) -> None:
        for name, protocol in protocols().items():
            title = translated(_TITLES.get(name, name))
            self.protocol.addItem(f"{title}: {translated(protocol.meaning)}", name)
        for box in (self.repeat, self.shared):
            box.setSuffix(" %")
        self.shared.setValue(100)
        self.overlap.setSpecialValueText(tr("All"))
        named = {
            tr("Title"): self.title, tr("Pairs of each kind of a set"): self.pairs_of_set,
            tr("Practice pairs"): self.practice, tr("Repeated pairs in per cent"): self.repeat,
            tr("How many judge each pair"): self.overlap, tr("Seed"): self.seed,
            tr("Pairs that so many judge, in per cent"): self.shared,
            tr("Annotators"): self.annotators,
            tr("Size of the study"): self.message,
        }  # fmt: skip
        for name, widget in named.items():
            widget.setAccessibleName(name)
        self.annotators.setTabChangesFocus(True)
        self.back.setToolTip(tr("Back to studies; your entries are kept (Esc)"))

    def _lay_out(self) -> None:
        inside, left = QWidget(), QWidget()
        column = form_column(left)
        column.addWidget(heading(tr("New study")))
        column.addLayout(fields((tr("Title"), self.title)))
        column.addWidget(self.pairs)
        column.addLayout(
            fields(
                (tr("Protocol"), self.protocol),
                (tr("Of each set, of each kind"), self.pairs_of_set),
                (tr("Practice pairs"), self.practice),
                (tr("Repeated pairs"), self.repeat),
            )
        )
        column.addWidget(self.tell_practice)
        column.addWidget(self.checks)
        column.addWidget(self.left_out)
        column.addSpacing(8)
        column.addWidget(heading(tr("Who judges")))
        column.addWidget(self.annotators)
        column.addLayout(
            fields(
                (tr("Who judges each pair"), self.overlap),
                (tr("Of so many pairs"), self.shared),
                (tr("Seed"), self.seed),
            )
        )
        column.addStretch(1)
        self.annotators.setMinimumHeight(80)
        self.annotators.setMaximumHeight(160)
        both = QHBoxLayout(inside)
        both.setContentsMargins(0, 0, 0, 0)
        both.addWidget(left, 1)
        both.addWidget(self.asked, 1)
        last = QHBoxLayout()
        last.setContentsMargins(16, 8, 16, 12)
        last.setSpacing(8)
        last.addWidget(self.message, 1)
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
        self.asked.changed.connect(self.allow)
        for box in (
            self.pairs_of_set, self.practice, self.repeat, self.overlap, self.shared, self.seed,
        ):  # fmt: skip
            box.valueChanged.connect(self.allow)
        self.title.textChanged.connect(self.allow)
        self.title.returnPressed.connect(self.make.click)
        self.annotators.textChanged.connect(self._on_annotators)
        self._counting.answered.connect(self._on_counted)
        self._counting.failed.connect(self._on_failed)
        self.make.clicked.connect(self._on_make)
        self.back.clicked.connect(self.left)
        add_key("Esc", self, self.left.emit)

    @Slot()
    def _on_protocol(self) -> None:
        protocol = protocols()[self.protocol.currentData()]
        self.pairs_of_set.setValue(protocol.each)
        self.practice.setValue(protocol.practice)
        self.repeat.setValue(round(100 * protocol.repeat))

    @Slot()
    def _on_annotators(self) -> None:
        self.overlap.setMaximum(len(self._names))
        self.allow()

    @Slot()
    def _on_pairs(self) -> None:
        self._control.cancel()
        self._control, self._sizes, self._error = JobControl(behind=True), (), ""
        if self.pairs.paths:
            self._sizes = None
            self._counting.ask(partial(_count_or_none, self.pairs.paths, self._control))
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
        folder = self._shared.workspace.folder
        self.wanted.emit(
            StudyRequest(
                folder, self.plan, self.pairs.paths, self.asked.glossary_file, self.checks.paths
            )
        )

    def _size_text(self) -> str:
        size, sets = self.comes_to, len(self._sizes or ())
        if size is None:
            return tr("Counting pairs…")
        people = len(self._names)
        values: dict[str, Any] = {
            "pairs": trn("{n:,} pair", "{n:,} pairs", size.pairs),
            "sets": trn("{n:,} set", "{n:,} sets", sets),
            "annotators": trn("{n:,} annotator", "{n:,} annotators", people),
            "times": trn("{n:,} time", "{n:,} times", size.asked),
            "time": duration_text(size.seconds),
            "seconds": SECONDS,
        }
        if people > 1:
            size_text = tr(
                "{pairs} of {sets} at the most, {annotators}: each of them is asked {times}, about "
                "{time} with practice, at {seconds} seconds a pair.",
                **values,
            )
            return f"{size_text} {_overlap_text(size)}".rstrip()
        return tr(
            "{pairs} of {sets} at the most, {annotators}: {name} is asked {times}, about {time} "
            "with practice, at {seconds} seconds a pair.",
            name=self._names[0],
            **values,
        )


def _overlap_text(size: StudySize) -> str:
    """Which pairs agreement is of, where it is not all."""
    if size.overlapping == size.pairs:
        return ""
    if not size.overlapping:
        return tr("No pair is judged by two, so that agreement cannot be measured.")
    return trn(
        "Agreement is of the {n:,} pair that several judge.",
        "Agreement is of the {n:,} pairs that several judge.",
        size.overlapping,
    )


def _count_or_none(paths: Sequence[Path], control: JobControl) -> tuple[SetSize, ...]:
    try:
        return count_sets(paths, control)
    except Cancelled:
        return ()
