"""The judging screen: guidelines, practice, pairs, and the answers as a file; nothing else."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from termexplorer.services.signing.signatures import format_fingerprint
from termexplorer.services.studies.judging import SKIPPED, Judging, Turn
from termexplorer.services.verdicts.judging_keys import BACK, GUIDELINES, SAVE
from termexplorer.services.verdicts.log import Answer
from termexplorer.texts import tr
from termexplorer.views.judging.answer_list import GivenAnswer
from termexplorer.views.judging.answers_file import AnswersFile
from termexplorer.views.judging.pair_screen import PairScreen
from termexplorer.views.judging.steps import JudgingStep, change, judge, name_answer, redo, undo
from termexplorer.views.judging.verdict_writer import VerdictWriter
from termexplorer.views.judging.words import (
    end,
    practice_over,
    shown_once,
    welcome,
)
from termexplorer.views.widgets.keys import add_key
from termexplorer.views.widgets.notices import NoticePanel, Notices
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
        notice: what went wrong, if anything.
        notices: where errors are told.
        answers: the file of answers.
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
        super().__init__(study, study.title, tr("My answers"), session, theme, parent)
        self._work: Judging = judging
        self._undo_step, self._redo_step = undo, redo
        self._where = workspace.folder
        self._next: Turn | None = None
        self._changing: Turn | None = None  # the earlier answer that is on show
        self._after: Callable[[], None] | None = None  # what follows what was right in practice
        self.notices = Notices(self)
        self.notice = NoticePanel(self.notices, theme)
        self.writer = VerdictWriter(workspace, self.notices, self)
        self.answers = AnswersFile(workspace, judging, session, beside, self.notices, self)
        self._lay_out()
        self._connect()
        self._add_keys({GUIDELINES: self._on_guidelines, SAVE: self.answers.save})
        add_key(BACK, self.pair, self._on_pair_left)
        self.head.show_progress(judging.progress())
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
        self.message.setText(signed if key else tr("The pack is unsigned"))
        if doubt:
            self.notices.error(f"{doubt[:1].upper()}{doubt[1:]}")

    @property
    def _asked(self) -> Turn | None:
        return self._changing or self._next

    def _lay_out(self) -> None:
        self._fill_stack(self.pair)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self._stack, 1)
        column.addWidget(self.message)
        column.addSpacing(12)
        self.notice.lie_over(self, self.message)  # which tells what was kept

    def _connect(self) -> None:
        super()._connect()
        self.sheet.save.clicked.connect(self.answers.save)
        self.head.save.clicked.connect(self.answers.save)

    def _show_pair(self, turn: Turn, before: Answer | None) -> None:
        """Shows a pair, with what was said of it before."""
        if before and before.details["looked_up"]:
            self._looked_up.add(turn)
        self._ask(turn, before.note if before else "")

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

    @Slot(object)
    def _on_kept(self, step: JudgingStep) -> None:
        """Goes on, as what was said is on the disk."""
        if self.notice.isVisible():
            self.notice.dismiss()
        self.message.setText(step.message)
        if not step.moved:
            return
        self.head.show_progress(self._work.progress())
        if self._changing is not None:
            self._next = self._next or step.turn
            self._come_back()
            return
        before, self._next = self.pair.turn, step.turn
        self._after = None
        if step.feedback is None:
            self._show_next(step, before)
        else:  # it goes with its pair: the next one comes when it was read
            self._after = partial(self._show_next, step, before)
            self.message.clear()
            self._show_sheet(step.feedback)

    def _show_next(self, step: JudgingStep, before: Turn | None) -> None:
        """Shows what comes after a pair: the next one, or a sheet between them."""
        if step.turn is None:
            self._show_sheet(end(self._work, self._where))
            return
        progress = self._work.progress()
        answer = self._work.said.get(step.turn)
        if step.back or before is None:
            self._show_pair(step.turn, step.before or answer)
        elif before.practice and not step.turn.practice and not progress.judged:
            self._show_sheet(practice_over(progress))
        elif answer is not None and step.first:
            self._show_sheet(shown_once(progress))
        else:
            self._show_pair(step.turn, answer)

    def _go_on(self) -> None:
        after, turn, self._after = self._after, self._next, None
        if after is not None:
            after()
        elif turn is not None:
            self._show_pair(turn, self._work.said.get(turn))

    def _list_answers(self) -> list[GivenAnswer]:
        reads_still = self._aside is not None and self._aside.page is self.sheet
        self._changing, self._reading = None, self._reading and reads_still
        turns = self._work.changeable(self._next)
        given = [(turn, self._work.said[turn]) for turn in turns]
        return [
            GivenAnswer(turn, turn.left, turn.right, name_answer(answer.answer), answer.note)
            for turn, answer in given
        ]

    @Slot(object)
    def _on_chosen(self, turn: Turn) -> None:
        """Show a pair again, with what was said of it."""
        self._changing = turn
        self._time_anew()
        answer = self._work.said[turn]
        self._show_pair(turn, answer)
        self.message.setText(
            tr(
                "Your answer: {answer}. Answer again to change it; Esc leaves it as it is.",
                answer=name_answer(answer.answer),
            )
        )

    @Slot()
    def _on_pair_left(self) -> None:
        if self._changing is not None and not self.writer.writing:
            self.message.clear()
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
            ended = end(self._work, self._where)
            self._show_sheet(shown_once(self._work.progress()) if turn else ended)
        else:
            self._show_sheet(self._words)

    def _drop_aside(self) -> None:
        super()._drop_aside()
        self._changing = None
