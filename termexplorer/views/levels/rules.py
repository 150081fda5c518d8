"""The rules by which a taxonomy is cleaned and classes are chosen, each with a switch."""

from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from termexplorer.services.levels.lens import LevelChoice
from termexplorer.texts import mark, tr, translated
from termexplorer.views.widgets.forms import fields
from termexplorer.views.widgets.inputs import ChoiceBox
from termexplorer.views.widgets.number_box import number_box
from termexplorer.views.widgets.plain_label import PlainLabel

_MOST = 1_000_000
_LARGEST = 21  # [FSL]
_CAP = 1_000
_TIPS = {
    "shortcuts": mark("Removes is-a links that skip a level"),
    "dead_ends": mark("Leaves out concepts without a descendant below the depth"),
    "without_parents": mark("Leaves out a class that is a parent of another class on the level"),
    "without_ambiguous": mark("Leaves out names that belong to several classes"),
    "largest": mark("Trains only on the classes with most names; usual for few-shot are 21"),
    "cap": mark("Draws at most so many names from a larger class"),
}


class LevelRules(QWidget):
    """A form for everything of a `LevelChoice` but root, level, and classes left out by hand.

    Signals:
        changed: a rule is another one now.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.few_shot = QPushButton(tr("Few-shot"))
        self.dan = QPushButton("DAN")
        self.lowest = number_box(1, 99, 4)
        self.shortcuts = _make_check_box(tr("Cut shortcut links"), _TIPS["shortcuts"])
        self.dead_ends = _make_check_box(tr("Leave dead ends out"), _TIPS["dead_ends"])
        self.examples = ChoiceBox()
        self.without_parents = _make_check_box(
            tr("No parents of other classes"), _TIPS["without_parents"]
        )
        self.without_ambiguous = _make_check_box(
            tr("No names of several classes"), _TIPS["without_ambiguous"]
        )
        self.largest = _make_check_box(tr("Only the largest"), _TIPS["largest"])
        self.largest_count = number_box(1, _MOST, _LARGEST)
        self.cap = _make_check_box(tr("At most, per class"), _TIPS["cap"])
        self.cap_count = number_box(2, _MOST, _CAP)
        self._seed = 0
        self._name()
        self._lay_out()
        self._connect()
        self.show_choice(LevelChoice())

    def apply(self, choice: LevelChoice) -> LevelChoice:
        """The same choice under these rules."""
        return replace(
            choice,
            depth=self.lowest.value(),
            shortcuts=self.shortcuts.isChecked(),
            dead_ends=self.dead_ends.isChecked(),
            below_depth=bool(self.examples.currentData()),
            without_parents=self.without_parents.isChecked(),
            without_ambiguous=self.without_ambiguous.isChecked(),
            largest=self.largest_count.value() if self.largest.isChecked() else 0,
            cap=self.cap_count.value() if self.cap.isChecked() else 0,
            seed=self._seed,
        )

    def show_choice(self, choice: LevelChoice) -> None:
        """Shows the rules of a choice, without telling."""
        with QSignalBlocker(self):
            self.lowest.setValue(choice.depth)
            self.shortcuts.setChecked(choice.shortcuts)
            self.dead_ends.setChecked(choice.dead_ends)
            self.examples.setCurrentIndex(self.examples.findData(choice.below_depth))
            self.without_parents.setChecked(choice.without_parents)
            self.without_ambiguous.setChecked(choice.without_ambiguous)
            self.largest.setChecked(bool(choice.largest))
            self.largest_count.setValue(choice.largest or self.largest_count.value())
            self.cap.setChecked(bool(choice.cap))
            self.cap_count.setValue(choice.cap or self.cap_count.value())
            self._seed = choice.seed
        self._allow()

    def _name(self) -> None:
        self.few_shot.setToolTip(
            tr("Rules for few-shot: 21 classes, all descendants, no ambiguous names")
        )
        self.dan.setToolTip(tr("Rules for DAN: cleaned taxonomy, names below the depth"))
        self.lowest.setAccessibleName(tr("Depth"))
        self.lowest.setToolTip(
            tr("The lowest level that classes can be on; examples are names below it")
        )
        self.examples.setAccessibleName(tr("Examples"))
        self.examples.addItem(tr("Names below the depth"), True)
        self.examples.addItem(tr("Names of all descendants"), False)
        self.examples.setToolTip(
            tr("DAN takes names below the depth, few-shot all names below the class")
        )
        self.largest_count.setAccessibleName(tr("How many of the largest classes"))
        self.cap_count.setAccessibleName(tr("Most names per class"))

    def _lay_out(self) -> None:
        presets = QHBoxLayout()
        presets.setSpacing(8)
        presets.addWidget(PlainLabel(tr("Use as in")))
        presets.addWidget(self.few_shot, 1)
        presets.addWidget(self.dan, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addLayout(presets)
        column.addLayout(fields((tr("Depth"), self.lowest), (tr("Examples"), self.examples)))
        for box in (self.shortcuts, self.dead_ends, self.without_parents, self.without_ambiguous):
            column.addWidget(box)
        column.addLayout(_beside_spin_box(self.largest, self.largest_count))
        column.addLayout(_beside_spin_box(self.cap, self.cap_count))

    def _connect(self) -> None:
        self.few_shot.clicked.connect(self._on_few_shot)
        self.dan.clicked.connect(self._on_dan)
        for box in self.findChildren(QCheckBox):
            box.toggled.connect(self._on_changed)
        for spin in self.findChildren(QSpinBox):
            spin.setKeyboardTracking(False)
            spin.valueChanged.connect(self._on_changed)
        self.examples.currentIndexChanged.connect(self._on_changed)

    def _allow(self) -> None:
        for box, count in ((self.largest, self.largest_count), (self.cap, self.cap_count)):
            count.setEnabled(box.isChecked())
            count.setToolTip("" if box.isChecked() else tr("Tick its box first"))

    @Slot()
    def _on_changed(self) -> None:
        self._allow()
        self.changed.emit()

    @Slot()
    def _on_few_shot(self) -> None:
        self._use("few-shot")

    @Slot()
    def _on_dan(self) -> None:
        self._use("dan")

    def _use(self, recipe: str) -> None:
        self.show_choice(LevelChoice.for_recipe(recipe, depth=self.lowest.value()))
        self.changed.emit()


def _make_check_box(text: str, tip: str) -> QCheckBox:
    box = QCheckBox(text)
    box.setToolTip(translated(tip))
    return box


def _beside_spin_box(box: QCheckBox, spin: QSpinBox) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addWidget(box, 1)
    row.addWidget(spin)
    return row
