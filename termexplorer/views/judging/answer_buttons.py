"""The answers of a study as buttons, each with its keys."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLayout, QPushButton, QSizePolicy, QWidget

from termexplorer.plain_text import plain_tip
from termexplorer.services.verdicts.judging_keys import scale_keys
from termexplorer.store.judging.studies import AnswerChoice
from termexplorer.texts import tr

_GAP = 8


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
        self.keys = scale_keys(choices)
        self.buttons: dict[str, QPushButton] = {}
        self._grid = QGridLayout(self)
        self._grid.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(_GAP)
        for choice in choices:
            self.buttons[choice.answer] = button = QPushButton(
                _button_label(choice, self.keys[choice.answer])
            )
            button.setProperty("large", True)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.setToolTip(
                plain_tip(tr("{answer}, and on to the next pair", answer=_choice_text(choice)))
            )
            button.setAccessibleName(_choice_text(choice))
            button.clicked.connect(partial(self.answered.emit, choice.answer))
        self._columns = 0
        self._arrange(len(self.buttons))

    @property
    def keys_text(self) -> str:
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
        return max(button.sizeHint().width() for button in self.buttons.values())

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
    name_text = f"{name}  {choice.meaning}" if choice.meaning else name
    other_keys = [key for key in keys if key != choice.answer]
    label = f"{name_text}   ({', '.join(other_keys)})" if other_keys else name_text
    return label.replace("&", "&&")
