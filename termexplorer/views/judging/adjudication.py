"""The adjudication screen: pairs that are judged unlike are decided one by one, by key."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from termexplorer.questions import LatestQueryWorker
from termexplorer.services.studies.adjudicating import Adjudicating
from termexplorer.services.studies.adjudication import (
    WITHOUT_MAJORITY,
    Decision,
    Disputed,
    PairChoice,
)
from termexplorer.services.studies.judging import Seen
from termexplorer.services.verdicts.log import now
from termexplorer.services.verdicts.people import Judge
from termexplorer.store.judging.studies import KeptStudy
from termexplorer.texts import mark, tr, translated
from termexplorer.views.judging.adjudication_answers import SaidPane
from termexplorer.views.judging.adjudication_steps import (
    AdjudicationStep,
    decide,
    list_decisions,
    open_work,
    redo,
    skip,
    step_in_copy,
    undo,
)
from termexplorer.views.judging.adjudication_words import end, reading, told_before, welcome
from termexplorer.views.judging.head import JudgingHead
from termexplorer.views.judging.judge_box import JudgeBox
from termexplorer.views.judging.pair import MARGIN
from termexplorer.views.judging.pair_choice import PairChoiceBoxes
from termexplorer.views.judging.pair_screen import PairScreen
from termexplorer.views.judging.verdict_writer import PendingVerdict, VerdictWriter
from termexplorer.views.judging.words import JudgingTexts, guidelines
from termexplorer.views.widgets.keys import add_key
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.window.page import Shared

_VOTES = mark(
    "Whether “don't know” counts as a vote for none; else it is no vote, and more pairs have a "
    "majority"
)


class AdjudicationScreen(PairScreen):
    """Somebody decides pairs of a study: those without a majority, or others that are chosen.

    Signals:
        left: the user goes back to the studies.

    Attributes:
        head: the line above.
        judge: who decides.
        pairs: which pairs are decided.
        votes: whether "don't know" is a vote for none.
        said: what annotators said of a pair.
        told: what was kept last.
        writer: writes what is decided.
    """

    left = Signal()

    def __init__(
        self,
        shared: Shared,
        study: KeptStudy,
        choice: PairChoice = WITHOUT_MAJORITY,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(study.head, tr("My decisions"), shared.session, parent)
        self._shared, self._study = shared, study
        self._work: Adjudicating | None = None
        self._on_show: Disputed | None = None
        self._drafts: dict[int, str] = {}  # comments on pairs that are not decided yet
        self._seen: set[int] = set()  # pairs of which the verdicts were shown
        self._looked_up: set[int] = set()
        self._reading = False  # the guidelines, while something waits
        self._before: JudgingTexts | None = None  # what that is, unless it is a pair
        self.head = JudgingHead(tr("Adjudication: {title}", title=study.head.title))
        self.judge = JudgeBox(shared)
        self.pairs = PairChoiceBoxes(all_pairs=False)
        self.pairs.choose(choice)
        self.votes = QCheckBox(tr("“Don't know” is a vote for none"))
        self.said, self.told = SaidPane(shared), PlainLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self._opening = LatestQueryWorker(self)
        self.writer = VerdictWriter(
            shared.workspace, shared.notices, self, shared.errands.open_workspace.emit
        )
        self._lay_out()
        self._connect()
        self._add_keys()
        self.head.allow_guidelines(bool(study.head.guidelines.strip()))
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

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Takes the keys."""
        super().showEvent(event)
        if not event.spontaneous():
            self.entrance().setFocus(Qt.FocusReason.OtherFocusReason)

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
        self.head.answers.setText(tr("My decisions  F2"))
        self.head.answers.setToolTip(tr("Your decisions, to change one"))
        self.votes.setToolTip(translated(_VOTES))
        self.votes.setChecked(True)
        self.votes.setVisible(any(answer.value is None for answer in self._study.head.answers))
        self.told.setProperty("quiet", True)
        self.told.setTextFormat(Qt.TextFormat.PlainText)
        options = QHBoxLayout()
        options.setContentsMargins(MARGIN, 0, MARGIN, 8)
        options.setSpacing(16)
        options.addWidget(self.pairs)
        options.addWidget(self.votes)
        options.addWidget(self.judge, 1)
        for page in (self.sheet, self.said.put_below(self.pair), self.list):
            self._stack.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 12)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addLayout(options)
        column.addWidget(self._stack, 1)
        column.addWidget(self.told)

    def _connect(self) -> None:
        self.head.save.clicked.connect(self.left)
        self.head.guidelines.clicked.connect(self._on_guidelines)
        self.head.answers.clicked.connect(self._on_list)
        self.list.chosen.connect(self._on_chosen)
        self.list.left.connect(self._come_back)
        self.judge.changed.connect(self._on_judge)
        self.votes.toggled.connect(self._open)
        self.pairs.changed.connect(self._open)
        self.sheet.done.connect(self._on_read)
        self.pair.answered.connect(self._on_answer)
        self.pair.skipped.connect(self._on_skip)
        self.pair.undone.connect(self._on_undo)
        self.pair.look_up.used.connect(self._on_looked_up)
        self.pair.look_up.message_shown.connect(self.told.setText)
        self.said.toggled.connect(self._on_said)
        self._shared.theme.changed.connect(self.pair.cards.fit)
        self._guard.refused.connect(self.told.setText)
        self._opening.answered.connect(self._on_opened)
        self._opening.failed.connect(self._on_not_opened)
        self.writer.written.connect(self._on_kept)

    @Slot()
    def _tell_escape(self) -> None:
        """Say on the button that Esc leaves, where it does nothing else before."""
        leaves = self._aside is None and not self._reading
        self.head.save.setText(tr("Back to studies  Esc") if leaves else tr("Back to studies"))

    def _add_keys(self) -> None:
        self.pair.take_keys_in(self, self._guard)
        for keys, press in {
            "F2": self._on_list,
            "F11": self._on_full,
            "V": self.said.tick.click,
            "Ctrl+Z": self._on_undo,
            "Backspace": self._on_undo,
            "Ctrl+Shift+Z": self._on_redo,
        }.items():
            add_key(keys, self, partial(self._guard.press, press), once=True)
        add_key("Esc", self.sheet, self._on_sheet_left)

    @Slot()
    def _open(self) -> None:
        """Looks for the pairs, also when others are chosen, or other votes count."""
        self._work, self._on_show, self._aside, self._reading = None, None, None, False
        self._show_sheet(reading())
        self._opening.ask(
            partial(
                open_work, self._shared.workspace, self._study.id, self.pairs.to_decide,
                self.votes.isChecked(),
            )
        )  # fmt: skip

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
        if self._work is not None and self.judge.judge is not None:
            self._work.adjudicator = self.judge.judge.name

    def _go_to(self, words: JudgingTexts | None) -> None:
        """Shows a sheet: what is given, or else that all is decided."""
        assert self._work is not None  # noqa: S101 - there is something to be told of
        progress = self._work.progress()
        self._show_sheet(words or (end(self._work) if progress.asked else welcome(self._work)))

    def _show_sheet(self, words: JudgingTexts) -> None:
        self._words = words
        self._stack.setCurrentWidget(self.sheet)
        self.sheet.show_words(words)
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
            self._seen.add(pair.number)
        self.said.show_pair(pair)
        self._on_said()
        self._stack.setCurrentIndex(1)
        note = self._drafts.pop(pair.number, "") or (before.note if before else "")
        self.pair.show_turn(self._work.turn(pair), note)
        self._shown_at = now()
        self._clock.start()

    def _is_asking(self) -> bool:
        """Whether there is a pair on show that can be decided; says so if it is too soon."""
        shown = self._stack.currentIndex() == 1 and self._on_show is not None
        return (
            shown
            and not self.writer.writing
            and self._guard.allows_answer(self.pair.cards.drawn_at)
        )

    @Slot()
    def _on_said(self) -> None:
        if self.said.shows and self._on_show is not None:
            self._seen.add(self._on_show.number)

    @Slot()
    def _on_looked_up(self) -> None:
        self._clock.touch()
        if self._on_show is not None:
            self._looked_up.add(self._on_show.number)

    @Slot(str)
    def _on_answer(self, answer: str) -> None:
        work, pair = self._work, self._on_show
        if work is None or pair is None or not self._is_asking() or not self._somebody():
            return
        looked_up = pair.number in self._looked_up
        seen = Seen(self._shown_at, self._clock.active_ms, self._clock.wall_ms, looked_up)
        note, shown = self.pair.comment.text(), pair.number in self._seen
        self._do(lambda at: decide(at, pair, answer, seen, note, verdicts_shown=shown), answer)

    def _somebody(self) -> bool:
        """Whether it is known who decides; asks for it if not."""
        if self.judge.judge is None:
            self.told.setText(tr("Enter your name above"))
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

    @Slot()
    def _on_undo(self) -> None:
        self._move(undo, tr("taking back"))

    @Slot()
    def _on_redo(self) -> None:
        self._move(redo, tr("bringing back"))

    def _move(self, step: Callable[[Adjudicating], AdjudicationStep], named: str) -> None:
        if self._work is None or self.writer.writing or self._reading or not self._somebody():
            return
        if self._stack.currentWidget() is self.list:
            return
        if self._stack.currentIndex() == 1 and self._on_show is not None and self._aside is None:
            self._drafts[self._on_show.number] = self.pair.comment.text()
        self._aside = None
        self._do(step, named)

    def _do(self, step: Callable[[Adjudicating], AdjudicationStep], named: str) -> None:
        """Have a step taken; in a copy of the workspace, if it cannot be kept in this one."""
        work = self._work
        if work is not None:
            step_in = partial(step_in_copy, work, step)
            self.writer.write(PendingVerdict(named, partial(step, work), step_in))

    @Slot(object)
    def _on_kept(self, step: AdjudicationStep) -> None:
        """Goes on, as what was decided is on the disk."""
        self.told.setText(step.message)
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

    @Slot()
    def _on_read(self) -> None:
        pair = self._work.current() if self._work else None
        if self._reading and self._before is not None:
            self._reading, before, self._before = False, self._before, None
            self._show_sheet(before)
        elif self._reading:
            self._reading = False
            self._clock.touch()
            self._stack.setCurrentIndex(1)
            self.pair.setFocus(Qt.FocusReason.OtherFocusReason)
        elif pair is not None and self._somebody():
            self._show_pair(pair)

    @Slot()
    def _on_guidelines(self) -> None:
        page, pair_waits = self._stack.currentWidget(), self._stack.currentIndex() == 1
        if self._work is None or not self.head.guidelines.isEnabled() or page is self.list:
            return
        if self._reading:
            self._on_read()
        elif pair_waits or not self._words.guidelines:  # else they are on show
            self._before = None if pair_waits else self._words
            self._reading = True
            self._show_sheet(guidelines(self._study.head.question, pair_waits=pair_waits))

    @Slot()
    def _on_sheet_left(self) -> None:
        if self._reading:
            self._on_read()
        else:
            self.left.emit()

    @Slot()
    def _on_list(self) -> None:
        """Show what was decided, or go back from there."""
        if self.writer.writing or self._work is None:
            return
        if self._stack.currentWidget() is self.list:
            self._come_back()
            return
        self._set_aside(self._on_show)
        asked = self._aside.asked if self._aside else None
        waiting = asked if isinstance(asked, Disputed) else None
        self._stack.setCurrentWidget(self.list)
        self.list.show_answers(list_decisions(self._work, waiting))

    @Slot(object)
    def _on_chosen(self, pair: Disputed) -> None:
        """Show a pair again, with what was decided on it."""
        assert self._work is not None  # noqa: S101 - whose decision it is
        before = self._work.decided[pair.number]
        self._time_anew()
        self._show_pair(pair, before)
        self.told.setText(told_before(before.answer))

    @Slot()
    def _come_back(self) -> None:
        """Show again what was on show before earlier decisions were."""
        aside, work = self._aside, self._work
        if aside is None or work is None or self.writer.writing:
            return
        self._aside = None
        if aside.page is self.sheet or not isinstance(aside.asked, Disputed):
            self._on_show = None
            self._go_to(welcome(work) if work.current() else None)
            return
        self._drafts[aside.asked.number] = aside.note
        self._show_pair(aside.asked)
        self._take_up(aside)
