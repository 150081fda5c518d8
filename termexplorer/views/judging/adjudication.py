"""The adjudication screen: pairs that are judged unlike are decided one by one, by key."""

from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from termexplorer.questions import LatestQueryWorker
from termexplorer.services.studies.adjudication.adjudicating import Adjudicating
from termexplorer.services.studies.adjudication.decisions import Decision
from termexplorer.services.studies.adjudication.disputed_pairs import (
    WITHOUT_MAJORITY,
    Disputed,
    PairChoice,
)
from termexplorer.services.verdicts.judging_keys import ANNOTATIONS, BACK, GIVEN_ANSWERS
from termexplorer.services.verdicts.people import Judge
from termexplorer.store.judging.studies import KeptStudy
from termexplorer.texts import mark, tr, translated
from termexplorer.views.judging.adjudication_answers import SaidPane
from termexplorer.views.judging.adjudication_options import AdjudicationOptions
from termexplorer.views.judging.adjudication_steps import (
    AdjudicationStep,
    decide,
    list_decisions,
    open_work,
    redo,
    skip,
    undo,
)
from termexplorer.views.judging.adjudication_words import end, reading, told_before, welcome
from termexplorer.views.judging.answer_list import GivenAnswer
from termexplorer.views.judging.pair_screen import PairScreen
from termexplorer.views.judging.verdict_writer import VerdictWriter
from termexplorer.views.judging.words import JudgingTexts
from termexplorer.views.widgets.keys import add_key, text_with_key
from termexplorer.views.window.page import Shared

_NAME_WANTED = mark("Enter your name above")


class AdjudicationScreen(PairScreen):
    """Somebody decides pairs of a study: those without a majority, or others that are chosen.

    Signals:
        left: the user goes back to the studies.

    Attributes:
        judge: who decides.
        pairs: which pairs are decided.
        votes: whether "don't know" is a vote for none.
        said: what annotators said of a pair.
    """

    left = Signal()

    def __init__(
        self,
        shared: Shared,
        study: KeptStudy,
        choice: PairChoice = WITHOUT_MAJORITY,
        parent: QWidget | None = None,
    ) -> None:
        heading = tr("Adjudication: {title}", title=study.head.title)
        super().__init__(
            study.head, heading, tr("My decisions"), shared.session, shared.theme, parent
        )
        self._shared, self._study = shared, study
        self._work: Adjudicating | None = None
        self._undo_step, self._redo_step = undo, redo
        self._on_show: Disputed | None = None
        self._seen_verdicts: set[int] = set()  # pairs of which the verdicts were shown
        self._options = AdjudicationOptions(shared, study.head, choice)
        self.pairs, self.votes = self._options.pairs, self._options.votes
        self.judge = self._options.judge
        self.said_pane = SaidPane(shared)
        self._opening = LatestQueryWorker(self)
        self.writer = VerdictWriter(
            shared.workspace, shared.notices, self, shared.errands.open_workspace.emit
        )
        self._lay_out()
        self._connect()
        self._add_keys({ANNOTATIONS: self.said_pane.tick.click})
        add_key(BACK, self.sheet, self._on_sheet_left)
        self._stack.currentChanged.connect(self._tell_escape)
        self._open()

    def close_screen(self) -> None:
        """Waits for what is being written, and ends the threads."""
        self.writer.close_writer()
        self._opening.close()
        self.judge.close_box()

    def entrance(self) -> QWidget:
        """The pair, or what is read."""
        return self._page

    @property
    def _asked(self) -> int | None:
        return None if self._on_show is None else self._on_show.number

    def event(self, event: QEvent) -> bool:
        """Has F1 for itself."""
        overrides = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if overrides and event.key() == Qt.Key.Key_F1:  # type: ignore[attr-defined]
            event.accept()  # elsewhere in the window it lists all keys
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """F1: guidelines and back; Esc: back to the studies, or from an earlier decision."""
        if event.key() == Qt.Key.Key_F1:
            self._on_guidelines()
        elif event.key() == Qt.Key.Key_Escape and self._aside is not None:
            self._come_back()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _lay_out(self) -> None:
        self.head.save.setToolTip(tr("All decisions are kept"))
        self.head.answers.setText(text_with_key(tr("My decisions"), GIVEN_ANSWERS))
        self.head.answers.setToolTip(tr("Your decisions, to change one"))
        self._fill_stack(self.said_pane.put_below(self.pair))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 12)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self._options)
        column.addWidget(self._stack, 1)
        column.addWidget(self.message)

    def _connect(self) -> None:
        super()._connect()
        self.head.save.clicked.connect(self.left)
        self.judge.changed.connect(self._on_judge)
        self.judge.settled.connect(self._on_judge_settled)
        self.votes.toggled.connect(self._open)
        self.pairs.changed.connect(self._open)
        self.said_pane.toggled.connect(self._on_said)
        self._opening.answered.connect(self._on_opened)
        self._opening.failed.connect(self._on_not_opened)

    @Slot()
    def _tell_escape(self) -> None:
        """Say on the button that Esc leaves, where it does nothing else before."""
        leaves = self._aside is None and not self._reading
        text = tr("Back to studies")
        self.head.save.setText(text_with_key(text, BACK) if leaves else text)

    @Slot()
    def _open(self) -> None:
        """Looks for the pairs, also when others are chosen, or other votes count."""
        self._work, self._on_show, self._aside, self._reading = None, None, None, False
        self._show_sheet(reading())
        choice, votes = self.pairs.to_decide, self.votes.isChecked()
        self._opening.ask(partial(open_work, self._shared.workspace, self._study.id, choice, votes))

    @Slot(object)
    def _on_opened(self, opened: tuple[Adjudicating, list[Judge], list[str]]) -> None:
        self._work, people, sets = opened
        self.pairs.offer_sets(sets)
        self.judge.show_people(people)
        self._on_judge()
        self.head.show_progress(self._work.progress())
        self._go_to(welcome(self._work) if self._work.current() else None)

    @Slot(str)
    def _on_not_opened(self, why: str) -> None:
        self._show_sheet(JudgingTexts(tr("Nothing to decide yet"), f"{why}.", guidelines=False))

    @Slot()
    def _on_judge(self) -> None:
        if self.judge.judge is None:
            return
        if self.message.text() == translated(_NAME_WANTED):
            self.message.setText("")
        if self._work is not None:
            self._work.adjudicator = self.judge.judge.name

    @Slot()
    def _on_judge_settled(self) -> None:
        """Give the keys to the pair, or to what is read."""
        self._page.setFocus(Qt.FocusReason.OtherFocusReason)

    def _go_to(self, words: JudgingTexts | None) -> None:
        """Shows a sheet: what is given, or else that all is decided."""
        assert self._work is not None  # noqa: S101 - there is something to be told of
        progress = self._work.progress()
        self._show_sheet(words or (end(self._work) if progress.asked else welcome(self._work)))

    def _show_sheet(self, words: JudgingTexts) -> None:
        super()._show_sheet(words)
        self.sheet.save.setVisible(False)
        self._tell_escape()
        if not words.go_on:
            self.head.save.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_pair(self, pair: Disputed, before: Decision | None = None) -> None:
        """Shows a pair, with the comment that it had before."""
        assert self._work is not None  # noqa: S101 - whose pair it is
        self._on_show = pair
        self._tell_escape()
        if before is not None and before.verdicts_shown:
            self._seen_verdicts.add(pair.number)
        self.said_pane.show_pair(pair)
        self._on_said()
        self._ask(self._work.turn(pair), before.note if before else "")

    @Slot()
    def _on_said(self) -> None:
        if self.said_pane.shows and self._on_show is not None:
            self._seen_verdicts.add(self._on_show.number)

    @Slot(str)
    def _on_answer(self, answer: str) -> None:
        work, pair = self._work, self._on_show
        if work is None or pair is None or not self._is_asking() or not self._somebody():
            return
        seen, note = self._seen(), self.pair.comment.text()
        shown = pair.number in self._seen_verdicts
        self._do(lambda at: decide(at, pair, answer, seen, note, verdicts_shown=shown), answer)

    def _somebody(self) -> bool:
        """Whether it is known who decides; asks for it if not."""
        if self.judge.judge is None:
            self.message.setText(translated(_NAME_WANTED))
            self.judge.name.setFocus(Qt.FocusReason.OtherFocusReason)
        return self.judge.judge is not None

    @Slot()
    def _on_skip(self) -> None:
        if self._aside is not None:
            self._come_back()  # the decision stays as it is
        elif self._work is not None and self._on_show is not None and self._is_asking():
            self._drafts[self._on_show.number] = self.pair.comment.text()
            pair = self._on_show
            self._do(lambda work: skip(work, pair), tr("put off"))

    def _may_move(self) -> bool:
        return self._is_open() and super()._may_move() and self._somebody()

    @Slot(object)
    def _on_kept(self, step: AdjudicationStep) -> None:
        """Goes on, as what was decided is on the disk."""
        self.message.setText(step.message)
        if not step.moved or self._work is None:
            return
        self.head.show_progress(self._work.progress())
        if self._aside is not None:
            self._come_back()
        elif step.pair is None:
            self._on_show = None
            self._go_to(None)
        else:
            self._show_pair(step.pair, step.before)

    def _go_on(self) -> None:
        pair = self._work.current() if self._work else None
        if pair is not None and self._somebody():
            self._show_pair(pair)

    @Slot()
    def _on_sheet_left(self) -> None:
        if self._reading:
            self._on_read()
        else:
            self.left.emit()

    def _list_answers(self) -> list[GivenAnswer]:
        assert self._work is not None  # noqa: S101 - whose decisions they are
        return list_decisions(self._work, self._find_waiting())

    def _find_waiting(self) -> Disputed | None:
        """Return the pair that is set aside while earlier decisions are looked at."""
        number = None if self._aside is None else self._aside.asked
        pairs = self._work.pairs if self._work else ()
        return next((pair for pair in pairs if pair.number == number), None)

    @Slot(object)
    def _on_chosen(self, pair: Disputed) -> None:
        """Show a pair again, with what was decided on it."""
        assert self._work is not None  # noqa: S101 - whose decision it is
        before = self._work.decided[pair.number]
        self._time_anew()
        self._show_pair(pair, before)
        self.message.setText(told_before(before.answer))

    @Slot()
    def _come_back(self) -> None:
        """Show again what was on show before earlier decisions were."""
        aside, work = self._aside, self._work
        if aside is None or work is None or self.writer.writing:
            return
        waiting = self._find_waiting()
        self._drop_aside()
        if aside.page is self.sheet or waiting is None:
            self._on_show = None
            self._go_to(welcome(work) if work.current() else None)
            return
        self._show_pair(waiting)
        self._take_up(aside)
