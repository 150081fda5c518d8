"""The tab Check: new terms tested before they go in, each finding to be judged."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from termexplorer.errors import UserError
from termexplorer.jobs import Job
from termexplorer.models.finding_table import FindingTableModel, rule_text
from termexplorer.services.check.background import CheckRequest, check_apart
from termexplorer.services.check.finding_verdicts import (
    FAULT,
    NO_FAULT,
    answer_findings,
    drop_rejected,
    read_answers,
)
from termexplorer.services.check.gate import CheckSettings, GateReport
from termexplorer.services.check.report_files import REPORT_TYPES, write_report
from termexplorer.services.check.review_lists import keep_findings
from termexplorer.services.curate.suggestion_lists import describe_kept
from termexplorer.services.explore.ontologies import Ontology, list_ontologies
from termexplorer.services.verdicts.log import undo_step
from termexplorer.services.verdicts.people import Judge, list_people
from termexplorer.texts import mark, number, tr, trn
from termexplorer.views.curate.check_form import CheckForm
from termexplorer.views.judging.judge_box import JudgeBox
from termexplorer.views.widgets.file_dialogs import ask_save_path
from termexplorer.views.widgets.forms import choice, offer, quiet
from termexplorer.views.widgets.keys import add_key, text_with_key
from termexplorer.views.widgets.tables.table import Column, Table
from termexplorer.views.widgets.ui_state import UiState
from termexplorer.views.window.page import Shared
from termexplorer.views.window.store_reading import StoreReading

_LANE = "suggestions"
_UNDO = "Ctrl+Z"
_RULE_LETTERS = 22


class CheckPart(QWidget):
    """Checks in the background, and shows what was found."""

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._job: Job | None = None
        self.report: GateReport | None = None
        self.form = CheckForm()
        self.rule = choice(tr("Kind of finding"), _RULE_LETTERS)
        self.judge = JudgeBox(shared)
        self.fault = QPushButton(text_with_key(tr("Fault"), "C"))
        self.no_fault = QPushButton(text_with_key(tr("No fault"), "W"))
        self.undo = QPushButton(text_with_key(tr("Take back"), _UNDO))
        self.review, self.export = QPushButton(tr("Review list")), QPushButton(tr("Export…"))
        self.note = quiet()
        self.model = FindingTableModel(self)
        self.table = _FindingTable(self.model, shared.session)
        self.table.menu.name_concepts(shared.workspace)
        self._reading = StoreReading(shared, self, self._question)
        self._lay_out()
        self._connect()
        self._show_report(None)

    def close_part(self) -> None:
        """End the threads."""
        self._reading.close()
        self.judge.close_box()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Read what has changed."""
        super().showEvent(event)
        self._reading.look()

    def entrance(self) -> QWidget:
        """What is checked, or what was found."""
        return self.table if self.model.rows else self.form.new.box

    def _lay_out(self) -> None:
        above, below = QHBoxLayout(), QHBoxLayout()
        for widget in (self.rule, self.form.more, self.judge):
            above.addWidget(widget)
        above.addStretch(1)
        for button in (self.fault, self.no_fault, self.undo):
            below.addWidget(button)
        below.addWidget(self.note, 1)
        for button in (self.review, self.export):
            below.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        column.addWidget(self.form)
        column.addLayout(above)
        column.addWidget(self.table, 1)
        column.addLayout(below)

    def _connect(self) -> None:
        self.form.wanted.connect(self._on_wanted)
        self.rule.currentIndexChanged.connect(self._on_rule)
        self.judge.changed.connect(self._show_answers)
        self.fault.clicked.connect(partial(self._answer, FAULT))
        self.no_fault.clicked.connect(partial(self._answer, NO_FAULT))
        self.undo.clicked.connect(self._on_undo)
        self.review.clicked.connect(self._on_review)
        self.export.clicked.connect(self._on_export)
        self._reading.answered.connect(self._on_read)
        for key, button in (("C", self.fault), ("W", self.no_fault), (_UNDO, self.undo)):
            add_key(key, self.table, button.click)

    def _question(self) -> Callable[[], tuple[list[Ontology], list[Judge]]]:
        workspace = self._shared.workspace
        return lambda: (list_ontologies(workspace), list_people(workspace))

    @Slot(object)
    def _on_read(self, read: tuple[Sequence[Ontology], Sequence[Judge]]) -> None:
        ontologies, people = read
        self.form.show_ontologies(ontologies)
        self.judge.show_people(people)
        self._show_answers()

    @Slot(str, str, float, object)
    def _on_wanted(self, new: str, known: str, fail_at: float, settings: CheckSettings) -> None:
        folder = self._shared.workspace.folder
        request = CheckRequest(folder, new, known, fail_at, settings)
        work = partial(check_apart, request)
        self._job = self._shared.jobs.add(tr("Checking new terms"), work, _LANE, lost=True)
        self._job.succeeded.connect(self._on_checked)
        self._job.failed.connect(self._on_ended)
        self._job.cancelled.connect(self._on_ended)
        self._show_report(None)
        self.note.setText(tr("Checking; what is below the window shows how far it is."))
        self.form.show_running(True)

    @Slot(object)
    def _on_checked(self, report: GateReport) -> None:
        self._on_ended()
        self._show_report(report)
        self._show_answers()
        self.table.setFocus()

    @Slot()
    @Slot(str)
    def _on_ended(self, why: str = "") -> None:
        self._job = None
        self.note.setText(why)
        self.form.show_running(False)

    def _show_report(self, report: GateReport | None) -> None:
        self.report = report
        findings = report.result.findings if report else ()
        counts = Counter(finding.rule for finding in findings)
        rows = [(f"{rule_text(rule)} ({number(n)})", rule) for rule, n in counts.most_common()]
        with QSignalBlocker(self.rule):
            offer(self.rule, [(tr("All findings ({n:,})", n=len(findings)), ""), *rows], "")
        self.model.show_findings(findings)
        self._on_rule()
        self._allow()
        if report:
            checked = trn("{n:,} new term", "{n:,} new terms", report.result.checked)
            grave = trn(
                "{n:,} finding of a probability of {least} or more",
                "{n:,} findings of a probability of {least} or more",
                len(report.failing),
                least=number(report.fail_at, ".1f"),
            )
            self.note.setText(f"{checked}; {grave}")

    @Slot()
    def _allow(self) -> None:
        report = self.report
        for button in (self.fault, self.no_fault, self.undo):
            button.setEnabled(bool(report) and self.judge.judge is not None)
            button.setToolTip("" if self.judge.judge else tr("Enter who judges first"))
        self.export.setEnabled(report is not None)
        self.export.setToolTip(
            tr("For a pull request, for CI, or as a table, without what is no fault")
            if report
            else tr("Check terms first")
        )
        can_keep = report is not None and report.new.release and report.known.release
        self.review.setEnabled(bool(can_keep))
        self.review.setToolTip(
            tr("Keeps duplicates and doubtful parents as lists to review")
            if can_keep
            else tr("Only for two ontologies of the workspace: import the files first")
        )

    @Slot()
    def _on_rule(self) -> None:
        self.model.show_rule(self.rule.currentData() or "")
        if self.model.rows:
            self.table.choose_row(0)

    @Slot()
    def _show_answers(self) -> None:
        judge = self.judge.judge
        self.model.show_answers(read_answers(self._shared.workspace, judge) if judge else {})
        self._allow()

    def _answer(self, answer: str, _checked: bool = False) -> None:
        judge, chosen = self.judge.judge, self.table.selectionModel().selectedRows()
        findings = [self.model.rows[index.row()] for index in chosen]
        if judge is None or not findings:
            return
        answer_findings(self._shared.workspace, judge, findings, answer)
        self._show_answers()
        following = max(index.row() for index in chosen) + 1
        if following < len(self.model.rows):
            self.table.choose_row(following)

    @Slot()
    def _on_undo(self) -> None:
        if judge := self.judge.judge:
            undo_step(self._shared.workspace, judge)
            self._show_answers()

    def _judged_report(self, report: GateReport) -> GateReport:
        judge = self.judge.judge
        answers = read_answers(self._shared.workspace, judge) if judge else {}
        return drop_rejected(report, answers)

    @Slot()
    def _on_review(self) -> None:
        if self.report is None:
            return
        lists = keep_findings(self._shared.workspace, self._judged_report(self.report))
        if not lists:
            self._shared.notices.tell(tr("There is no duplicate or doubtful parent to review"))
            return
        self._shared.watch.look()
        self._shared.notices.tell("; ".join(map(describe_kept, lists)))
        self._shared.errands.review_list.emit(lists[0].list_id)

    @Slot()
    def _on_export(self) -> None:
        if self.report is None:
            return
        types = ";;".join(REPORT_TYPES)
        path = ask_save_path(self, "check", tr("Export"), "check.md", types)
        if path is not None:
            self.write(path)

    def write(self, path: Path) -> None:
        """Write the findings that are not rejected, in the form of a file's ending."""
        if self.report is None:
            return
        try:
            write_report(path, self._judged_report(self.report))
        except UserError as error:
            self._shared.notices.error(str(error))
        else:
            self._shared.notices.tell(tr("Exported the findings to {path}", path=path))


class _FindingTable(Table):
    """Shows a `FindingTableModel`."""

    def __init__(self, findings: FindingTableModel, session: UiState) -> None:
        super().__init__(mark("Findings"), findings, session)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.hint = tr(
            "New terms are tested here before they go in: duplicates, doubtful parents, names "
            "that another term has.\n\nChoose a newer release or file, or a table of proposed "
            "terms, and what it is new against."
        )

    def columns(self) -> Sequence[Column]:
        """Names and evidence share the room."""
        return (
            Column("verdict", f"{tr('✗ no fault')}_"),
            Column("finding", share=3, least=120),
            Column("concept", "DOID:0000000"),
            Column("name", share=3, least=110),
            Column("other", "DOID:0000000"),
            Column("other name", share=3, least=110),
            Column("probability", "0.00__"),
            Column("evidence", share=4, least=120),
        )
