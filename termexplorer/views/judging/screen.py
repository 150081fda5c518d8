"""The judging screen: guidelines, practice, pairs, and the answers as a file; nothing else."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from termexplorer.services.signing.signatures import format_fingerprint
from termexplorer.services.studies.judging import SKIPPED, Judging, Seen, Turn
from termexplorer.services.verdicts.log import Answer, now
from termexplorer.texts import tr
from termexplorer.views.judging.answer_list import GivenAnswer
from termexplorer.views.judging.answers_file import AnswersFile
from termexplorer.views.judging.head import JudgingHead
from termexplorer.views.judging.pair_screen import PairScreen
from termexplorer.views.judging.steps import JudgingStep, change, judge, name_answer, redo, undo
from termexplorer.views.judging.verdict_writer import PendingVerdict, VerdictWriter
from termexplorer.views.judging.words import (
    JudgingTexts,
    end,
    guidelines,
    practice_over,
    shown_once,
    welcome,
)
from termexplorer.views.widgets.keys import add_key
from termexplorer.views.widgets.notices import NoticePanel, Notices
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.widgets.theme import Theme
from termexplorer.views.widgets.ui_state import UiState
from termexplorer.workspace import Workspace


class JudgingScreen(PairScreen):
    """Somebody judges the pairs of a study, one after the other.

    Args:
        workspace: where the verdicts go.
        judging: whose they are, and what is asked.
        theme: the look.
        session: what is chosen and kept.
        beside: a file beside which the answers are saved, unless told.

    Attributes:
        head: the line above.
        notice: what went wrong, if anything.
        notices: where errors are told.
        told: what was kept last.
        answers: the file of answers.
        writer: writes what is said.
    """

    def __init__(
        self,
        workspace: Workspace,
        judging: Judging,
        theme: Theme,
        session: UiState,
        beside: Path,
        parent: QWidget | None = None,
    ) -> None:
        study = judging.study.head
        super().__init__(study, tr("My answers"), session, parent)
        self._judging, self._where = judging, workspace.folder
        self._theme = theme
        self._next: Turn | None = None
        self._drafts: dict[Turn, str] = {}  # comments on pairs that have no answer yet
        self._looked_up: set[Turn | None] = set()
        self._changing: Turn | None = None  # the earlier answer that is on show
        self._reading = False  # the guidelines, while something waits
        self._before: JudgingTexts | None = None  # what that is, unless it is a pair
        self._after: Callable[[], None] | None = None  # what follows what was right in practice
        self.head = JudgingHead(study.title)
        self.notices = Notices(self)
        self.notice = NoticePanel(self.notices, theme)
        self.told = PlainLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self.told.setProperty("quiet", True)
        self.told.setTextFormat(Qt.TextFormat.PlainText)
        self.writer = VerdictWriter(workspace, self.notices, self)
        self.answers = AnswersFile(workspace, judging, session, beside, self.notices, self)
        self._lay_out()
        self._connect()
        self._add_keys()
        self.head.show_progress(judging.progress())
        self.head.allow_guidelines(bool(study.guidelines.strip()))
        self._next = judging.current()
        self._show_sheet(welcome(judging, self._where) if self._next else end(judging, self._where))

    def close_screen(self) -> None:
        """Waits for what is being written, and ends the threads."""
        self.writer.close_writer()
        self.answers.close_file()

    def tell_error(self, text: str) -> None:
        """Shows what went wrong."""
        self.notices.error(text)

    def tell_sender(self, author: str, doubt: str) -> None:
        """Show who signed the pack, and what is odd about it.

        Args:
            author: the public key; "" for an unsigned pack.
            doubt: a sentence; "" where there is none.
        """
        key = format_fingerprint(author)
        signed = tr("The pack is signed with the key {key}", key=key)
        self.told.setText(signed if key else tr("The pack is unsigned"))
        if doubt:
            self.notices.error(f"{doubt[:1].upper()}{doubt[1:]}")

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Takes the keys."""
        super().showEvent(event)
        if not event.spontaneous():
            self._page.setFocus(Qt.FocusReason.OtherFocusReason)

    def _lay_out(self) -> None:
        for page in (self.sheet, self.pair, self.list):
            self._stack.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self._stack, 1)
        column.addWidget(self.told)
        column.addSpacing(12)
        self.notice.lie_over(self, self.told)  # which tells what was kept

    def _connect(self) -> None:
        self.sheet.done.connect(self._on_read)
        self.sheet.save.clicked.connect(self.answers.save)
        self.head.save.clicked.connect(self.answers.save)
        self.head.guidelines.clicked.connect(self._on_guidelines)
        self.head.answers.clicked.connect(self._on_list)
        self.list.chosen.connect(self._on_chosen)
        self.list.left.connect(self._come_back)
        self.pair.answered.connect(self._on_answer)
        self.pair.skipped.connect(self._on_skip)
        self.pair.undone.connect(self._on_undo)
        self.pair.look_up.used.connect(self._on_looked_up)
        self.pair.look_up.message_shown.connect(self.told.setText)
        self._theme.changed.connect(self.pair.cards.fit)
        self._guard.refused.connect(self.told.setText)
        self.writer.written.connect(self._on_kept)

    def _add_keys(self) -> None:
        self.pair.take_keys_in(self, self._guard)
        for keys, press in {
            "F1": self._on_guidelines,
            "F2": self._on_list,
            "F11": self._on_full,
            "Ctrl+S": self.answers.save,
            "Ctrl+Z": self._on_undo,
            "Backspace": self._on_undo,
            "Ctrl+Shift+Z": self._on_redo,
        }.items():
            add_key(keys, self, partial(self._guard.press, press), once=True)
        add_key("Escape", self.pair, self._on_pair_left)

    def _show_sheet(self, words: JudgingTexts) -> None:
        self._words = words
        self._stack.setCurrentWidget(self.sheet)
        self.sheet.show_words(words)

    def _show_pair(self, turn: Turn, before: Answer | None) -> None:
        """Shows a pair, with what was said of it before."""
        if before and before.details["looked_up"]:
            self._looked_up.add(turn)
        note = self._drafts.pop(turn, "") or (before.note if before else "")
        self._stack.setCurrentWidget(self.pair)
        self.pair.show_turn(turn, note)
        self._shown_at = now()
        self._clock.start()

    def _seen(self) -> Seen:
        looked_up = self.pair.turn in self._looked_up
        return Seen(self._shown_at, self._clock.active_ms, self._clock.wall_ms, looked_up)

    def _is_asking(self) -> bool:
        """Whether there is a pair on show that can be answered; says so if it is too soon."""
        on_show = self._stack.currentWidget() is self.pair and self.pair.turn is not None
        return (
            on_show
            and not self.writer.writing
            and self._guard.allows_answer(self.pair.cards.drawn_at)
        )

    @Slot(str)
    def _on_answer(self, answer: str) -> None:
        turn = self.pair.turn
        if turn is not None and self._is_asking():
            keep = judge if self._changing is None else change
            note = self.pair.comment.text()
            seen = self._seen()
            self._do(lambda judging: keep(judging, turn, answer, seen, note), name_answer(answer))

    @Slot()
    def _on_skip(self) -> None:
        self._on_answer(SKIPPED)

    @Slot()
    def _on_looked_up(self) -> None:
        self._clock.touch()
        self._looked_up.add(self.pair.turn)

    @Slot()
    def _on_undo(self) -> None:
        self._move(undo, tr("taking back"))

    @Slot()
    def _on_redo(self) -> None:
        self._move(redo, tr("bringing back"))

    def _move(self, step: Callable[[Judging], JudgingStep], named: str) -> None:
        page, turn = self._stack.currentWidget(), self.pair.turn
        may = page is self.pair or (page is self.sheet and self._words.back)
        if self.writer.writing or not may:
            return
        if page is self.pair and turn is not None and self._aside is None:
            self._drafts[turn] = self.pair.comment.text()
        self._drop_aside()
        self._do(step, named)

    def _do(self, step: Callable[[Judging], JudgingStep], named: str) -> None:
        """Have a step taken; in a copy of the workspace, if it cannot be kept in this one."""
        study, annotator = self._judging.study.id, self._judging.annotator

        def step_in(copy: Workspace) -> JudgingStep:
            return step(Judging(copy, study, annotator))

        self.writer.write(PendingVerdict(named, partial(step, self._judging), step_in))

    @Slot(object)
    def _on_kept(self, step: JudgingStep) -> None:
        """Goes on, as what was said is on the disk."""
        if self.notice.isVisible():
            self.notice.dismiss()
        self.told.setText(step.message)
        if not step.moved:
            return
        self.head.show_progress(self._judging.progress())
        if self._changing is not None:
            self._next = self._next or step.turn
            self._come_back()
            return
        before, self._next = self.pair.turn, step.turn
        self._after = None
        if step.feedback is None:
            self._go_on(step, before)
        else:  # it goes with its pair: the next one comes when it was read
            self._after = partial(self._go_on, step, before)
            self.told.clear()
            self._show_sheet(step.feedback)

    def _go_on(self, step: JudgingStep, before: Turn | None) -> None:
        """Shows what comes after a pair: the next one, or a sheet between them."""
        if step.turn is None:
            self._show_sheet(end(self._judging, self._where))
            return
        progress = self._judging.progress()
        answer = self._judging.said.get(step.turn)
        if step.back or before is None:
            self._show_pair(step.turn, step.before or answer)
        elif before.practice and not step.turn.practice and not progress.judged:
            self._show_sheet(practice_over(progress))
        elif answer is not None and step.first:
            self._show_sheet(shown_once(progress))
        else:
            self._show_pair(step.turn, answer)

    @Slot()
    def _on_read(self) -> None:
        if self._reading and self._before is not None:
            self._reading, before, self._before = False, self._before, None
            self._show_sheet(before)
            return
        if self._reading:
            self._reading = False
            self._clock.touch()
            self._stack.setCurrentWidget(self.pair)
            self.pair.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        after, turn, self._after = self._after, self._next, None
        if after is not None:
            after()
        elif turn is not None:
            self._show_pair(turn, self._judging.said.get(turn))

    @Slot()
    def _on_guidelines(self) -> None:
        page, question = self._stack.currentWidget(), self._judging.study.head.question
        if not self.head.guidelines.isEnabled() or page is self.list:
            return
        if self._reading:
            self._on_read()
        elif page is self.pair or not self._words.guidelines:  # else they are on show
            self._before = None if page is self.pair else self._words
            self._reading = True
            self._show_sheet(guidelines(question, pair_waits=page is self.pair))

    @Slot()
    def _on_list(self) -> None:
        """Show what was answered, or go back from there."""
        if self.writer.writing:
            return
        if self._stack.currentWidget() is self.list:
            self._come_back()
            return
        self._set_aside(self._next)
        page = self._aside.page if self._aside else None
        self._changing, self._reading = None, self._reading and page is self.sheet
        answers, turns = self._judging.said, self._judging.changeable(self._next)
        given = [(turn, answers[turn]) for turn in turns]
        self._stack.setCurrentWidget(self.list)
        self.list.show_answers(
            [
                GivenAnswer(turn, turn.left, turn.right, name_answer(answer.answer), answer.note)
                for turn, answer in given
            ]
        )

    @Slot(object)
    def _on_chosen(self, turn: Turn) -> None:
        """Show a pair again, with what was said of it."""
        self._changing = turn
        self._time_anew()
        answer = self._judging.said[turn]
        self._show_pair(turn, answer)
        self.told.setText(
            tr(
                "Your answer: {answer}. Answer again to change it; Esc leaves it as it is.",
                answer=name_answer(answer.answer),
            )
        )

    @Slot()
    def _on_pair_left(self) -> None:
        if self._changing is not None and not self.writer.writing:
            self.told.clear()
            self._come_back()

    @Slot()
    def _come_back(self) -> None:
        """Show again what was on show before earlier answers were."""
        aside, turn = self._aside, self._next
        self._aside = self._changing = None
        if aside is None:
            return
        self._take_up(aside)
        if aside.page is self.pair and turn is not None:
            self._stack.setCurrentWidget(self.pair)
            self.pair.show_turn(turn, aside.note)
        elif self._words.save:  # what it tells may have changed
            ended = end(self._judging, self._where)
            self._show_sheet(shown_once(self._judging.progress()) if turn else ended)
        else:
            self._show_sheet(self._words)

    def _drop_aside(self) -> None:
        """Forget what was on show before, but for what was typed there."""
        if self._aside is not None and self._aside.page is self.pair and self._next is not None:
            self._drafts[self._next] = self._aside.note
        self._aside = self._changing = None
