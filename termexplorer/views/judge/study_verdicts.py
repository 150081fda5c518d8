"""The pairs of a study with what was said of them: a row a pair, a column an annotator."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from termexplorer.plain_text import plain_tip
from termexplorer.questions import LatestQueryWorker
from termexplorer.services.pairs.filter import BY_HAND, TEXT
from termexplorer.services.studies.adjudication.disputed_pairs import PairChoice
from termexplorer.services.studies.left_out import leave_out_pairs, take_in_pairs, why_fixed
from termexplorer.services.studies.status import StudyStatus
from termexplorer.services.studies.verdict_table import (
    PairVerdicts,
    VerdictTable,
    judging_here,
    verdict_table,
)
from termexplorer.store.indexes.folding import fold_text
from termexplorer.texts import mark, tr, translated, trn
from termexplorer.views.explore.ranking_export import ask_and_write
from termexplorer.views.judge.pair_verdict_table import PairVerdictTable, text_of_pair
from termexplorer.views.judging.pair_choice import PairChoiceBoxes
from termexplorer.views.judging.term_choice import TermChoice
from termexplorer.views.widgets.forms import heading, quiet
from termexplorer.views.widgets.keys import add_key
from termexplorer.views.window.page import Shared
from termexplorer.views.window.store_reading import StoreReading
from termexplorer.workspace import Workspace

_SETTLED_MS = 150  # after the last letter of a search
_BLIND = mark(
    "{names} still judges here and must not see what others said. Come back when all is judged; "
    "if you are somebody else, press “I do not judge here”."
)
_NOTHING = mark("No matching pairs.")


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
        self._shown: Sequence[PairVerdicts] = ()
        self._shown_by_text = False
        self._judges_not = False
        self.title, self.message = heading(""), quiet()
        self.pairs = PairChoiceBoxes(all_pairs=True)
        self.terms = TermChoice()
        self.search = QLineEdit(placeholderText=tr("Find in terms, answers and comments"))
        self.table = PairVerdictTable(shared.session)
        self.back = QPushButton(tr("Back"))
        self.not_judging = QPushButton(tr("I do not judge here"))
        self.adjudicate = QPushButton(tr("Adjudicate these…"))
        self.export = QPushButton(tr("Export verdicts…"))
        self.leave = QPushButton(tr("Leave out"))
        self._why_fixed = ""  # why no pair can be left out
        self._changing = LatestQueryWorker(self)
        self._waiting = QTimer(self, singleShot=True, interval=_SETTLED_MS)
        self._reading = StoreReading(shared, self, self._question)
        self._lay_out()
        self._connect()

    def close_form(self) -> None:
        """Ends the threads."""
        self._reading.close()
        self._changing.close()

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
            self.terms.take_all()
            self.search.clear()
        self._status, self._table, self._shown = status, None, ()
        study = status.study
        self.pairs.name_answers(study.head.answers)
        self.title.setText(
            tr("Pairs and verdicts of study {number}, {title}", number=study.id,
               title=study.head.title)
        )  # fmt: skip
        self._reading.renew()

    def _lay_out(self) -> None:
        self.search.setAccessibleName(tr("Find in terms, answers and comments"))
        self.search.setClearButtonEnabled(True)
        self.back.setToolTip(tr("Back to studies (Esc)"))
        self.export.setToolTip(tr("The pairs on show, as CSV, XLSX, TSV or JSONL"))
        self.adjudicate.setToolTip(tr("Decide the judged pairs that are chosen, one after another"))
        self.not_judging.hide()
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.pairs)
        row.addWidget(self.terms)
        row.addWidget(self.search, 1)
        row.addWidget(self.not_judging)
        last = QHBoxLayout()
        last.setSpacing(8)
        for button in (self.back, self.adjudicate, self.leave, self.export):
            last.addWidget(button)
        last.addWidget(self.message, 1)
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
        self.terms.changed.connect(self._reading.renew)
        self.table.selectionModel().selectionChanged.connect(self._allow_leaving)
        self.leave.clicked.connect(self._on_leave)
        self._changing.answered.connect(self._on_left_out)
        self._changing.failed.connect(self._shared.notices.error)
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
        return partial(
            _read_table, self._shared.workspace, study_id, chosen, self.terms.left_out,
            judges_not=self._judges_not,
        )  # fmt: skip

    @Slot(object)
    def _on_table(self, answer: tuple[VerdictTable | list[str], str]) -> None:
        table, self._why_fixed = answer
        blind = isinstance(table, list)
        self._table = None if isinstance(table, list) else table
        self.not_judging.setVisible(blind)
        names = ", ".join(table) if isinstance(table, list) else ""
        self.table.hint = translated(_BLIND, names=names) if blind else translated(_NOTHING)
        for button in (self.export, self.adjudicate):
            button.setEnabled(not blind)
        if isinstance(table, VerdictTable) and self.pairs.chosen is None:
            sets = dict.fromkeys(pair.pair.set_name for pair in table.pairs)
            self.pairs.offer_sets([name for name in sets if name])
        self._show()

    def _choose_pairs(self) -> list[PairVerdicts]:
        """Return the pairs that are chosen and have the text that is looked for."""
        if self._table is None:
            return []
        words, wanted = fold_text(self.search.text()).split(), self.terms.chosen
        pairs = [e for e in self._table.pairs if self.pairs.set_name in (None, e.pair.set_name)]
        if not self.terms.any:
            pairs = [e for e in pairs if wanted.reason(e.pair.subject, e.pair.object)]
        return [pair for pair in pairs if all(word in text_of_pair(pair) for word in words)]

    @Slot()
    def _show(self) -> None:
        table = self._table
        self._shown = shown = self._choose_pairs()
        self._shown_by_text = bool(self.search.text().strip())
        if table is None:
            self.table.show_nothing()
            self.message.clear()
            return
        self.table.show_table(table, shown)
        self.export.setText(tr("Export verdicts ({n:,})…", n=len(shown)))
        judged = sum(bool(pair.answers) for pair in shown)
        decided = sum(pair.decision is not None for pair in shown)
        self.message.setText(
            trn(
                "{n:,} pair; judged: {judged:,}, decided: {decided:,}",
                "{n:,} pairs; judged: {judged:,}, decided: {decided:,}",
                len(shown), judged=judged, decided=decided,
            )
        )  # fmt: skip
        can = any(pair.answers for pair in table.pairs)
        self.adjudicate.setEnabled(can)
        self._allow_leaving()

    @property
    def to_leave(self) -> dict[int, str]:
        """The pairs that the button is about, each with why: those on show, or the chosen one."""
        text = self._shown_by_text  # what is typed counts when the table shows it
        if self.terms.any and not text and not self.terms.left_out:
            return {} if self.table.current is None else {self.table.current: BY_HAND}
        wanted, usual = self.terms.chosen, TEXT if text else BY_HAND
        return {
            pair.number: wanted.reason(pair.pair.subject, pair.pair.object) or usual
            for pair in self._shown
        }

    @Slot()
    def _allow_leaving(self) -> None:
        count = len(self.to_leave) if self._table is not None else 0
        if self.terms.left_out:
            text = trn("Take {n:,} pair in again", "Take {n:,} pairs in again", count)
        else:
            text = trn("Leave {n:,} pair out", "Leave {n:,} pairs out", count)
        self.leave.setText(text)
        self.leave.setEnabled(count > 0 and not self._why_fixed)
        why = self._why_fixed or ("" if count else tr("Choose a pair, or find some"))
        self.leave.setToolTip(
            plain_tip(why) or tr("Packs that were exported before do not fit any more")
        )

    @Slot()
    def _on_leave(self) -> None:
        if self._status is not None:
            study_id, back = self._status.study.id, self.terms.left_out
            work = partial(
                _leave_out_and_tell, self._shared.workspace, study_id, self.to_leave, back=back
            )
            self._changing.ask(work)

    @Slot(object)
    def _on_left_out(self, message: str) -> None:
        self._shared.notices.tell(message)
        self._shared.watch.look()
        self._reading.renew()

    @Slot()
    def _on_not_judging(self) -> None:
        self._judges_not = True
        self._reading.renew()

    @Slot()
    def _on_export(self) -> None:
        if self._table is not None and self._status is not None:
            table = VerdictTable(self._table.study, self._table.annotators, tuple(self._shown))
            name = tr("verdicts of study {number}", number=self._status.study.id)
            ask_and_write(self, self._shared.notices, name, table.header(), list(table.rows()))

    @Slot()
    def _on_adjudicate(self) -> None:
        if self._status is not None:
            self.adjudication_wanted.emit(self._status.study, self.pairs.to_decide)


def _read_table(
    workspace: Workspace,
    study_id: int,
    chosen: PairChoice | None,
    left_out: bool,
    *,
    judges_not: bool,
) -> tuple[VerdictTable | list[str], str]:
    """The table, or the names of those who must not see it yet; and why its pairs are fixed."""
    fixed = why_fixed(workspace, study_id)
    still = [] if judges_not else judging_here(workspace, study_id)
    if still:
        return still, fixed
    wanted = None if left_out else chosen
    return verdict_table(workspace, study_id, wanted, judges_not=True, left_out=left_out), fixed


def _leave_out_and_tell(
    workspace: Workspace, study_id: int, pairs: dict[int, str], *, back: bool
) -> str:
    if back:
        count = take_in_pairs(workspace, study_id, pairs)
        return trn("{n:,} pair is taken in again", "{n:,} pairs are taken in again", count)
    count = 0
    for reason in dict.fromkeys(pairs.values()):
        numbers = [number for number, why in pairs.items() if why == reason]
        count += leave_out_pairs(workspace, study_id, numbers, reason)
    return trn("{n:,} pair is left out", "{n:,} pairs are left out", count)
