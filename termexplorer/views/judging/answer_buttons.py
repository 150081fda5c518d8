"""The answers of a study as buttons, each with its keys."""

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLayout, QPushButton, QSizePolicy, QWidget

from termexplorer.plain_text import plain_tip
from termexplorer.services.studies.answer_lines import TAKEN_KEYS
from termexplorer.store.judging.studies import AnswerChoice
from termexplorer.texts import tr

_DIGITS = "0123456789"
_GAP = 8


def answer_keys(choices: Sequence[AnswerChoice]) -> Mapping[str, tuple[str, ...]]:
    """The keys of each answer: its own, else its number, and its first letter where that tells.

    Where answers are numbers themselves, these are their keys, and no other number is one: 1 is
    never the key of "0".
    """
    answers = [each.answer for each in choices]
    given = {each.key for each in choices if each.key}
    digits = {each for each in answers if len(each) == 1 and each in _DIGITS}
    first = [each[0].upper() for each in answers]
    keys: dict[str, tuple[str, ...]] = {}
    for number, (choice, letter) in enumerate(zip(choices, first, strict=True), 1):
        own = [] if digits or number > 9 else [str(number)]
        if choice.answer in digits:
            own = [choice.answer]
        elif letter.isalpha() and first.count(letter) == 1 and letter not in TAKEN_KEYS:
            own.append(letter)
        free = (each for each in own if each not in given)
        keys[choice.answer] = (choice.key,) if choice.key else tuple(free)
    return keys


class AnswerButtons(QWidget):
    """A button for each answer, in as many rows as it takes.

    Signals:
        answered: one of the answers was given.

    Attributes:
        buttons: by their answers.
        keys: of the answers.
    """

    answered = Signal(str)

    def __init__(self, choices: Sequence[AnswerChoice], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.keys = answer_keys(choices)
        self.buttons: dict[str, QPushButton] = {}
        self._grid = QGridLayout(self)
        self._grid.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(_GAP)
        for each in choices:
            self.buttons[each.answer] = button = QPushButton(
                _button_label(each, self.keys[each.answer])
            )
            button.setProperty("large", True)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.setToolTip(
                plain_tip(tr("{answer}, and on to the next pair", answer=_choice_text(each)))
            )
            button.setAccessibleName(_choice_text(each))
            button.clicked.connect(partial(self.answered.emit, each.answer))
        self._columns = 0
        self._arrange(len(self.buttons))

    @property
    def told(self) -> str:
        """The answers with their keys, to be read aloud."""
        return ", ".join(
            f"{keys[0]} {answer}" if keys and keys[0] != answer else answer
            for answer, keys in self.keys.items()
        )

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """The widest of them."""
        return QSize(self._widest(), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Puts as many in a row as there is room for."""
        super().resizeEvent(event)
        room = (self.width() + _GAP) // (self._widest() + _GAP)
        self._arrange(max(1, min(len(self.buttons), room)))

    def _widest(self) -> int:
        return max(each.sizeHint().width() for each in self.buttons.values())

    def _arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for number, button in enumerate(self.buttons.values()):
            self._grid.addWidget(button, number // columns, number % columns)
        for column in range(self._grid.columnCount()):
            self._grid.setColumnStretch(column, column < columns)


def _choice_text(choice: AnswerChoice) -> str:
    return f"{choice.answer}: {choice.meaning}" if choice.meaning else choice.answer


def _button_label(choice: AnswerChoice, keys: Sequence[str]) -> str:
    name = choice.answer[0].upper() + choice.answer[1:]
    said = f"{name}  {choice.meaning}" if choice.meaning else name
    own = [key for key in keys if key != choice.answer]
    label = f"{said}   ({', '.join(own)})" if own else said
    return label.replace("&", "&&")
