"""The tables about studies: which there are, who is how far, and how well they agree."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal, Slot

from termexplorer.models.sorted_table import SortedTableModel
from termexplorer.services.agreement.agreement import METRICS, AgreementReport
from termexplorer.services.agreement.rows import AgreementRow
from termexplorer.services.signing.signatures import format_fingerprint
from termexplorer.services.studies.status import SeatStatus, StudyStatus
from termexplorer.services.studies.work import AnswersChoice, DoubtfulAnswers, MergeOutcome, Refused
from termexplorer.texts import mark, tr, translated
from termexplorer.views.widgets.tables.sorted_table import SortedTable
from termexplorer.views.widgets.tables.table import Column
from termexplorer.views.widgets.ui_state import UiState

SIGNED = {
    "unsigned": mark("unsigned"),
    "unchecked": mark("not checked"),
    "invalid": mark("signature does not fit"),
    "doubtful": mark("in doubt"),
    "here": mark("judged here"),
}
_KEY = "0000 0000 0000 0000_"
_SHORT = "00,000__"
_KEYS, _CHECKS = 6, 7  # the columns of keys and of known answers
_NOTE = 6  # the column that says why there is no figure


class StudyTable(SortedTable):
    """All studies; one is chosen.

    Signals:
        chosen: another row is chosen.
    """

    chosen = Signal()

    def __init__(self, session: UiState) -> None:
        self._rows = SortedTableModel(digits=3)
        self._wanted: int | None = None
        count = _answered_column()
        columns = (
            Column("number", f"{tr('No.')}___"),
            Column("title", share=3, least=160),
            Column("annotators", share=2, least=120),
            *(Column(name, count) for name in ("pairs", "complete", "answered", "of", "skipped")),
            Column("alpha", "0.000___"),
        )
        super().__init__(mark("Studies"), self._rows, session, columns)
        self._rows.setParent(self)
        self._rows.tips = {
            3: tr("Judged pairs, without practice"),
            4: tr("Pairs that have the answers of all who are asked"),
            5: tr("Questions that were answered, repeated pairs too, practice not"),
            6: tr("All questions"),
            7: tr("Pairs that somebody put off"),
            8: tr("Krippendorff's alpha so far"),
        }
        self.selectionModel().selectionChanged.connect(self._on_selection)

    @property
    def current(self) -> int | None:
        """The id of the study that is chosen."""
        selected = self.selectionModel().selectedRows()
        return int(str(self._rows.rows[selected[0].row()][0])) if selected else None

    def show_studies(
        self, studies: Sequence[StudyStatus], reports: Mapping[int, AgreementReport | str]
    ) -> None:
        """Shows studies, the newest first; the one that was chosen still is, or else the newest."""
        current = self._wanted or self.current
        header = (
            tr("No."), tr("Study"), tr("Annotators"), tr("Pairs"), tr("Complete"), tr("Answered"),
            tr("Of"), tr("Skipped"), tr("Alpha"),
        )  # fmt: skip
        rows = [_study_row(study, reports.get(study.study.id)) for study in reversed(studies)]
        self.blockSignals(True)
        self._rows.show_rows(header, rows, (0, 3, 4, 5, 6, 7, 8))
        self.blockSignals(False)
        if rows:
            self.choose(current)

    def choose(self, study_id: int | None) -> None:
        """Chooses a study, now or when it is shown; the first, if it is not there."""
        ids = [row[0] for row in self._rows.rows]
        self._wanted = None if study_id in ids else study_id
        self.selectRow(ids.index(study_id) if study_id in ids else 0)

    @Slot()
    def _on_selection(self) -> None:
        if self.current is not None:
            self.chosen.emit()


class SeatTable(SortedTable):
    """The annotators of a study."""

    def __init__(self, session: UiState) -> None:
        self._rows = SortedTableModel()
        count = _answered_column()
        columns = (
            Column("annotator", share=1, least=100),
            Column("judged", count),
            Column("asked", _SHORT),
            *(Column(name, count) for name in ("skipped", "practised")),
            Column("last", "2026-01-01 00:00_"),
            Column("signed", _KEY),
            Column("checks", f"{tr('Checks')}__"),
        )
        super().__init__(mark("Annotators"), self._rows, session, columns)
        self._rows.setParent(self)
        self._rows.tips = {
            _KEYS: tr("The key that signed the answers, which the annotator's program shows too"),
            _CHECKS: tr("Right of the answered pairs whose answer is known"),
        }
        self.setToolTip(tr("{sorting}. Times are UTC", sorting=self.toolTip()))

    @property
    def current(self) -> str | None:
        """The annotator who is chosen."""
        selected = self.selectionModel().selectedRows()
        return str(self._rows.rows[selected[0].row()][0]) if selected else None

    def show_seats(self, seats: Sequence[SeatStatus]) -> None:
        """Shows annotators; who was chosen still is, or else the first."""
        current = self.current
        header = (
            tr("Annotator"), tr("Answered"), tr("Of"), tr("Skipped"), tr("Practised"),
            tr("Last answer"), tr("Signed"), tr("Checks"),
        )  # fmt: skip
        rows = [
            (
                s.annotator,
                s.judged,
                s.asked,
                s.skipped,
                s.practised,
                _minute_of_moment(s.last_at),
                _describe_signer(s),
                _known_answers_text(s),
            )
            for s in seats
        ]
        self._rows.show_rows(header, rows, (1, 2, 3, 4))
        self.setColumnHidden(_CHECKS, not any(seat.checks.asked for seat in seats))
        self.fit()
        names = [row[0] for row in self._rows.rows]
        if names:
            self.selectRow(names.index(current) if current in names else 0)


class AgreementTable(SortedTable):
    """Figures of agreement with intervals, and why one is undefined or what it leaves out."""

    def __init__(self, session: UiState) -> None:
        self._rows = SortedTableModel(digits=3)
        columns = (
            Column("of", share=2, least=110),
            Column("figure", f"{translated(METRICS['alpha'])}_"),
            *(Column(name, "-0.000__") for name in ("value", "low", "high")),
            Column("items", _SHORT),
            Column("note", share=3, least=100),
        )
        super().__init__(mark("Agreement"), self._rows, session, columns)
        self._rows.setParent(self)
        self._rows.tips = {
            3: tr("Lower end of its 95 % interval"),
            4: tr("Upper end of its 95 % interval"),
            5: tr("Number of pairs"),
            6: tr("Why there is no figure, or what it leaves out"),
        }

    def show_rows(self, rows: Sequence[AgreementRow]) -> None:
        """Shows figures."""
        header = (
            tr("Of"), tr("Figure"), tr("Value"), tr("Low"), tr("High"), tr("Items"),
            tr("Remark"),
        )  # fmt: skip
        cells = [
            (
                translated(r.whom, name=r.name), translated(r.figure), r.value, r.low, r.high,
                r.n, r.note,
            )
            for r in rows
        ]  # fmt: skip
        self._rows.show_rows(header, cells, (2, 3, 4, 5))

    @Slot()
    def fit(self) -> None:
        """Show the notes, if there are any."""
        reasons = any(row[_NOTE] for row in self._rows.rows)
        self.setColumnHidden(_NOTE, not reasons)
        super().fit()


class MergedTable(SortedTable):
    """What came of files that were merged."""

    def __init__(self, session: UiState) -> None:
        self._rows = SortedTableModel()
        columns = (
            Column("file", share=2, least=120),
            Column("study", f"{tr('Study')}__"),
            Column("annotator", share=1, least=80),
            Column("answers", f"{tr('Rows')}__"),
            Column("new", _SHORT),
            Column("signed", _KEY),
            Column("what", share=4, least=200),
        )
        super().__init__(mark("Merged files"), self._rows, session, columns)
        self._rows.setParent(self)

    def show_merged(self, outcomes: Sequence[MergeOutcome]) -> None:
        """Shows what fitted and what did not."""
        header = (
            tr("File"), tr("Study"), tr("Annotator"), tr("Rows"), tr("New"), tr("Signed"),
            tr("What"),
        )  # fmt: skip
        self._rows.show_rows(header, [_merged_row(outcome) for outcome in outcomes], (1, 3, 4))


def _study_row(status: StudyStatus, report: AgreementReport | str | None) -> tuple[object, ...]:
    seats = status.seats
    has_report = isinstance(report, AgreementReport)
    alpha = report.overall.figures[0].value if has_report else None  # type: ignore[union-attr]
    return (
        status.study.id,
        status.study.head.title,
        ", ".join(seat.annotator for seat in seats),
        status.pairs,
        status.complete,
        sum(seat.judged for seat in seats),
        sum(seat.asked for seat in seats),
        sum(seat.skipped for seat in seats),
        alpha,
    )


def _merged_row(outcome: MergeOutcome) -> tuple[object, ...]:
    if isinstance(outcome, Refused):
        return (
            outcome.file,
            None,
            "–",
            None,
            None,
            "–",
            f"✗ {outcome.why.removeprefix(f'{outcome.file}: ')}",
        )
    key = format_fingerprint(outcome.key)
    if isinstance(outcome, DoubtfulAnswers):
        waiting_text = tr("? waits for your choice: {why}", why=outcome.doubt_told)
        return (
            outcome.file,
            outcome.study_id,
            outcome.annotator,
            None,
            None,
            key or "–",
            waiting_text,
        )
    if outcome.choice == AnswersChoice.REJECT.value:
        parts = [tr("✗ rejected; a copy is kept")]
    else:
        parts = [tr("✓ merged") if outcome.new_rows else tr("✓ all of it was merged before")]
    parts += outcome.list_remarks()
    return (
        outcome.file, outcome.study_id, outcome.annotator, outcome.rows, outcome.new_rows,
        key or translated(SIGNED[outcome.signed]), "; ".join(parts),
    )  # fmt: skip


def _describe_signer(seat: SeatStatus) -> str:
    """Tell the key of an annotator, or that there is none, or a doubt."""
    if seat.signed == "signed" or not seat.signed:
        return format_fingerprint(seat.key) or "–"
    return translated(SIGNED[seat.signed])


def _answered_column() -> str:
    return f"{tr('Answered')}__"


def _known_answers_text(seat: SeatStatus) -> str:
    """How many known answers are right of those that were given."""
    return f"{seat.checks.right}/{seat.checks.answered}"


def _minute_of_moment(moment: str) -> str:
    return moment[:16].replace("T", " ") or "–"
