"""How many names a run keeps back to test and to stop by, as its recipe wants them."""

from collections.abc import Mapping

from PySide6.QtWidgets import QWidget

from termexplorer.services.recipes.presets import LEVEL, SHOTS
from termexplorer.services.recipes.run_requests import SplitRule
from termexplorer.texts import tr
from termexplorer.views.widgets.forms import fields, heading, plain_column
from termexplorer.views.widgets.number_box import number_box


class TrainHeldOut(QWidget):
    """Asks for the numbers of a `SplitRule`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shots = number_box(
            2,
            10_000,
            15,
            tr("Names drawn per class for training; as many again for validation and for test"),
        )
        self.test_passes = number_box(
            1, 1000, 3, tr("Each pass holds out one name per class at the chosen depth for test")
        )
        self.validation_passes = number_box(
            1, 1000, 2, tr("Each pass holds out one name per class for early stopping")
        )
        rows = (
            (tr("Training examples per class"), self.shots),
            (tr("Test passes"), self.test_passes),
            (tr("Validation passes"), self.validation_passes),
        )
        for title, box in rows:
            box.setAccessibleName(title)
        self._fields = fields(*rows)
        self._boxes = {
            "shots": self.shots,
            "test_passes": self.test_passes,
            "validation_passes": self.validation_passes,
        }
        column = plain_column(self)
        column.addWidget(heading(tr("Held-out names")))
        column.addLayout(self._fields)

    def show_group(self, group: str) -> None:
        """Shows what recipes of a group are asked; those of synonym sets are asked nothing."""
        self.setVisible(group in (SHOTS, LEVEL))
        self._fields.setRowVisible(self.shots, group == SHOTS)
        for passes in (self.test_passes, self.validation_passes):
            self._fields.setRowVisible(passes, group == LEVEL)

    def rule(self, recipe: str, seed: int) -> SplitRule:
        """What is asked for."""
        return SplitRule(recipe, **self.numbers(), seed=seed)

    def numbers(self) -> dict[str, int]:
        """All numbers, by their names in a `SplitRule`."""
        return {name: box.value() for name, box in self._boxes.items()}

    def use_numbers(self, numbers: Mapping[str, int]) -> None:
        """Takes numbers as `numbers` gives them."""
        for name, box in self._boxes.items():
            box.setValue(numbers.get(name, box.value()))
