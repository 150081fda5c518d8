"""The answers of a new study: a line each, what they are to each other, which one means similar."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from termexplorer.services.studies.answer_lines import (
    LEVELS,
    read_answers,
    similar_ones,
    write_answer,
)
from termexplorer.services.studies.presets import AnswerChoice, Scale
from termexplorer.services.verdicts.judging_keys import scale_keys
from termexplorer.texts import mark, tr, translated
from termexplorer.views.widgets.forms import choice, fields, heading, plain_column, quiet

_LEVELS = {
    "nominal": mark("Kinds, without an order"),
    "ordinal": mark("Steps in an order"),
    "interval": mark("Steps that are equally far apart"),
}
_LINE = mark(
    "A line each: key: answer = number (meaning) [hint while practising]. All but the answer may "
    "be left out; “= ?” is no rating, as “don't know” is."
)
_NOTHING = mark("None; labels are not compared")
_HEIGHT = 130


class StudyAnswersForm(QWidget):
    """Asks for the answers of a scale.

    Signals:
        changed: there are other answers.

    Attributes:
        lines: the answers as they are written.
        level: what they are to each other.
        similar: the one that means similar.
        told: their keys, or what is wrong.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lines = QPlainTextEdit(tabChangesFocus=True)
        self.lines.setAccessibleName(tr("Answers"))
        self.lines.setToolTip(translated(_LINE))
        self.lines.setFixedHeight(_HEIGHT)
        self.level = choice(tr("What answers are to each other"))
        self.similar = choice(tr("Means similar"))
        self.message = quiet()
        for level in LEVELS:
            self.level.addItem(translated(_LEVELS[level]), level)
        self.similar.setToolTip(
            tr("Where labels and encoders are held against the answers; of steps, all above it too")
        )
        column = plain_column(self)
        column.addWidget(heading(tr("Answers")))
        column.addWidget(self.lines)
        column.addWidget(quiet(translated(_LINE)))
        column.addLayout(fields((tr("They are"), self.level), (tr("Means similar"), self.similar)))
        column.addWidget(self.message)
        self.lines.textChanged.connect(self._on_changed)
        self.level.currentIndexChanged.connect(self._on_changed)
        self.similar.activated.connect(self._on_changed)

    @property
    def answers(self) -> tuple[AnswerChoice, ...]:
        """The answers.

        Raises:
            ValueError: with what is wrong in words.
        """
        lines = self.lines.toPlainText().splitlines()
        return read_answers(lines, self.level.currentData(), self.similar.currentData() or "")

    @property
    def why_not(self) -> str:
        """Why they cannot be asked for, in words; empty if they can."""
        try:
            self.answers  # noqa: B018
        except ValueError as error:
            return f"{str(error)[:1].upper()}{str(error)[1:]}"
        return ""

    def show_scale(self, scale: Scale) -> None:
        """Shows the answers of a scale, to be changed at will."""
        self.level.setCurrentIndex(LEVELS.index(scale.level))
        self.lines.setPlainText("\n".join(write_answer(a, scale.level) for a in scale.answers))
        self.similar.setCurrentIndex(max(self.similar.findData(scale.similar), 0))
        self._on_changed()

    @Slot()
    def _on_changed(self) -> None:
        self._offer_similar()
        self.message.setText(self.why_not or self._keys())
        self.changed.emit()

    def _offer_similar(self) -> None:
        """Offers the answers that are ratings, as far as they can be read."""
        chosen = self.similar.currentData()
        lines, level = self.lines.toPlainText().splitlines(), self.level.currentData()
        try:
            rated = [answer for answer in read_answers(lines, level) if answer.value is not None]
        except ValueError:
            return  # what was chosen stays until the answers can be read again
        self.similar.clear()
        self.similar.addItem(translated(_NOTHING), "")
        for answer in rated:
            more = len(similar_ones(rated, level, answer.answer)) > 1
            text = tr("{answer} and more", answer=answer.answer) if more else answer.answer
            self.similar.addItem(text, answer.answer)
        self.similar.setCurrentIndex(max(self.similar.findData(chosen), 0))

    def _keys(self) -> str:
        key_texts = (
            f"{answer} ({', '.join(keys) or tr('no key')})"
            for answer, keys in scale_keys(self.answers).items()
        )
        return tr("Keys: {keys}", keys=" · ".join(key_texts))
