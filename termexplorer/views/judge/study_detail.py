"""One study: what it asks, who is how far, and how well they agree."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from termexplorer.services.agreement.agreement import AgreementReport
from termexplorer.services.agreement.couple_matrix import couple_header, couple_rows
from termexplorer.services.agreement.rows import (
    ALONE,
    OVERALL,
    PAIRS,
    SETS,
    AgreementRow,
    agreement_rows,
)
from termexplorer.services.files.exports import Cell
from termexplorer.services.studies.status import StudyStatus
from termexplorer.texts import mark, tr, translated
from termexplorer.views.explore.ranking_export import ask_and_write
from termexplorer.views.judge.couple_table import CoupleFigure, CoupleTable
from termexplorer.views.judge.study_tables import AgreementTable, SeatTable
from termexplorer.views.judge.study_training import StudyTraining
from termexplorer.views.widgets.export_button import ALL, SHOWN, ExportButton
from termexplorer.views.widgets.forms import choice, heading, offer, quiet
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.widgets.splitter import KeptSplitter
from termexplorer.views.window.page import Shared

_PARTS = {
    OVERALL: mark("All annotators"),
    PAIRS: mark("Each two annotators"),
    ALONE: mark("Each annotator"),
    SETS: mark("Each set"),
}
_HEADER = ["part", "of", "figure", "value", "low", "high", "items", "interval", "remark"]
_NOT_YET = mark("Nobody has judged a pair yet: send out the packs, and merge what comes back.")
_RECKONING = mark("Reckoning…")
_WIDTHS = (600, 592)


class StudyDetail(QWidget):
    """Shows a study.

    Signals:
        chosen: another annotator (their name) is chosen.
        entered: the chosen one is entered, by Enter or a double click.
    """

    chosen = Signal(object)
    entered = Signal()

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._status: StudyStatus | None = None
        self._report: AgreementReport | None = None
        self._rows: Sequence[AgreementRow] = ()
        self.facts = PlainLabel(wordWrap=True)
        self.seats, self.agreement = SeatTable(shared.session), AgreementTable(shared.session)
        self.couples, self.figure = CoupleTable(shared.session), CoupleFigure()
        self.truth = quiet()
        self.part = choice(tr("Whose agreement"), 16)
        self.export = ExportButton()
        self.training = StudyTraining(shared)
        self._lay_out()
        self.seats.selectionModel().selectionChanged.connect(self._on_seat)
        self.seats.activated.connect(self.entered)
        self.part.currentIndexChanged.connect(self._on_part)
        self.figure.changed.connect(self._on_part)
        self.export.wanted.connect(self._on_export)

    def close_detail(self) -> None:
        """Keeps the sizes, and ends the thread."""
        self.splitter.keep()
        self.training.close_training()

    def show_study(self, status: StudyStatus | None, report: AgreementReport | str | None) -> None:
        """Shows another study, or the same with other answers."""
        if status is None:
            return
        self._status = status
        self.facts.setText(_describe_study(status))
        self.seats.show_seats(status.seats)
        self._on_seat()
        self.training.show_study(status)
        known = isinstance(report, AgreementReport)
        self._report = report if isinstance(report, AgreementReport) else None
        self._rows = agreement_rows(report) if isinstance(report, AgreementReport) else ()
        judged = any(seat.judged for seat in status.seats)
        none = translated(_RECKONING if judged else _NOT_YET)
        why = report if isinstance(report, str) else none
        self.agreement.hint = why
        if self._report is not None:
            self.figure.offer_figures(self._report)
        parts = {row.part for row in self._rows}
        with QSignalBlocker(self.part):
            rows = [(translated(title), part) for part, title in _PARTS.items() if part in parts]
            offer(self.part, rows, OVERALL)
        for widget in (self.part, self.export):
            widget.setEnabled(known)
        self.part.setToolTip("" if known else why)
        self.export.setToolTip(tr("What is shown, as CSV, XLSX, TSV or JSONL") if known else why)
        self._on_part()

    def _lay_out(self) -> None:
        self.facts.setProperty("quiet", True)
        self.facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        left, right = QWidget(), QWidget()
        people = QVBoxLayout(left)
        people.setContentsMargins(0, 0, 8, 0)
        people.setSpacing(8)
        people.addWidget(heading(tr("Annotators")))
        people.addWidget(self.seats, 1)
        figures = QVBoxLayout(right)
        figures.setContentsMargins(8, 0, 0, 0)
        figures.setSpacing(8)
        over = QHBoxLayout()
        over.setSpacing(8)
        for widget in (heading(tr("Agreement")), self.part, self.figure):
            over.addWidget(widget)
        over.addStretch(1)
        over.addWidget(self.export)
        over.addWidget(self.export.other_formats)
        figures.addLayout(over)
        figures.addWidget(self.agreement, 1)
        figures.addWidget(self.couples, 1)
        figures.addWidget(self.truth)
        self.splitter = KeptSplitter(
            self._shared.session, "studies/detail", Qt.Orientation.Horizontal
        )
        self.splitter.fill(_WIDTHS, left, right)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.facts)
        column.addWidget(self.splitter, 1)
        column.addWidget(self.training)

    @Slot()
    def _on_seat(self) -> None:
        self.chosen.emit(self.seats.current)

    @Slot()
    def _on_part(self) -> None:
        part = self.part.currentData()
        shown: Sequence[object] = self._shown_rows()
        self.agreement.show_rows(self._shown_rows())
        couples = self._report is not None and part == PAIRS
        self.agreement.setVisible(not couples)
        for widget in (self.couples, self.figure):
            widget.setVisible(couples)
        if self._report is not None and couples:
            self.couples.show_matrix(self._report, self.figure.currentData())
            shown = list(couple_rows(self._report))
        truth_text = ""
        if self._report is not None:
            truth_text = self._report.truth_told if part == SETS else self._report.overlap_told
        self.truth.setText(truth_text)
        self.truth.setVisible(bool(truth_text))
        self.export.show_counts({SHOWN: len(shown), ALL: len(self._rows)} if self._rows else {})

    def _shown_rows(self) -> list[AgreementRow]:
        part = self.part.currentData()
        return [row for row in self._rows if row.part == part]

    @Slot(str)
    def _on_export(self, part: str) -> None:
        if self._status is None:
            return
        name = tr("agreement in study {number}", number=self._status.study.id)
        if self._report is not None and part == SHOWN and self.part.currentData() == PAIRS:
            header, matrices = couple_header(self._report), list(couple_rows(self._report))
            ask_and_write(self, self._shared.notices, name, header, matrices)
        else:
            rows: list[list[Cell]] = [
                [r.part, r.of, r.figure, r.value, r.low, r.high, r.n, r.method, r.note]
                for r in (self._shown_rows() if part == SHOWN else self._rows)
            ]
            ask_and_write(self, self._shared.notices, name, _HEADER, rows)


def _describe_study(status: StudyStatus) -> str:
    head = status.study.head
    plan = head.plan
    parts = [
        tr("Study {number}, {title}", number=status.study.id, title=head.title),
        head.question,
        tr(
            "{complete:,} of {pairs:,} pairs are fully judged",
            complete=status.complete,
            pairs=status.pairs,
        ),
    ]
    if "each" in plan:
        parts += [
            tr("{each:,} and {each:,} of {sets} sets", each=plan["each"], sets=len(plan["sets"])),
            status.asked_told,
            tr("seed {seed}", seed=plan["seed"]),
        ]
    if status.left_out_told:
        parts.append(status.left_out_told)
    return " · ".join(parts)
