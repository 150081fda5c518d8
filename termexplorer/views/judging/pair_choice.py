"""Which pairs of a study are looked at or decided: by what was said of them, and by their set."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from termexplorer.services.studies.adjudication.disputed_pairs import (
    DISAGREEMENT,
    DONT_KNOW,
    JUDGED,
    NO_MAJORITY,
    WITHOUT_MAJORITY,
    PairChoice,
)
from termexplorer.services.studies.answer_lines import name_no_rating
from termexplorer.store.judging.studies import AnswerChoice
from termexplorer.texts import mark, tr, translated
from termexplorer.views.widgets.forms import choice, offer

_WHICH = {
    NO_MAJORITY: mark("Without a majority"),
    DISAGREEMENT: mark("Any disagreement"),
    DONT_KNOW: mark("With the answer “{answer}”"),
    JUDGED: mark("All that were judged"),
}
_ALL = "all"
_LETTERS = 14


class PairChoiceBoxes(QWidget):
    """Two boxes: which pairs, and of which set.

    Args:
        all_pairs: whether all pairs of the study can be chosen too, those too that wait.

    Signals:
        changed: another choice.
    """

    changed = Signal()

    def __init__(self, *, all_pairs: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.which = choice(tr("Which pairs"), _LETTERS)
        self.sets = choice(tr("Set"), _LETTERS)
        if all_pairs:
            self.which.addItem(tr("All pairs"), _ALL)
        for which, title in _WHICH.items():
            self.which.addItem(title if which == DONT_KNOW else translated(title), which)
        self.name_answers(())
        self.which.setToolTip(tr("Any disagreement, such as 2 : 1"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.which)
        row.addWidget(self.sets)
        self.offer_sets(())
        self.which.activated.connect(self.changed)
        self.sets.activated.connect(self.changed)

    @property
    def chosen(self) -> PairChoice | None:
        """The choice; None for all pairs of the study, of whatever set."""
        which, set_name = self.which.currentData(), self.sets.currentData()
        return None if which == _ALL else PairChoice(which, set_name)

    @property
    def to_decide(self) -> PairChoice:
        """The choice, where only judged pairs can be chosen."""
        return self.chosen or WITHOUT_MAJORITY

    @property
    def set_name(self) -> str | None:
        """The set that is chosen; None for all."""
        name: str | None = self.sets.currentData()
        return name

    def name_answers(self, answers: Sequence[AnswerChoice]) -> None:
        """Call the pairs with an answer that is no rating as their study calls that."""
        text = translated(_WHICH[DONT_KNOW], answer=name_no_rating(answers))
        self.which.setItemText(self.which.findData(DONT_KNOW), text)

    def offer_sets(self, names: Sequence[str]) -> None:
        """Offers sets, where there are several; the one that was chosen still is."""
        with QSignalBlocker(self.sets):
            offer(self.sets, [(tr("All sets"), None), *((name, name) for name in names)], None)
        self.sets.setVisible(len(names) > 1)

    def choose(self, wanted: PairChoice) -> None:
        """Chooses pairs."""
        self.which.setCurrentIndex(max(self.which.findData(wanted.which), 0))
        if wanted.set_name is not None and self.sets.findData(wanted.set_name) < 0:
            self.sets.addItem(wanted.set_name, wanted.set_name)
        self.sets.setCurrentIndex(max(self.sets.findData(wanted.set_name), 0))

    @Slot()
    def take_all(self) -> None:
        """Chooses all pairs, where these can be chosen."""
        self.which.setCurrentIndex(0)
        self.sets.setCurrentIndex(0)
