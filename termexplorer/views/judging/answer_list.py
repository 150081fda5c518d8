"""The answers that somebody gave, to go back to one of them and change it."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from termexplorer.models.plain_table import PlainTableModel
from termexplorer.services.verdicts.judging_keys import BACK
from termexplorer.store.indexes.folding import fold_text
from termexplorer.texts import mark, tr
from termexplorer.views.judging.attention_clock import AttentionClock
from termexplorer.views.judging.pair import MARGIN, WIDEST
from termexplorer.views.widgets.keys import text_with_key
from termexplorer.views.widgets.plain_label import PlainLabel
from termexplorer.views.widgets.tables.table import Column, Table
from termexplorer.views.widgets.ui_state import UiState

_NUMBER = 0  # the column of the number of an answer
_SHARES = (3, 3, 1.5, 2)  # of both terms, the answer and the comment


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """An answer in the list.

    Attributes:
        key: what it is an answer to; handed back when it is chosen.
        left: the term that stood at the left.
        right: the other.
        answer: what was said, in words.
        note: the comment that was kept with it.
    """

    key: object
    left: str
    right: str
    answer: str
    note: str


@dataclass(frozen=True, slots=True)
class SetAside:
    """What was on show before somebody went to an earlier answer.

    Attributes:
        page: the widget that was on show.
        clock: of the pair on it.
        shown_at: when that pair came.
        note: the comment on it, as far as it was typed.
        asked: what was asked there, if anything.
    """

    page: QWidget
    clock: AttentionClock
    shown_at: str
    note: str
    asked: Hashable | None


class AnswerList(QWidget):
    """A table with a filter; the newest answer is at the top.

    Signals:
        chosen: the key of an answer that is to be shown again.
        left: back to where one was.

    Attributes:
        text: the filter.
        table: what was answered.
        back: the button that leaves.
    """

    chosen = Signal(object)
    left = Signal()

    def __init__(self, title: str, session: UiState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._answers: Sequence[GivenAnswer] = ()
        self._shown: list[GivenAnswer] = []
        heading, explanation = PlainLabel(title), PlainLabel(wordWrap=True)
        heading.setProperty("title", True)
        explanation.setProperty("quiet", True)
        explanation.setText(
            tr("Enter shows a pair again. What you answer then counts; the log keeps both answers.")
        )
        self.text = QLineEdit(placeholderText=tr("Filter"), clearButtonEnabled=True)
        self.text.setAccessibleName(tr("Filter answers"))
        self._model = PlainTableModel(self)
        self.table = _AnswerTable(self._model, session)
        self.back = QPushButton(text_with_key(tr("Back"), BACK))
        middle = QWidget()
        middle.setMaximumWidth(WIDEST)
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        for widget in (heading, explanation, self.text):
            column.addWidget(widget)
        column.addWidget(self.table, 1)
        buttons = QHBoxLayout()
        buttons.addWidget(self.back)
        buttons.addStretch(1)
        column.addLayout(buttons)
        whole = QHBoxLayout(self)
        whole.setContentsMargins(MARGIN, 0, MARGIN, 0)
        whole.addStretch()
        whole.addWidget(middle, 1000)
        whole.addStretch()
        self.setFocusProxy(self.table)
        self.text.textChanged.connect(self._on_filter)
        self.text.returnPressed.connect(self._on_filtered)
        self.table.activated.connect(self._on_activated)
        self.back.clicked.connect(self.left)

    def show_answers(self, answers: Sequence[GivenAnswer]) -> None:
        """Show answers, which are in the order in which they were given."""
        self._answers = answers
        self.text.clear()
        self._on_filter()
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Leave by Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    @Slot()
    def _on_filter(self) -> None:
        sought = fold_text(self.text.text().strip())
        rows = []
        self._shown = []
        for number, given in reversed(list(enumerate(self._answers, 1))):
            cells = (given.left, given.right, given.answer, given.note)
            if sought in fold_text("\n".join(cells)):
                self._shown.append(given)
                rows.append((number, *cells))
        header = (tr("No."), tr("Left term"), tr("Right term"), tr("Answer"), tr("Comment"))
        self._model.show_rows(header, rows, {_NUMBER})
        self.table.hint = tr("No such answer.")
        if rows:
            self.table.choose_row(0)

    @Slot()
    def _on_filtered(self) -> None:
        self.table.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        self.chosen.emit(self._shown[index.row()].key)


class _AnswerTable(Table):
    def __init__(self, model: PlainTableModel, session: UiState) -> None:
        super().__init__(mark("Answers"), model, session)

    def columns(self) -> Sequence[Column]:
        """Give texts the room that the number leaves."""
        texts = ("left", "right", "answer", "comment")
        shared = [Column(key, share=share) for key, share in zip(texts, _SHARES, strict=True)]
        return [Column("number", "00,000"), *shared]
