"""The judging screen: guidelines, practice, pairs, and the answers as a file; nothing else."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QStackedWidget, QVBoxLayout, QWidget

from termexplorer.questions import Questions
from termexplorer.services.judging import SKIPPED, Judging, Seen, Turn
from termexplorer.services.verdicts import Answer, now
from termexplorer.texts import tr
from termexplorer.views.answer_guard import AnswerGuard
from termexplorer.views.answers_file import AnswersFile
from termexplorer.views.attention_clock import AttentionClock
from termexplorer.views.judging_head import JudgingHead
from termexplorer.views.judging_pair import JudgingPair
from termexplorer.views.judging_sheet import JudgingSheet
from termexplorer.views.judging_steps import Step, judge, redo, undo
from termexplorer.views.judging_words import (
    Words,
    end,
    guidelines,
    practice_over,
    shown_once,
    welcome,
)
from termexplorer.views.keys import add_key
from termexplorer.views.notices import Notice, NoticePanel, Notices
from termexplorer.views.session import Session
from termexplorer.views.theme import Theme
from termexplorer.workspace import Workspace


class JudgingScreen(QWidget):
    """Somebody judges the pairs of a study, one after the other.

    Args:
        workspace: where the verdicts go.
        judging: whose they are, and what is asked.
        theme: the look.
        session: what is chosen and kept.
        beside: a file beside which the answers are saved, unless told.

    Attributes:
        head: the line above.
        sheet: what is read between pairs.
        pair: a pair.
        notice: what went wrong, if anything.
        notices: where errors are told.
        told: what was kept last.
        answers: the file of answers.
        writing: whether something is on its way to the disk.
    """

    def __init__(
        self,
        workspace: Workspace,
        judging: Judging,
        theme: Theme,
        session: Session,
        beside: Path,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("judging")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._judging, self._where = judging, workspace.folder
        self._theme, self._clock = theme, AttentionClock()
        self._shown_at = ""
        self._next: Turn | None = None
        self._drafts: dict[Turn, str] = {}  # comments on pairs that have no answer yet
        self._looked_up: set[Turn | None] = set()
        self._work: Callable[[], Step] | None = None
        self._reading = False  # the guidelines, while a pair waits
        self.writing = False
        study = judging.study.head
        self.head = JudgingHead(study.title)
        self.sheet, self.pair = JudgingSheet(study.guidelines), JudgingPair(study, session)
        self.notices = Notices(self)
        self.notice = NoticePanel(self.notices, theme)
        self.told = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self.told.setProperty("quiet", True)
        self.told.setTextFormat(Qt.TextFormat.PlainText)
        self._guard = AnswerGuard(self, session)
        self._keeping = Questions(self)
        self.answers = AnswersFile(workspace, judging, beside, self.notices, self)
        self._lay_out()
        self._connect()
        self._add_keys()
        self.head.show_progress(judging.progress())
        self._next = judging.current()
        self._show_sheet(welcome(judging, self._where) if self._next else end(judging, self._where))

    def close_screen(self) -> None:
        """Waits for what is being written, and ends the threads."""
        self._keeping.close()
        self.answers.close_file()

    def tell_error(self, text: str) -> None:
        """Shows what went wrong."""
        self.notices.error(text)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Takes the keys."""
        super().showEvent(event)
        if not event.spontaneous():
            shown = self.sheet if self._stack.currentWidget() is self.sheet else self.pair
            shown.setFocus(Qt.FocusReason.OtherFocusReason)

    def event(self, event: QEvent) -> bool:
        """Counts no time while another window is looked at."""
        if event.type() in (QEvent.Type.WindowActivate, QEvent.Type.WindowDeactivate):
            self._clock.be_there(event.type() == QEvent.Type.WindowActivate)
        return super().event(event)

    def _lay_out(self) -> None:
        self._stack = QStackedWidget()
        self._stack.addWidget(self.sheet)
        self._stack.addWidget(self.pair)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self._stack, 1)
        column.addWidget(self.told)
        column.addSpacing(12)
        column.addWidget(self.notice)

    def _connect(self) -> None:
        self.sheet.done.connect(self._on_read)
        self.sheet.save.clicked.connect(self.answers.save)
        self.head.save.clicked.connect(self.answers.save)
        self.head.guidelines.clicked.connect(self._on_guidelines)
        self.pair.answered.connect(self._on_answer)
        self.pair.skipped.connect(self._on_skip)
        self.pair.undone.connect(self._on_undo)
        self.pair.touched.connect(self._clock.touch)
        self.pair.look_up.used.connect(self._on_looked_up)
        self.pair.full.clicked.connect(self._on_full)
        self._theme.changed.connect(self.pair.cards.fit)
        self._guard.refused.connect(self.told.setText)
        self._keeping.answered.connect(self._on_kept)
        self._keeping.failed.connect(self._on_not_kept)

    def _add_keys(self) -> None:
        self.pair.take_keys_in(self, self._guard)
        for keys, press in {
            "F1": self._on_guidelines,
            "F11": self._on_full,
            "Ctrl+S": self.answers.save,
            "Ctrl+Z": self._on_undo,
            "Backspace": self._on_undo,
            "Ctrl+Shift+Z": self._on_redo,
        }.items():
            add_key(keys, self, partial(self._guard.press, press), once=True)

    def _show_sheet(self, words: Words) -> None:
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
        return on_show and not self.writing and self._guard.allows_answer(self.pair.cards.drawn_at)

    @Slot(str)
    def _on_answer(self, answer: str) -> None:
        turn = self.pair.turn
        if turn is not None and self._is_asking():
            note = self.pair.comment.text()
            self._do(partial(judge, self._judging, turn, answer, self._seen(), note))

    @Slot()
    def _on_skip(self) -> None:
        self._on_answer(SKIPPED)

    @Slot()
    def _on_looked_up(self) -> None:
        self._clock.touch()
        self._looked_up.add(self.pair.turn)

    @Slot()
    def _on_undo(self) -> None:
        self._move(undo)

    @Slot()
    def _on_redo(self) -> None:
        self._move(redo)

    def _move(self, step: Callable[[Judging], Step]) -> None:
        if self.writing or not (self._stack.currentWidget() is self.pair or self._words.back):
            return
        if self._stack.currentWidget() is self.pair and self.pair.turn is not None:
            self._drafts[self.pair.turn] = self.pair.comment.text()
        self._do(partial(step, self._judging))

    def _do(self, work: Callable[[], Step]) -> None:
        self.writing = True
        self._work = work
        self._keeping.ask(work)

    @Slot(object)
    def _on_kept(self, step: Step) -> None:
        """Goes on, as what was said is on the disk."""
        self.writing = False
        if self.notice.isVisible():
            self.notice.dismiss()
        self.told.setText(step.told)
        if not step.moved:
            return
        progress = self._judging.progress()
        self.head.show_progress(progress)
        before, self._next = self.pair.turn, step.turn
        if step.turn is None:
            self._show_sheet(end(self._judging, self._where))
            return
        said = self._judging.said.get(step.turn)
        if step.back or before is None:
            self._show_pair(step.turn, step.before or said)
        elif before.practice and not step.turn.practice and not progress.judged:
            self._show_sheet(practice_over(progress))
        elif said is not None and step.first:
            self._show_sheet(shown_once(progress))
        else:
            self._show_pair(step.turn, said)

    @Slot(str)
    def _on_not_kept(self, why: str) -> None:
        """Leaves the pair where it is, to be tried again."""
        self.writing = False
        text = tr("Not kept yet: {why}. The pair stays here, and all before it is kept.", why=why)
        self.notices.told.emit(Notice(text, True, tr("Try again"), self._on_again))

    @Slot()
    def _on_again(self) -> None:
        if self._work is not None and not self.writing:
            self._do(self._work)

    @Slot()
    def _on_read(self) -> None:
        turn = self._next
        if turn is None:
            return
        if self._reading:
            self._reading = False
            self._clock.touch()
            self._stack.setCurrentWidget(self.pair)
            self.pair.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self._show_pair(turn, self._judging.said.get(turn))

    @Slot()
    def _on_guidelines(self) -> None:
        if self._reading:
            self._on_read()
        elif self._stack.currentWidget() is self.pair:
            self._show_sheet(guidelines(self._judging.study.head.question))
            self._reading = True

    @Slot()
    def _on_full(self) -> None:
        window = self.window()
        window.setWindowState(window.windowState() ^ Qt.WindowState.WindowFullScreen)
