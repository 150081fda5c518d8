"""A pair with its question: the terms, the answers, and what else can be done."""

from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from termexplorer.services.studies.judging import Turn
from termexplorer.services.studies.rows import LONGEST_NOTE
from termexplorer.services.verdicts.judging_keys import BACK, COMMENT, FULL_SCREEN, LATER, UNDO_TOO
from termexplorer.store.judging.studies import StudyHead
from termexplorer.texts import mark, tr, translated
from termexplorer.views.judging.answer_buttons import AnswerButtons
from termexplorer.views.judging.answer_guard import AnswerGuard, PauseTick
from termexplorer.views.judging.look_up import LookUpBar
from termexplorer.views.judging.term_cards import TermCards
from termexplorer.views.widgets.announcing import announce
from termexplorer.views.widgets.keys import add_key, text_with_key
from termexplorer.views.widgets.ui_state import UiState
from termexplorer.views.widgets.wrapped_label import WrappedLabel

_UNDO_TIP = mark("Undo the last answer (or Ctrl+Z); Ctrl+Shift+Z redoes it")
WIDEST, MARGIN, _PAGE = 1080, 24, 5


class JudgingPair(QWidget):
    """One pair, and a key for each thing that can be done with it.

    Signals:
        answered: an answer was given.
        skipped: it is to come back later.
        undone: what was said last is to be taken back.
        touched: somebody is at it.

    Attributes:
        turn: the pair on show, or None.
        cards: its terms.
        answers: the buttons of the answers.
        hints: what is said of the answers while practising.
        comment: what is kept with the answer.
        undo: the button that takes back.
        skip: the button that puts off.
        look_up: where terms are looked up.
        full: the button that fills the screen.
        pause: whether an answer counts only after a pause.
    """

    answered = Signal(str)
    skipped = Signal()
    undone = Signal()
    touched = Signal()

    def __init__(self, head: StudyHead, session: UiState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.turn: Turn | None = None
        self._question = WrappedLabel()
        self._question.setProperty("quiet", True)
        self._question.show_text(head.question)
        self.cards, self.answers = TermCards(), AnswerButtons(head.answers)
        self.undo = _tool_button(text_with_key(tr("Undo"), UNDO_TOO), translated(_UNDO_TIP))
        self.skip = _tool_button(
            text_with_key(tr("Later"), LATER), tr("Asked again after all others")
        )
        self.note = _tool_button(text_with_key(tr("Comment"), COMMENT), tr("Kept with your answer"))
        self.full = _tool_button(text_with_key(tr("Full screen"), FULL_SCREEN), tr("And back"))
        self.pause = PauseTick(session)
        self.comment = QLineEdit(maxLength=LONGEST_NOTE, clearButtonEnabled=True)
        self.comment.setPlaceholderText(tr("Comment, kept with your answer; Enter goes back"))
        self.comment.setAccessibleName(tr("Comment"))
        self.comment.hide()
        self.hints = WrappedLabel()
        self.hints.setProperty("quiet", True)
        hint_lines = (f"{answer.answer}: {answer.hint}" for answer in head.answers if answer.hint)
        self.hints.show_text("\n".join(hint_lines))
        self.hints.hide()
        self.look_up = LookUpBar(head.look_up)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._lay_out()
        self._connect()

    def show_turn(self, turn: Turn, note: str) -> None:
        """Shows a pair, with the comment that it had before."""
        self.turn = turn
        self.cards.show_terms(turn.left, turn.right)
        self.look_up.show_terms(turn.left, turn.right)
        self.comment.setText(note)
        self.comment.setVisible(bool(note))
        self.hints.setVisible(turn.practice and bool(self.hints.text()))
        description = f"{turn.left}. {turn.right}. {self._question.text()} {self.answers.keys_text}"
        if not self.hints.isHidden():
            description = f"{description}. {self.hints.text()}"
        self.setAccessibleName(tr("Pair"))
        self.setAccessibleDescription(description)
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        announce(self, f"{turn.left}. {turn.right}.")

    def take_keys_in(self, screen: QWidget, guard: AnswerGuard) -> None:
        """Have the keys of the buttons work wherever the focus is, once each time.

        Args:
            screen: where they work.
            guard: tells which presses count.
        """
        answers = {LATER: self.skip}
        for answer, keys in self.answers.keys.items():
            answers |= dict.fromkeys(keys, self.answers.buttons[answer])
        tools = {COMMENT: self.note, **self.look_up.keys}
        for buttons, press in ((answers, guard.press_answer), (tools, guard.press)):
            for key, button in buttons.items():
                add_key(key, screen, partial(press, partial(self._click, button)), once=True)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Scrolls where there is more of a term than fits."""
        steps = {
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_PageDown: _PAGE,
            Qt.Key.Key_PageUp: -_PAGE,
        }.get(Qt.Key(event.key()), 0)
        self.cards.scroll_by(steps)
        self.touched.emit()
        if not steps:
            super().keyPressEvent(event)

    def _lay_out(self) -> None:
        tools = QHBoxLayout()
        tools.setSpacing(8)
        tools.addStretch(1)
        for button in (self.undo, self.note, self.skip, self.full, self.pause):
            tools.addWidget(button)
        tools.addStretch(1)
        middle = QWidget()
        middle.setMaximumWidth(WIDEST)
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addStretch(1)
        column.addWidget(self._question)
        column.addWidget(self.cards, 1000)
        column.addWidget(self.answers)
        column.addWidget(self.hints)
        column.addWidget(self.comment)
        column.addWidget(self.look_up)
        column.addLayout(tools)
        column.addStretch(1)
        whole = QHBoxLayout(self)
        whole.setContentsMargins(MARGIN, 0, MARGIN, 0)
        whole.addStretch()
        whole.addWidget(middle, 1000)
        whole.addStretch()

    def _connect(self) -> None:
        self.answers.answered.connect(self.answered)
        self.skip.clicked.connect(self.skipped)
        self.undo.clicked.connect(self.undone)
        self.note.clicked.connect(self._on_note)
        self.comment.textEdited.connect(self.touched)
        self.comment.returnPressed.connect(self._on_noted)
        add_key(BACK, self.comment, self._on_noted)

    def _click(self, button: QPushButton) -> None:
        if self.isVisible():
            button.click()

    @Slot()
    def _on_note(self) -> None:
        self.comment.show()
        self.comment.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.touched.emit()

    @Slot()
    def _on_noted(self) -> None:
        self.comment.setVisible(bool(self.comment.text()))
        self.setFocus(Qt.FocusReason.OtherFocusReason)


def _tool_button(text: str, tip: str) -> QPushButton:
    button = QPushButton(text)
    button.setToolTip(tip)
    button.setProperty("quiet", True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button
