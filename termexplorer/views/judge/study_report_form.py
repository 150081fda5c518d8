"""What a study's report is to have: chosen here, written in the background."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices, QShowEvent
from PySide6.QtWidgets import QCheckBox, QPushButton, QWidget

from termexplorer.services.agreement.agreement import Reckoning
from termexplorer.services.encoders.encoders import EncoderInfo, list_encoders
from termexplorer.services.studies.answer_lines import name_no_rating
from termexplorer.store.judging.studies import KeptStudy
from termexplorer.texts import mark, tr, translated
from termexplorer.views.evaluate.lists import EncoderList
from termexplorer.views.widgets.file_dialogs import ask_save_path
from termexplorer.views.widgets.forms import fields, finish_page, form_column, heading, quiet
from termexplorer.views.widgets.number_box import number_box
from termexplorer.views.window.page import Shared
from termexplorer.views.window.store_reading import StoreReading

LANE = "study_report"
_FILES = mark("PDF (*.pdf);;Web page (*.html)")
_WHAT = mark(
    "Protocol and guidelines; agreement overall, in each set, of each two annotators and within "
    "one, with intervals; the ground truth, with what was adjudicated, and how good the sets' "
    "labels are by it. One PDF or HTML file, for the appendix of a paper."
)
_ENCODERS = mark(
    "Held against the annotators, each at its best threshold: does it agree with them as well as "
    "they do with each other?"
)
_ON_A_SCALE = mark(
    "Encoders at a threshold say same or not same, which this study has not asked; the report is "
    "of its annotators alone."
)


class StudyReportForm(QWidget):
    """Asks for encoders and a file, and writes the report.

    Signals:
        left: the user goes back, with a report under way or without.
    """

    left = Signal()

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._study: KeptStudy | None = None
        self.title = heading(tr("Report"))
        self.encoders, self.about = EncoderList(), quiet(translated(_ENCODERS))
        self.votes = QCheckBox()
        tip = tr("Random seed of the intervals; the same seed gives the same figures")
        self.seed = number_box(0, 2_000_000_000, 0, tip)
        self.figures = QCheckBox(tr("Each figure as SVG, PDF and PNG at 300 dpi too"))
        self.back, self.save = QPushButton(tr("Back")), QPushButton(tr("Save report as…"))
        self._reading = StoreReading(shared, self, self._question)
        self._lay_out()
        self._connect()

    def close_form(self) -> None:
        """Ends the thread."""
        self._reading.close()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Reads which encoders there are."""
        super().showEvent(event)
        self._reading.look()

    def entrance(self) -> QWidget:
        """The encoders, where some can be chosen."""
        return self.encoders if self.encoders.isEnabled() else self.save

    def show_study(self, study: KeptStudy) -> None:
        """On which study."""
        self._study = study
        self.title.setText(
            tr("Report on study {number}, {title}", number=study.id, title=study.head.title)
        )
        valued = [answer for answer in study.head.answers if answer.value is not None]
        two = study.head.level == "nominal" and len(valued) == 2
        self.encoders.setEnabled(two)
        self.encoders.setToolTip("" if two else translated(_ON_A_SCALE))
        self.about.setText(translated(_ENCODERS if two else _ON_A_SCALE))
        self.votes.setText(
            tr(
                "“{answer}” is a vote for none in the majority",
                answer=name_no_rating(study.head.answers),
            )
        )
        self.votes.setVisible(len(valued) < len(study.head.answers))

    def _lay_out(self) -> None:
        self.votes.setChecked(True)
        self.votes.setToolTip(tr("Else it is no vote; in all coefficients it is as if not rated"))
        self.figures.setToolTip(tr("Into a folder beside the report that is named after it"))
        self.seed.setAccessibleName(tr("Seed"))
        self.back.setToolTip(tr("Back to studies (Esc)"))
        self.save.setToolTip(tr("Written in the background (Ctrl+Enter)"))
        inside = QWidget()
        column = form_column(inside)
        for widget in (
            self.title, quiet(translated(_WHAT)), heading(tr("Encoders")), self.encoders,
            self.about, self.votes, self.figures,
        ):  # fmt: skip
            column.addWidget(widget)
        column.addLayout(fields((tr("Seed"), self.seed)))
        column.addStretch(1)
        finish_page(self, inside, self.back, self.save)

    def _connect(self) -> None:
        self.back.clicked.connect(self.left)
        self.save.clicked.connect(self._on_save)
        self._reading.answered.connect(self._on_encoders)

    def _question(self) -> Callable[[], list[EncoderInfo]]:
        return partial(list_encoders, self._shared.workspace)

    @Slot(object)
    def _on_encoders(self, encoders: list[EncoderInfo]) -> None:
        self.encoders.show_encoders(encoders, self.encoders.ids)

    @Slot()
    def _on_save(self) -> None:
        if self._study is None:
            return
        name = tr("report on study {number}.pdf", number=self._study.id)
        title, files = tr("Save report"), translated(_FILES)
        if path := ask_save_path(self, "reports", title, name, files):
            self._write(self._study, path)

    def _write(self, study: KeptStudy, path: Path) -> None:
        from termexplorer.replicate.study.report_job import ReportRequest, write_report_file

        request = ReportRequest(
            self._shared.workspace.folder,
            study.id,
            path,
            self.encoders.ids if self.encoders.isEnabled() else (),
            Reckoning(dont_know_votes=self.votes.isChecked(), seed=self.seed.value()),
            self.figures.isChecked(),
        )
        work = partial(write_report_file, request)
        job = self._shared.jobs.add(
            tr("Report on {study}", study=study.head.title), work, LANE, lost=True
        )
        job.succeeded.connect(self._on_written)
        self.left.emit()

    @Slot(object)
    def _on_written(self, path: Path) -> None:
        message = tr("Wrote {path}", path=path)
        self._shared.notices.tell(message, tr("Open"), partial(self._open_report, path))

    def _open_report(self, path: Path) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            self._shared.notices.error(
                tr("{path}: no program could be opened that shows it; open it by hand", path=path)
            )
