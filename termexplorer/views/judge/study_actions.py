"""What follows judging: verdicts are looked at, pairs are decided, and a report is written."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from termexplorer.plain_text import plain_tip
from termexplorer.services.studies.status import StudyStatus
from termexplorer.texts import mark, tr, translated

_TIPS = {
    "verdicts": mark("Pairs and verdicts: one row per pair, one column per annotator"),
    "adjudicate": mark("Decide pairs on which annotators differ one after another, by key"),
    "change": mark("Rename the study, add an annotator, or remove it"),
    "report": mark("Protocol, agreement, ground truth and encoders as one PDF or HTML page"),
}
_NO_STUDY = mark("Make a study first")
_NOT_YET = mark("Nobody has judged a pair yet: merge answers first")


class StudyActions(QWidget):
    """Five buttons, one of which shows where answers are in doubt.

    Signals:
        verdicts_wanted: of a study (its `StudyStatus`).
        adjudication_wanted: of a study (its `KeptStudy`).
        change_wanted: in a study (its `StudyStatus`).
        report_wanted: on it.
        choice_wanted: of its answers in doubt (its `KeptStudy`).
    """

    verdicts_wanted = Signal(object)
    adjudication_wanted = Signal(object)
    change_wanted = Signal(object)
    report_wanted = Signal(object)
    choice_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._status: StudyStatus | None = None
        self.verdicts = QPushButton(tr("Verdicts…"))
        self.adjudicate = QPushButton(tr("Adjudicate…"))
        self.report = QPushButton(tr("Report…"))
        self.change = QPushButton(tr("Change…", sense="a study"))
        self.doubts = QPushButton(tr("Answers in doubt…"))
        self.doubts.setToolTip(tr("Choose whose answers count; the files are kept"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for button in (self.verdicts, self.adjudicate, self.report, self.change, self.doubts):
            row.addWidget(button)
        self.verdicts.clicked.connect(self._on_verdicts)
        self.change.clicked.connect(self._on_change)
        self.adjudicate.clicked.connect(self._on_adjudicate)
        self.report.clicked.connect(self._on_report)
        self.doubts.clicked.connect(self._on_doubts)
        self.show_study(None)

    def show_study(self, status: StudyStatus | None) -> None:
        """Of which study."""
        self._status = status
        why = "" if status else translated(_NO_STUDY)
        for button, name in ((self.verdicts, "verdicts"), (self.change, "change")):
            button.setEnabled(not why)
            button.setToolTip(plain_tip(why or translated(_TIPS[name])))
        self.doubts.setVisible(
            status is not None and any(seat.signed == "doubtful" for seat in status.seats)
        )
        if status and not any(seat.judged for seat in status.seats):
            why = translated(_NOT_YET)
        for button, name in ((self.adjudicate, "adjudicate"), (self.report, "report")):
            button.setEnabled(not why)
            button.setToolTip(plain_tip(why or translated(_TIPS[name])))

    @Slot()
    def _on_verdicts(self) -> None:
        if self._status is not None:
            self.verdicts_wanted.emit(self._status)

    @Slot()
    def _on_change(self) -> None:
        if self._status is not None:
            self.change_wanted.emit(self._status)

    @Slot()
    def _on_adjudicate(self) -> None:
        if self._status is not None:
            self.adjudication_wanted.emit(self._status.study)

    @Slot()
    def _on_report(self) -> None:
        if self._status is not None:
            self.report_wanted.emit(self._status.study)

    @Slot()
    def _on_doubts(self) -> None:
        if self._status is not None:
            self.choice_wanted.emit(self._status.study)
