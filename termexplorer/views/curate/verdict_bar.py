"""The keys of a review: four verdicts, a note, undo and redo."""

from functools import partial
from string import ascii_uppercase

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QWidget

from termexplorer.services.verdicts.log import ANSWER_WORDS, ANSWERS
from termexplorer.texts import mark, tr, translated
from termexplorer.views.judging.answer_guard import AnswerGuard
from termexplorer.views.widgets.keys import add_key

_SIGNS = {"correct": "✓", "wrong": "✗", "unsure": "?", "later": "↷"}
_UNDO = mark("Takes your last verdict back (Ctrl+Z)")
_REDO = mark("Brings back what you took back (Ctrl+Shift+Z)")
_GAP = 8
_NOTE_KEY = "N"


def answer_title(answer: str) -> str:
    """What one of `ANSWERS` is called at the start of a text."""
    return translated(ANSWER_WORDS[answer]).capitalize()


def verdict_keys() -> dict[str, str]:
    """Return the key of each of `ANSWERS`: its first letter in the language of the window."""
    titles = {answer: answer_title(answer) for answer in ANSWERS}
    letters = {answer: title[0].upper() for answer, title in titles.items()}
    sound = all(letter in ascii_uppercase for letter in letters.values())
    if not sound or len({*letters.values(), _NOTE_KEY}) <= len(letters):
        return {answer: answer[0].upper() for answer in ANSWERS}
    return letters


class VerdictBar(QWidget):
    """Buttons, each with its key.

    Signals:
        answered: one of `ANSWERS` was given.
        undone: the last verdict is to be taken back.
        redone: what was taken back is to be brought back.
        noted: the note was entered.
        left: the note was left as it is, by Escape.
    """

    answered = Signal(str)
    undone = Signal()
    redone = Signal()
    noted = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons = {answer: QPushButton() for answer in ANSWERS}
        for answer, key in verdict_keys().items():
            button = self.buttons[answer]
            button.setText(f"{_SIGNS[answer]}  {answer_title(answer)}  ({key})")
            button.setMinimumSize(QSize(0, button.sizeHint().height() + _GAP))
            button.clicked.connect(partial(self.answered.emit, answer))
        self.note = QLineEdit(placeholderText=tr("Note (N)"), clearButtonEnabled=True)
        self.note.setAccessibleName(tr("Note"))
        self.note.setToolTip(
            tr("Kept with the next verdict; Enter adds it to the one that is there")
        )
        self.note.returnPressed.connect(self.noted)
        add_key("Escape", self.note, self.left.emit)
        self.undo, self.redo = QPushButton(tr("Undo")), QPushButton(tr("Redo"))
        self.undo.clicked.connect(self.undone)
        self.redo.clicked.connect(self.redone)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP)
        for button in self.buttons.values():
            row.addWidget(button)
        row.addWidget(self.note, 1)
        row.addWidget(self.undo)
        row.addWidget(self.redo)

    def take_keys_in(self, page: QWidget, guard: AnswerGuard, *parts: QWidget) -> None:
        """Have the keys work where nothing is typed, once each time that they are pressed.

        Args:
            page: where verdicts are taken and brought back.
            guard: tells which presses count.
            parts: of it, where they are given.
        """
        keys = {key: self.buttons[answer] for answer, key in verdict_keys().items()}
        for part in parts:
            add_key(_NOTE_KEY, part, self._on_note)
            for key, button in keys.items():
                add_key(key, part, partial(guard.press_answer, button.click), once=True)
        for key, button in {"Ctrl+Z": self.undo, "Ctrl+Shift+Z": self.redo}.items():
            add_key(key, page, partial(guard.press, button.click), once=True)

    def allow(self, why_not: str, nobody: str) -> None:
        """Offers verdicts, or says why there can be none; undo and redo, or why nobody can."""
        for widget in (*self.buttons.values(), self.note):
            widget.setEnabled(not why_not)
        for answer, button in self.buttons.items():
            then = tr("{answer}, and on to the next one", answer=answer_title(answer))
            button.setToolTip(why_not or then)
        for button, tip in ((self.undo, _UNDO), (self.redo, _REDO)):
            button.setEnabled(not nobody)
            button.setToolTip(nobody or translated(tip))

    @Slot()
    def _on_note(self) -> None:
        self.note.setFocus(Qt.FocusReason.ShortcutFocusReason)
