"""What follows judging: pairs without a majority are decided, and a report is written."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from termexplorer.services.study_status import StudyStatus
from termexplorer.texts import mark, tr, translated

_TIPS = {
    "adjudicate": mark("Decide the pairs without a majority one after another, by key"),
    "report": mark("Protocol, agreement, ground truth and encoders as one PDF or HTML page"),
}
_NO_STUDY = mark("Make a study first")
_NOT_YET = mark("Nobody has judged a pair yet: merge answers first")


class StudyActions(QWidget):
    """Two buttons.

    Signals:
        adjudication_wanted: of a study (its `KeptStudy`).
        report_wanted: on it.
    """

    adjudication_wanted = Signal(object)
    report_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._status: StudyStatus | None = None
        self.adjudicate = QPushButton(tr("Adjudicate…"))
        self.report = QPushButton(tr("Report…"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.adjudicate)
        row.addWidget(self.report)
        self.adjudicate.clicked.connect(self._on_adjudicate)
        self.report.clicked.connect(self._on_report)
        self.show_study(None)

    def show_study(self, status: StudyStatus | None) -> None:
        """Of which study."""
        self._status = status
        why = "" if status else translated(_NO_STUDY)
        if status and not any(seat.judged for seat in status.seats):
            why = translated(_NOT_YET)
        for button, name in ((self.adjudicate, "adjudicate"), (self.report, "report")):
            button.setEnabled(not why)
            button.setToolTip(why or translated(_TIPS[name]))

    @Slot()
    def _on_adjudicate(self) -> None:
        if self._status is not None:
            self.adjudication_wanted.emit(self._status.study)

    @Slot()
    def _on_report(self) -> None:
        if self._status is not None:
            self.report_wanted.emit(self._status.study)
