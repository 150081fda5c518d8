"""The choice to search the number of hidden units, below the hyper-parameters of a run."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QCheckBox, QWidget

from termexplorer.services.train.hidden_search import LARGEST, SMALLEST
from termexplorer.texts import mark, tr, translated
from termexplorer.views.train.hyperparameters import HyperParameters
from termexplorer.views.widgets.forms import fields, plain_column, reveal
from termexplorer.views.widgets.number_box import number_box

_HIDDEN = "hidden"
_MOST = 10_000_000
_TIP = mark(
    "One run after the other, with 600, 1,200, 2,400 … hidden units, until validation declines; "
    "then the best is told. Stopping or cancelling one of the runs ends the search. After closing "
    "the window you can go on with it at the next start."
)
_CHOSEN = mark("Set by the search; untick it below to set it here")


class HiddenSearchChoice(QWidget):
    """A tick, and the largest number to be tried; there for recipes with hidden units."""

    def __init__(self, hyperparameters: HyperParameters, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hyperparameters = hyperparameters
        self.search = QCheckBox(tr("Search the number of hidden units"))
        self.search.setToolTip(translated(_TIP))
        self.largest = number_box(
            SMALLEST, _MOST, LARGEST, tr("The search ends there at the latest")
        )
        self.largest.setAccessibleName(tr("Largest number of hidden units"))
        self._fields = fields((tr("Largest"), self.largest))
        column = plain_column(self)
        column.addWidget(self.search)
        column.addLayout(self._fields)
        self.search.toggled.connect(self.refresh)
        self.refresh()

    def use(self, largest: int | None) -> None:
        """Sets how far is searched; None: not at all."""
        self.search.setChecked(largest is not None)
        if largest is not None:
            self.largest.setValue(largest)

    @property
    def on(self) -> bool:
        """Whether it is wanted, and the recipe has hidden units."""
        return self.search.isChecked() and self._hyperparameters.has(_HIDDEN)

    @property
    def editors(self) -> tuple[QWidget, ...]:
        """Its fields, from top to bottom."""
        return self.search, self.largest

    @Slot()
    def refresh(self) -> None:
        """Is there for recipes with hidden units, whose field it closes while it is ticked."""
        has_hidden = self._hyperparameters.has(_HIDDEN)
        self.setVisible(has_hidden)
        self._fields.setRowVisible(self.largest, self.on)
        if self.on:
            reveal(self.largest)
        if has_hidden:
            self._hyperparameters.leave_open(_HIDDEN, translated(_CHOSEN) if self.on else "")
