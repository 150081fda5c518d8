"""The keys of a review: verdicts, a note, undo and redo."""

from functools import partial

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from termexplorer.mapping_terms import BROAD, EXACT, NARROW, NO_TERM, RELATED
from termexplorer.services.verdicts.judging_keys import (
    BACK,
    CANDIDATE_KEYS,
    NOTE,
    OTHER_TARGET,
    REDO,
    UNDO,
    mapping_keys,
    suggestion_keys,
    suggestion_title,
)
from termexplorer.services.verdicts.log import ALSO
from termexplorer.services.verdicts.mapping_answers import predicate_title
from termexplorer.texts import mark, tr, translated
from termexplorer.views.judging.answer_guard import AnswerGuard
from termexplorer.views.widgets.keys import add_key

_SIGNS = {"correct": "✓", ALSO: "+", "wrong": "✗", "unsure": "?", "later": "↷"}
_PREDICATE_SIGNS = {EXACT: "=", BROAD: "↑", NARROW: "↓", RELATED: "~", NO_TERM: "∅"}
_PREDICATE_TIPS = {
    EXACT: mark("The chosen concept means the same, and on to the next one"),
    BROAD: mark("The chosen concept is broader than the source, and on to the next one"),
    NARROW: mark("The chosen concept is narrower than the source, and on to the next one"),
    RELATED: mark("The chosen concept is related to the source, and on to the next one"),
    NO_TERM: mark("Nothing in the target matches the source, and on to the next one"),
}
_UNDO_TIP = mark("Takes your last verdict back (Ctrl+Z)")
_REDO_TIP = mark("Brings back what you took back (Ctrl+Shift+Z)")
_GAP = 8


class VerdictBar(QWidget):
    """Buttons, each with its key.

    Signals:
        answered: one of `ANSWERS` was given.
        predicate_answered: one of `PREDICATE_WORDS` was given, of the chosen candidate.
        picked: the index of a candidate that is to be chosen.
        searched: another concept is to be searched for.
        undone: the last verdict is to be taken back.
        redone: what was taken back is to be brought back.
        noted: the note was entered.
        left: the note was left as it is, by Escape.
    """

    answered = Signal(str)
    predicate_answered = Signal(str)
    picked = Signal(int)
    searched = Signal()
    undone = Signal()
    redone = Signal()
    noted = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons = {answer: QPushButton() for answer in suggestion_keys()}
        for answer, key in suggestion_keys().items():
            button = self.buttons[answer]
            button.setText(f"{_SIGNS[answer]}  {suggestion_title(answer)}  ({key})")
            button.setMinimumSize(QSize(0, button.sizeHint().height() + _GAP))
            button.clicked.connect(partial(self.answered.emit, answer))
        self.buttons[ALSO].hide()  # unless it is offered
        self.note = QLineEdit(placeholderText=tr("Note (N)"), clearButtonEnabled=True)
        self.note.setAccessibleName(tr("Note"))
        self.note.setToolTip(
            tr("Kept with the next verdict; Enter adds it to the one that is there")
        )
        self.note.returnPressed.connect(self.noted)
        add_key(BACK, self.note, self.left.emit)
        self.undo, self.redo = QPushButton(tr("Undo")), QPushButton(tr("Redo"))
        self.undo.clicked.connect(self.undone)
        self.redo.clicked.connect(self.redone)
        self.predicates = _PredicateRow(self)
        self.predicates.hide()  # unless it is offered
        row = QHBoxLayout()
        row.setSpacing(_GAP)
        for button in self.buttons.values():
            row.addWidget(button)
        row.addWidget(self.note, 1)
        row.addWidget(self.undo)
        row.addWidget(self.redo)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_GAP)
        column.addWidget(self.predicates)
        column.addLayout(row)

    def take_keys_in(self, page: QWidget, guard: AnswerGuard, *parts: QWidget) -> None:
        """Have the keys work where nothing is typed, once each time that they are pressed.

        Args:
            page: where verdicts are taken and brought back.
            guard: tells which presses count.
            parts: of it, where they are given.
        """
        keys = {key: self.buttons[answer] for answer, key in suggestion_keys().items()}
        keys |= {key: self.predicates.buttons[p] for p, key in mapping_keys().items()}
        for part in parts:
            add_key(NOTE, part, self._on_note)
            add_key(OTHER_TARGET, part, partial(_click_shown, self.predicates.search))
            for index, key in enumerate(CANDIDATE_KEYS):
                add_key(key, part, partial(self.picked.emit, index))
            for key, button in keys.items():
                add_key(
                    key, part, partial(guard.press_answer, partial(_click_shown, button)), once=True
                )
        for key, button in {UNDO: self.undo, REDO: self.redo}.items():
            add_key(key, page, partial(guard.press, button.click), once=True)

    def offer_also(self, offered: bool) -> None:
        """Offer the answer that something is right besides what is there, or hide it."""
        self.buttons[ALSO].setVisible(offered)

    def offer_predicates(self, offered: bool) -> None:
        """Offer to say which match a mapping is, and to search for another concept, or hide it."""
        self.predicates.setVisible(offered)

    def allow(self, why_not: str, nobody: str) -> None:
        """Offers verdicts, or says why there can be none; undo and redo, or why nobody can."""
        for widget in (*self.buttons.values(), self.note):
            widget.setEnabled(not why_not)
        self.predicates.allow(why_not)
        for answer, button in self.buttons.items():
            then = tr("{answer}, and on to the next one", answer=suggestion_title(answer))
            button.setToolTip(why_not or then)
        for button, tip in ((self.undo, _UNDO_TIP), (self.redo, _REDO_TIP)):
            button.setEnabled(not nobody)
            button.setToolTip(nobody or translated(tip))

    @Slot()
    def _on_note(self) -> None:
        self.note.setFocus(Qt.FocusReason.ShortcutFocusReason)


class _PredicateRow(QWidget):
    """A button for each predicate of a mapping, and one to search for another concept."""

    def __init__(self, bar: VerdictBar) -> None:
        super().__init__(bar)
        self.buttons: dict[str, QPushButton] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP)
        for predicate, key in mapping_keys().items():
            button = QPushButton(
                f"{_PREDICATE_SIGNS[predicate]}  {predicate_title(predicate)}  ({key})"
            )
            button.setMinimumSize(QSize(0, button.sizeHint().height() + _GAP))
            button.clicked.connect(partial(bar.predicate_answered.emit, predicate))
            self.buttons[predicate] = button
            row.addWidget(button)
        self.search = QPushButton(f"{tr('Other concept…')}  ({OTHER_TARGET})")
        self.search.clicked.connect(bar.searched)
        row.addWidget(self.search)
        row.addStretch(1)

    def allow(self, why_not: str) -> None:
        """Offer predicates, or say why there can be none."""
        tips = {p: translated(_PREDICATE_TIPS[p]) for p in self.buttons}
        for predicate, button in self.buttons.items():
            button.setEnabled(not why_not)
            button.setToolTip(why_not or tips[predicate])
        self.search.setEnabled(not why_not)
        self.search.setToolTip(why_not or tr("Search the names of the target for another concept"))


def _click_shown(button: QPushButton) -> None:
    if button.isVisible():
        button.click()
