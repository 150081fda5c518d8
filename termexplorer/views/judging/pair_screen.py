"""The base of the screens on which pairs are answered one after another."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from termexplorer.services.verdicts.judging_keys import (
    FULL_SCREEN,
    GIVEN_ANSWERS,
    REDO,
    UNDO,
    UNDO_TOO,
)
from termexplorer.store.judging.studies import StudyHead
from termexplorer.texts import tr
from termexplorer.views.judging.answer_guard import AnswerGuard
from termexplorer.views.judging.answer_list import GivenAnswer
from termexplorer.views.judging.head import JudgingHead
from termexplorer.views.judging.timed_screen import TimedScreen
from termexplorer.views.judging.verdict_writer import PendingVerdict, VerdictWriter
from termexplorer.views.judging.words import JudgingTexts, guidelines
from termexplorer.views.widgets.keys import add_key
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.widgets.theme import Theme
from termexplorer.views.widgets.ui_state import UiState


class PairScreen(TimedScreen):
    """Asks about pairs by key; guidelines and earlier answers can be looked at meanwhile.

    A subclass makes the writer, lays the widgets out, and calls `_connect` and `_add_keys`.

    Args:
        study: what is asked.
        heading: stands above.
        answers: what the list of earlier answers is called.
        session: what is chosen and kept.
        theme: the look.

    Attributes:
        head: the line above.
        told: what was kept last.
        writer: writes what is said.
    """

    writer: VerdictWriter
    _undo_step: Callable[[Any], object]
    _redo_step: Callable[[Any], object]

    def __init__(
        self,
        study: StudyHead,
        heading: str,
        answers: str,
        session: UiState,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(study, answers, session, parent)
        self._study_head, self._theme = study, theme
        self._guard = AnswerGuard(self, session)
        self._work: Any = None  # whose pairs they are, and what was said of them
        self._reading = False  # the guidelines, while something waits
        self._before: JudgingTexts | None = None  # what that is, unless it is a pair
        self.head = JudgingHead(heading)
        self.head.allow_guidelines(bool(study.guidelines.strip()))
        self.message = PlainLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self.message.setProperty("quiet", True)
        self.message.setTextFormat(Qt.TextFormat.PlainText)

    @abstractmethod
    def _on_answer(self, answer: str) -> None:
        """Keep an answer to the pair on show."""

    @abstractmethod
    def _on_skip(self) -> None:
        """Put the pair on show off."""

    @abstractmethod
    def _on_kept(self, step: Any) -> None:
        """Go on, as what was said is on the disk."""

    @abstractmethod
    def _go_on(self) -> None:
        """Go on from a sheet that was read."""

    @abstractmethod
    def _list_answers(self) -> Sequence[GivenAnswer]:
        """Return what was answered and may be changed, as the list comes up."""

    @abstractmethod
    def _on_chosen(self, chosen: Any) -> None:
        """Show a pair of the list again, with what was said of it."""

    @abstractmethod
    def _come_back(self) -> None:
        """Show again what was on show before earlier answers were."""

    def _is_open(self) -> bool:
        """Return whether there is anything to ask or list."""
        return self._work is not None

    def _connect(self) -> None:
        self.sheet.done.connect(self._on_read)
        self.head.guidelines.clicked.connect(self._on_guidelines)
        self.head.answers.clicked.connect(self._on_list)
        self.list.chosen.connect(self._on_chosen)
        self.list.left.connect(self._come_back)
        self.pair.answered.connect(self._on_answer)
        self.pair.skipped.connect(self._on_skip)
        self.pair.undone.connect(self._on_undo)
        self.pair.look_up.message_shown.connect(self.message.setText)
        self._theme.changed.connect(self.pair.cards.fit)
        self._guard.refused.connect(self.message.setText)
        self.writer.written.connect(self._on_kept)

    def _add_keys(self, further: Mapping[str, Callable[[], None]]) -> None:
        """Add the keys of both screens, and further ones."""
        self.pair.take_keys_in(self, self._guard)
        keys = {
            GIVEN_ANSWERS: self._on_list,
            FULL_SCREEN: self._on_full,
            UNDO: self._on_undo,
            UNDO_TOO: self._on_undo,
            REDO: self._on_redo,
        }
        for key, press in {**keys, **further}.items():
            add_key(key, self, partial(self._guard.press, press), once=True)

    def _show_sheet(self, words: JudgingTexts) -> None:
        self._words = words
        self._stack.setCurrentWidget(self.sheet)
        self.sheet.show_words(words)

    def _is_asking(self) -> bool:
        """Return whether there is a pair on show that can be answered; say so if it is too soon."""
        return (
            self._shows_pair
            and self._asked is not None
            and not self.writer.writing
            and self._guard.allows_answer(self.pair.cards.drawn_at)
        )

    def _may_move(self) -> bool:
        """Return whether something can be taken back or brought back now."""
        on_sheet = self._page is self.sheet and self._words.back
        return not self.writer.writing and (self._shows_pair or on_sheet)

    def _do(self, step: Callable[[Any], object], named: str) -> None:
        """Have a step taken; in a copy of the workspace, if it cannot be kept in this one."""
        if self._is_open():
            self.writer.write(PendingVerdict.of(self._work, step, named))

    @Slot()
    def _on_undo(self) -> None:
        if self._may_move():
            self._leave_page()
            self._do(self._undo_step, tr("taking back"))

    @Slot()
    def _on_redo(self) -> None:
        if self._may_move():
            self._leave_page()
            self._do(self._redo_step, tr("bringing back"))

    @Slot()
    def _on_list(self) -> None:
        """Show what was answered, or go back from there."""
        if self.writer.writing or not self._is_open():
            return
        if self._page is self.list:
            self._come_back()
            return
        self._set_aside()
        given = self._list_answers()
        self._stack.setCurrentWidget(self.list)
        self.list.show_answers(given)

    @Slot()
    def _on_read(self) -> None:
        """Go back to what waited while the guidelines were read, or else go on."""
        if not self._reading:
            self._go_on()
            return
        self._reading, before, self._before = False, self._before, None
        if before is not None:
            self._show_sheet(before)
        else:
            self._clock.touch()
            self._stack.setCurrentWidget(self._pair_page)
            self.pair.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _on_guidelines(self) -> None:
        """Show the guidelines, or go back from there."""
        may = self._is_open() and self.head.guidelines.isEnabled()
        if not may or self._page is self.list:
            return
        if self._reading:
            self._on_read()
        elif self._shows_pair or not self._words.guidelines:  # else they are on show
            pair_waits = self._shows_pair
            self._before = None if pair_waits else self._words
            self._reading = True
            self._show_sheet(guidelines(self._study_head.question, pair_waits=pair_waits))
