"""Which pairs are looked at by their terms: codes, abbreviations, long ones, or those left out."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from termexplorer.services.pairs.filter import (
    ABBREVIATIONS,
    CODES,
    KEEP_ALL,
    LONG,
    PairFilter,
    told_reason,
)
from termexplorer.texts import mark, tr, translated
from termexplorer.views.widgets.forms import choice
from termexplorer.views.widgets.number_box import number_box

_ALL, _LEFT_OUT = "all", "left_out"
_KINDS = {
    _ALL: mark("All terms"),
    CODES: mark("With a code"),
    ABBREVIATIONS: mark("With an abbreviation"),
    LONG: mark("With a long term"),
    _LEFT_OUT: mark("Left out"),
}
_LONG, _LETTERS = 40, 10


class TermChoice(QWidget):
    """A box of kinds of terms, and from which length on they are long.

    Signals:
        changed: another choice.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = choice(tr("Which terms"), _LETTERS)
        for kind, title in _KINDS.items():
            self.kind.addItem(translated(title), kind)
        self.longest = number_box(1, 2_000, _LONG, tr("A term of more characters is long"))
        self.longest.setAccessibleName(tr("Characters from which a term is long"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.kind)
        row.addWidget(self.longest)
        self.longest.hide()
        self.kind.activated.connect(self._on_kind)
        self.longest.valueChanged.connect(self.changed)

    @property
    def left_out(self) -> bool:
        """Whether what is left out is looked at."""
        return bool(self.kind.currentData() == _LEFT_OUT)

    @property
    def chosen(self) -> PairFilter:
        """The pairs that are looked at: those that this filter has a reason to leave out."""
        kind = self.kind.currentData()
        longest = self.longest.value() if kind == LONG else 0
        return PairFilter(kind == CODES, kind == ABBREVIATIONS, longest)

    @property
    def any(self) -> bool:
        """Whether terms of all kinds are looked at."""
        return self.chosen == KEEP_ALL

    @Slot()
    def take_all(self) -> None:
        """Chooses all terms."""
        self.kind.setCurrentIndex(0)
        self.longest.hide()

    @Slot()
    def _on_kind(self) -> None:
        self.longest.setVisible(self.kind.currentData() == LONG)
        self.changed.emit()


def told_left_out(reason: str) -> str:
    """Why a pair is left out, where its comments stand; "" where it is not."""
    return tr("left out: {why}", why=told_reason(reason)) if reason else ""
