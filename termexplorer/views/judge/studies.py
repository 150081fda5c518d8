"""Studies: made, sent out, merged, and how well their annotators agree."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TypeAlias

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from termexplorer.questions import LatestQueryWorker
from termexplorer.services.agreement.agreement import AgreementReport
from termexplorer.services.studies.adjudication.disputed_pairs import WITHOUT_MAJORITY, PairChoice
from termexplorer.services.studies.status import StudyStatus, study_status
from termexplorer.services.studies.studies import NewStudy, studies_of
from termexplorer.services.studies.work import (
    DoubtfulAnswers,
    MergeOutcome,
    StudyRequest,
    make_study,
    study_reports,
)
from termexplorer.store.judging.studies import KeptStudy
from termexplorer.texts import mark, tr, translated, trn
from termexplorer.views.judge.answers_in_doubt import AnswersInDoubtForm
from termexplorer.views.judge.queue_form import QueueForm
from termexplorer.views.judge.study_actions import StudyActions
from termexplorer.views.judge.study_change import StudyChangeForm
from termexplorer.views.judge.study_detail import StudyDetail
from termexplorer.views.judge.study_files import StudyFiles, dropped_files
from termexplorer.views.judge.study_form import StudyForm
from termexplorer.views.judge.study_report_form import StudyReportForm
from termexplorer.views.judge.study_tables import MergedTable, StudyTable
from termexplorer.views.judge.study_verdicts import StudyVerdicts
from termexplorer.views.judging.adjudication import AdjudicationScreen
from termexplorer.views.widgets.dropping import accept_drop_as_copy
from termexplorer.views.widgets.focus import mark_parts
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.widgets.splitter import KeptSplitter
from termexplorer.views.window.page import Shared
from termexplorer.views.window.store_reading import StoreReading
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

LANE = "studies"
_NONE = mark(
    "In a study people judge pairs of terms, each alone and without knowing where the pairs come "
    "from.\n\nMake pair sets on the tab Pair sets first, or have pairs in a file; then press New "
    "study. Each annotator gets a pack, one file, and sends back another."
)
_Entered: TypeAlias = (
    StudyReportForm | QueueForm | StudyVerdicts | StudyChangeForm | AnswersInDoubtForm
)
_HEIGHTS = (200, 440)
_REPORT = 160


class StudiesPart(QWidget):
    """The studies of a workspace, and a form for another one."""

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._studies: Sequence[StudyStatus] = ()
        self._reports: Mapping[int, AgreementReport | str] = {}
        self._control = JobControl(behind=True)
        self.fresh = QPushButton(tr("New study…"))
        self.choose = QPushButton(tr("Queue for judging…"))
        self.form, self.files = StudyForm(shared), StudyFiles(shared)
        self.later, self.report = StudyActions(), StudyReportForm(shared)
        self.queue, self.verdicts = QueueForm(shared), StudyVerdicts(shared)
        self.change, self.doubts = StudyChangeForm(shared), AnswersInDoubtForm(shared)
        self._forms = (
            self.form, self.report, self.queue, self.verdicts, self.change, self.doubts,
        )  # fmt: skip
        self.adjudication: AdjudicationScreen | None = None
        self._came_from: QWidget = self  # what was on show before it
        self.table, self.merged = StudyTable(shared.session), MergedTable(shared.session)
        self.hide_merged = QPushButton(tr("Hide"))
        self.detail = StudyDetail(shared)
        self._reading = StoreReading(shared, self, self._question)
        self._reckoning = LatestQueryWorker(self)
        self._lay_out()
        self._connect()
        self._show_chosen()

    def close_part(self) -> None:
        """Keeps the sizes, and ends the threads."""
        self._control.cancel()
        self.splitter.keep()
        self.detail.close_detail()
        for form in self._forms:
            form.close_form()
        self.files.close_files()
        if self.adjudication is not None:
            self.adjudication.close_screen()
        self._reading.close()
        self._reckoning.close()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Reads what has changed."""
        super().showEvent(event)
        self._reading.look()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        """Takes files that annotators sent back."""
        if dropped_files(event.mimeData()):
            accept_drop_as_copy(event)

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        """Merges them."""
        accept_drop_as_copy(event)
        self.files.merge_files(dropped_files(event.mimeData()))

    def entrance(self) -> QWidget:
        """The studies, or what makes one."""
        shown = self._stack.currentWidget()
        if shown is self.form:
            return self.form.title
        if isinstance(shown, _Entered | AdjudicationScreen):
            return shown.entrance()
        return self.table if self._studies else self.fresh

    def new_study(self, pairs: Path | None = None, per_kind: int = 0) -> None:
        """Shows the form, perhaps with the folder or file that pairs are drawn from.

        Args:
            pairs: the folder or file.
            per_kind: how many pairs of each kind are wanted then; 0 for as many as were.
        """
        if pairs is not None:
            self.form.use_pairs(pairs)
        if per_kind:
            self.form.pairs_of_set.setValue(per_kind)
        self._stack.setCurrentWidget(self.form)
        self.form.title.setFocus()

    def queue_from(self, folder: Path) -> None:
        """Shows the form of a queue, with the folder that pairs are chosen from."""
        self.queue.use_pairs(folder)
        self._show_form(self.queue)

    def _show_form(self, form: _Entered) -> None:
        self._stack.setCurrentWidget(form)
        form.entrance().setFocus()

    def _lay_out(self) -> None:
        self.setAcceptDrops(True)
        self.fresh.setToolTip(tr("Sample pairs from pair sets and assign them to annotators"))
        self.choose.setToolTip(tr("Find the pairs that are most worth judging, for a new study"))
        head = _make_row(self.fresh, self.choose, self.files)
        self._report = QWidget()
        report = QVBoxLayout(self._report)
        report.setContentsMargins(0, 0, 0, 0)
        report.setSpacing(8)
        over = QHBoxLayout()
        over.addWidget(PlainLabel(tr("Files that were merged")), 1)
        over.addWidget(self.hide_merged)
        report.addLayout(over)
        report.addWidget(self.merged, 1)
        self._report.setMinimumHeight(_REPORT)
        self._report.hide()
        self.splitter = KeptSplitter(self._shared.session, "studies/parts", Qt.Orientation.Vertical)
        self.splitter.fill((*_HEIGHTS, _REPORT), self.table, self.detail, self._report)
        overview = QWidget()
        column = QVBoxLayout(overview)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        column.addLayout(head)
        column.addLayout(_make_row(self.later))  # one row of all is too wide for a small screen
        column.addWidget(self.splitter, 1)
        self._stack = QStackedWidget()
        self._stack.addWidget(overview)
        for form in self._forms:
            self._stack.addWidget(form)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._stack)
        mark_parts(self.table, self.detail, self._report, *self._forms)

    def _connect(self) -> None:
        shared = self._shared
        self.fresh.clicked.connect(self._on_fresh)
        self.choose.clicked.connect(self._on_queue)
        self.form.left.connect(self._on_left)
        self.form.wanted.connect(self._on_wanted)
        self.table.chosen.connect(self._show_chosen)
        self.detail.chosen.connect(self.files.show_annotator)
        self.detail.entered.connect(self.files.judge_here)
        self.files.merged.connect(self._on_merged)
        self.later.verdicts_wanted.connect(self._on_verdicts)
        self.later.adjudication_wanted.connect(self._on_adjudicate)
        self.verdicts.adjudication_wanted.connect(self._on_adjudicate)
        self.verdicts.left.connect(self._on_verdicts_left)
        self.later.change_wanted.connect(self._on_change)
        self.change.left.connect(self._on_changed)
        self.later.report_wanted.connect(self._on_report)
        self.report.left.connect(self._on_reported)
        self.queue.left.connect(self._on_queue_left)
        self.later.choice_wanted.connect(self._on_doubts)
        self.doubts.left.connect(self._on_changed)
        self.doubts.chosen.connect(self._on_chosen)
        self.hide_merged.clicked.connect(self._on_hide)
        self._reading.answered.connect(self._on_studies)
        self._reckoning.answered.connect(self._on_reports)
        self._reckoning.failed.connect(shared.notices.error)

    def _question(self) -> Callable[[], list[StudyStatus]]:
        return partial(_read_statuses, self._shared.workspace)

    @Slot(object)
    def _on_studies(self, studies: list[StudyStatus]) -> None:
        if studies == self._studies:
            return
        before = {study.study.id: study for study in self._studies}
        self._studies = studies
        self._show()
        judged = [e.study.id for e in studies if any(seat.judged for seat in e.seats)]
        if any(before.get(e.study.id) != e for e in studies if e.study.id in judged):
            self._control.cancel()
            self._control = JobControl(behind=True)
            work = partial(study_reports, self._shared.workspace, judged, self._control)
            self._reckoning.ask(work)

    @Slot(object)
    def _on_reports(self, reports: Mapping[int, AgreementReport | str]) -> None:
        self._reports = {**self._reports, **reports}
        self._show()

    def _show(self) -> None:
        self.table.show_studies(self._studies, self._reports)
        self._show_chosen()

    @Slot()
    def _show_chosen(self) -> None:
        self.table.hint = "" if self._studies else translated(_NONE)
        chosen = self.table.current
        status = next((study for study in self._studies if study.study.id == chosen), None)
        self.files.show_study(status)
        self.later.show_study(status)
        self.detail.show_study(status, self._reports.get(chosen or 0))
        self.detail.setVisible(status is not None)

    @Slot()
    def _on_fresh(self) -> None:
        self.new_study()

    @Slot()
    def _on_left(self) -> None:
        self._stack.setCurrentIndex(0)
        self.fresh.setFocus()

    @Slot()
    def _on_queue(self) -> None:
        self._show_form(self.queue)

    @Slot()
    def _on_queue_left(self) -> None:
        self._stack.setCurrentIndex(0)
        self.choose.setFocus()

    @Slot(object)
    def _on_report(self, study: KeptStudy) -> None:
        self.report.show_study(study)
        self._show_form(self.report)

    @Slot()
    def _on_reported(self) -> None:
        self._stack.setCurrentIndex(0)
        self.later.report.setFocus()

    @Slot(object)
    def _on_verdicts(self, status: StudyStatus) -> None:
        self.verdicts.show_study(status)
        self._show_form(self.verdicts)

    @Slot()
    def _on_verdicts_left(self) -> None:
        self._stack.setCurrentIndex(0)
        self.later.verdicts.setFocus()

    @Slot(object)
    def _on_change(self, status: StudyStatus) -> None:
        self.change.show_study(status)
        self._show_form(self.change)

    @Slot()
    def _on_changed(self) -> None:
        self._stack.setCurrentIndex(0)
        self.table.setFocus()
        self._reading.renew()

    @Slot(object)
    @Slot(object, object)
    def _on_adjudicate(self, study: KeptStudy, choice: PairChoice = WITHOUT_MAJORITY) -> None:
        self._came_from = self._stack.currentWidget() or self
        self.adjudication = AdjudicationScreen(self._shared, study, choice)
        self.adjudication.left.connect(self._on_adjudicated)
        self._stack.addWidget(self.adjudication)
        self._stack.setCurrentWidget(self.adjudication)

    @Slot()
    def _on_adjudicated(self) -> None:
        screen, self.adjudication = self.adjudication, None
        if screen is not None:
            screen.close_screen()
            self._stack.setCurrentWidget(self._came_from)
            self._stack.removeWidget(screen)
            screen.deleteLater()
            listed = self._came_from is self.verdicts
            (self.verdicts.adjudicate if listed else self.later.adjudicate).setFocus()

    @Slot(object)
    def _on_wanted(self, request: StudyRequest) -> None:
        self.form.make.setEnabled(False)
        title = tr("Making the study {title}", title=request.plan.title.strip())
        job = self._shared.jobs.add(title, partial(make_study, request), LANE, lost=True)
        job.succeeded.connect(self._on_made)
        job.failed.connect(self.form.allow)
        job.cancelled.connect(self.form.allow)

    @Slot(object)
    def _on_made(self, study: NewStudy) -> None:
        message = trn(
            "Study {number}: {n:,} pair, and {practice:,} to practise",
            "Study {number}: {n:,} pairs, and {practice:,} to practise",
            study.pairs,
            number=study.id,
            practice=study.practice,
        )
        self._shared.notices.tell(". ".join((message, *study.shortfalls())))
        self.form.title.clear()
        self.form.allow()
        self._stack.setCurrentIndex(0)
        self.table.choose(study.id)
        self.table.setFocus()
        self._reading.renew()

    @Slot(object)
    def _on_merged(self, outcomes: Sequence[MergeOutcome]) -> None:
        self._stack.setCurrentIndex(0)
        self.merged.show_merged(outcomes)
        self._report.show()
        doubts = [outcome for outcome in outcomes if isinstance(outcome, DoubtfulAnswers)]
        if doubts:
            self.doubts.show_doubts(doubts)
            self._show_form(self.doubts)

    @Slot(object)
    def _on_doubts(self, study: KeptStudy) -> None:
        self.doubts.show_study(study)
        self._show_form(self.doubts)

    @Slot(object)
    def _on_chosen(self, outcomes: Sequence[MergeOutcome]) -> None:
        self.merged.show_merged(outcomes)
        self._report.show()
        self._shared.watch.look()

    @Slot()
    def _on_hide(self) -> None:
        self._report.hide()
        self.table.setFocus()


def _make_row(*widgets: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(8)
    for widget in widgets:
        row.addWidget(widget)
    row.addStretch(1)
    return row


def _read_statuses(workspace: Workspace) -> list[StudyStatus]:
    return [study_status(workspace, study.id) for study in studies_of(workspace)]
