"""How well the annotators of the team's studies agree so far, for whoever made the studies."""

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from termexplorer.questions import LatestQueryWorker
from termexplorer.services.agreement.agreement import METRICS, AgreementReport
from termexplorer.services.agreement.couple_matrix import told_figure
from termexplorer.services.studies.status import StudyStatus
from termexplorer.services.studies.work import study_reports
from termexplorer.texts import tr, translated
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

_SHOWN = ("alpha", "agreement")


class TeamAgreement(PlainLabel):
    """Tells, a line a study, how well its annotators agree; measured anew as verdicts come in.

    What is measured is measured whole: verdicts that come meanwhile count the next time, so that
    figures appear however fast a team judges.
    """

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent, wordWrap=True)
        self._workspace = workspace
        self._studies: Sequence[StudyStatus] = ()
        self._measured: Sequence[StudyStatus] = ()
        self._control = JobControl(behind=True)
        self._questions = LatestQueryWorker(self)
        self._questions.answered.connect(self._on_measured)
        self._questions.failed.connect(self._on_failed)
        self._busy = False
        self.hide()

    def release(self) -> None:
        """Ends its thread."""
        self._control.cancel()
        self._questions.close()

    def show_studies(self, studies: Sequence[StudyStatus]) -> None:
        """Measures those studies that two annotators have begun, if anything was said in them."""
        self._studies = [status for status in studies if _count_begun(status) > 1]
        self._measure()

    def _measure(self) -> None:
        if self._busy or self._studies == self._measured:
            return
        self._measured = self._studies
        if not self._studies:
            self.hide()
            return
        self._busy = True
        ids = [status.study.id for status in self._studies]
        self._questions.ask(partial(study_reports, self._workspace, ids, self._control))

    @Slot(object)
    def _on_measured(self, reports: Mapping[int, AgreementReport | str]) -> None:
        self._busy = False
        titles = {status.study.id: status.study.head.title for status in self._measured}
        lines = [describe_report(titles[number], report) for number, report in reports.items()]
        self.setText("\n".join(lines))
        self.setVisible(bool(lines))
        self._measure()

    @Slot(str)
    def _on_failed(self, error: str) -> None:
        self._busy = False
        self.setText(error)
        self.show()


def describe_report(title: str, report: AgreementReport | str) -> str:
    """Return how well the annotators of a study agree so far, as a line.

    Args:
        title: of the study.
        report: on agreement, or why that cannot be told.
    """
    if isinstance(report, str):
        return f"{title}: {report}"
    figures = ", ".join(
        f"{translated(METRICS[figure.metric])} {told_figure(figure)}"
        for figure in report.overall.figures
        if figure.metric in _SHOWN
    )
    return f"{tr('{title}, so far', title=title)}: {figures}"


def _count_begun(status: StudyStatus) -> int:
    return sum(seat.judged > 0 for seat in status.seats)
