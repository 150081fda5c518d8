"""The pairs of a study with what was said of them: a row a pair, a column an annotator."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from termexplorer.models.sorted_table import SortedTableModel
from termexplorer.services.adjudication import PairChoice
from termexplorer.services.study_status import StudyStatus
from termexplorer.services.study_verdicts import (
    PairVerdicts,
    VerdictTable,
    judging_here,
    verdict_table,
)
from termexplorer.texts import mark, tr, translated, trn
from termexplorer.views.forms import heading, quiet
from termexplorer.views.keys import add_key
from termexplorer.views.page import Shared
from termexplorer.views.pair_choice import PairChoiceBoxes
from termexplorer.views.ranking_export import ask_and_write
from termexplorer.views.session import Session
from termexplorer.views.sorted_table import SortedTable
from termexplorer.views.store_reading import StoreReading
from termexplorer.views.table import Column
from termexplorer.workspace import Workspace

_SETTLED_MS = 150  # after the last letter of a search
_BLIND = mark(
    "{names} still judges here and must not see what others said. Come back when all is judged; "
    "if you are somebody else, press “I do not judge here”."
)
_NOTHING = mark("No pair is like that.")
_DIGITS = 1  # of seconds, and of labels that are ratings


class PairVerdictTable(SortedTable):
    """The pairs, with as many columns of answers as there are annotators."""

    def __init__(self, session: Session) -> None:
        self._rows = SortedTableModel(digits=_DIGITS)
        self._annotators: Sequence[str] = ()
        super().__init__(mark("Pairs and verdicts"), self._rows, session)
        self._rows.setParent(self)

    def columns(self) -> Sequence[Column]:
        """How wide each column is."""
        answer = tr("don't know") + "__"
        return (
            Column("number", f"{tr('No.')}___"),
            Column("left", share=4, least=140),
            Column("right", share=4, least=140),
            Column("set", share=1, least=70),
            Column("label", f"{tr('Label')}__"),
            *(Column(f"answer {n}", answer) for n in range(len(self._annotators))),
            Column("majority", answer),
            Column("decision", answer),
            Column("comments", share=2, least=90),
            Column("seconds", f"{tr('Seconds')}__"),
        )[: self.model().columnCount()]

    @property
    def current(self) -> int | None:
        """The number of the pair that is chosen."""
        there = self.selectionModel().selectedRows()
        return int(str(self._rows.rows[there[0].row()][0])) if there else None

    def show_table(self, table: VerdictTable, pairs: Sequence[PairVerdicts]) -> None:
        """Shows some pairs of a study."""
        self._annotators = table.annotators
        header = (
            tr("No."), tr("Term"), tr("Term"), tr("Set"), tr("Label"), *table.annotators,
            tr("Majority"), tr("Decision"), tr("Comments"), tr("Seconds"),
        )  # fmt: skip
        rows = [_row(table, each) for each in pairs]
        self._rows.show_rows(header, rows, (0, 4, len(header) - 1))

    def show_nothing(self) -> None:
        """Shows no pair, and why."""
        self._rows.show_rows((), ())


class StudyVerdicts(QWidget):
    """Shows the pairs of a study, chosen by what was said, where they are of, and a text.

    Signals:
        left: the user goes back.
        adjudication_wanted: of a study (its `KeptStudy`), and of which pairs (a `PairChoice`).
    """

    left = Signal()
    adjudication_wanted = Signal(object, object)

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._status: StudyStatus | None = None
        self._table: VerdictTable | None = None
        self._judges_not = False
        self.title, self.told = heading(""), quiet()
        self.pairs = PairChoiceBoxes(all_pairs=True)
        self.search = QLineEdit(placeholderText=tr("Find in terms, answers and comments"))
        self.table = PairVerdictTable(shared.session)
        self.back = QPushButton(tr("Back"))
        self.not_judging = QPushButton(tr("I do not judge here"))
        self.adjudicate = QPushButton(tr("Adjudicate these…"))
        self.export = QPushButton(tr("Export verdicts…"))
        self._waiting = QTimer(self, singleShot=True, interval=_SETTLED_MS)
        self._reading = StoreReading(shared, self, self._question)
        self._lay_out()
        self._connect()

    def close_form(self) -> None:
        """Ends the thread."""
        self._reading.close()

    def entrance(self) -> QWidget:
        """The pairs."""
        return self.table

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Reads what has changed."""
        super().showEvent(event)
        self._reading.look()

    def show_study(self, status: StudyStatus) -> None:
        """Shows another study, or the same anew."""
        if self._status is None or self._status.study.id != status.study.id:
            self._judges_not = False
            self.pairs.take_all()
            self.search.clear()
        self._status, self._table = status, None
        study = status.study
        self.title.setText(
            tr("Pairs and verdicts of study {number}, {title}", number=study.id,
               title=study.head.title)
        )  # fmt: skip
        self._reading.renew()

    def _lay_out(self) -> None:
        self.search.setAccessibleName(tr("Find in terms, answers and comments"))
        self.search.setClearButtonEnabled(True)
        self.back.setToolTip(tr("To the studies (Esc)"))
        self.export.setToolTip(tr("The pairs on show, as CSV, XLSX, TSV or JSONL"))
        self.adjudicate.setToolTip(tr("Decide the judged pairs that are chosen, one after another"))
        self.not_judging.hide()
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.pairs)
        row.addWidget(self.search, 1)
        row.addWidget(self.not_judging)
        last = QHBoxLayout()
        last.setSpacing(8)
        for button in (self.back, self.adjudicate, self.export):
            last.addWidget(button)
        last.addWidget(self.told, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        column.addWidget(self.title)
        column.addLayout(row)
        column.addWidget(self.table, 1)
        column.addLayout(last)

    def _connect(self) -> None:
        self.back.clicked.connect(self.left)
        self.pairs.changed.connect(self._reading.renew)
        self.search.textChanged.connect(self._waiting.start)
        self._waiting.timeout.connect(self._show)
        self.not_judging.clicked.connect(self._on_not_judging)
        self.export.clicked.connect(self._on_export)
        self.adjudicate.clicked.connect(self._on_adjudicate)
        self._reading.answered.connect(self._on_table)
        add_key("Esc", self, self.left.emit)

    def _question(self) -> Callable[[], object]:
        study_id = 0 if self._status is None else self._status.study.id
        chosen = self.pairs.chosen
        return partial(_read, self._shared.workspace, study_id, chosen, judges_not=self._judges_not)

    @Slot(object)
    def _on_table(self, found: VerdictTable | list[str]) -> None:
        blind = isinstance(found, list)
        self._table = None if isinstance(found, list) else found
        self.not_judging.setVisible(blind)
        names = ", ".join(found) if isinstance(found, list) else ""
        self.table.hint = translated(_BLIND, names=names) if blind else translated(_NOTHING)
        for button in (self.export, self.adjudicate):
            button.setEnabled(not blind)
        if isinstance(found, VerdictTable) and self.pairs.chosen is None:
            sets = dict.fromkeys(each.pair.set_name for each in found.pairs)
            self.pairs.offer_sets([name for name in sets if name])
        self._show()

    @property
    def shown(self) -> list[PairVerdicts]:
        """The pairs that are chosen and have the text that is looked for."""
        if self._table is None:
            return []
        words = self.search.text().casefold().split()
        pairs = [e for e in self._table.pairs if self.pairs.set_name in (None, e.pair.set_name)]
        return [each for each in pairs if all(word in _text(each) for word in words)]

    @Slot()
    def _show(self) -> None:
        table = self._table
        shown = self.shown
        if table is None:
            self.table.show_nothing()
            self.told.clear()
            return
        self.table.show_table(table, shown)
        judged = sum(bool(each.said) for each in shown)
        decided = sum(each.decision is not None for each in shown)
        self.told.setText(
            trn(
                "{n:,} pair; judged: {judged:,}, decided: {decided:,}",
                "{n:,} pairs; judged: {judged:,}, decided: {decided:,}",
                len(shown), judged=judged, decided=decided,
            )
        )  # fmt: skip
        can = any(each.said for each in table.pairs)
        self.adjudicate.setEnabled(can)

    @Slot()
    def _on_not_judging(self) -> None:
        self._judges_not = True
        self._reading.renew()

    @Slot()
    def _on_export(self) -> None:
        if self._table is not None and self._status is not None:
            table = VerdictTable(self._table.study, self._table.annotators, tuple(self.shown))
            name = tr("verdicts of study {number}", number=self._status.study.id)
            ask_and_write(self, self._shared.notices, name, table.header(), list(table.rows()))

    @Slot()
    def _on_adjudicate(self) -> None:
        if self._status is not None:
            self.adjudication_wanted.emit(self._status.study, self.pairs.to_decide)


def _read(
    workspace: Workspace, study_id: int, chosen: PairChoice | None, *, judges_not: bool
) -> VerdictTable | list[str]:
    """The table, or the names of those who must not see it yet."""
    still = [] if judges_not else judging_here(workspace, study_id)
    return still or verdict_table(workspace, study_id, chosen, judges_not=True)


def _row(table: VerdictTable, each: PairVerdicts) -> tuple[object, ...]:
    said = (each.said.get(name) for name in table.annotators)
    decision = "" if each.decision is None else each.decision.answer
    return (
        each.number, each.pair.subject, each.pair.object, each.pair.set_name,
        _whole(each.pair.score),
        *(one.answer if one else "" for one in said), each.majority, decision, each.comments,
        each.seconds,
    )  # fmt: skip


def _whole(score: float | None) -> float | None:
    """A label, which is 1 or 0 unless it is a rating."""
    return int(score) if score is not None and score.is_integer() else score


def _text(each: PairVerdicts) -> str:
    decision = "" if each.decision is None else f"{each.decision.answer} {each.decision.note}"
    answers = " ".join(said.answer for said in each.said.values())
    pair = each.pair
    parts = (pair.subject, pair.object, pair.set_name, answers, decision, each.comments)
    return " ".join(parts).casefold()
