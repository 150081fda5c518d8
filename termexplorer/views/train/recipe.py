"""The choice of a recipe: in groups by what it learns from, with when to use it."""

from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QWidget

from termexplorer.services.recipes.presets import (
    JUDGED,
    LEVEL,
    RECIPES,
    SHOTS,
    SYNONYMS,
    ListedRecipe,
)
from termexplorer.texts import tr, translated
from termexplorer.views.widgets.elided_box import ElidedBox


class RecipeBox(ElidedBox):
    """Every recipe; the names of groups stand between them and cannot be chosen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Recipe"))
        self.setMinimumContentsLength(12)
        self.setSizeAdjustPolicy(self.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        group = ""
        for name, listed in RECIPES.items():
            if listed.group != group:
                group = listed.group
                self._add_heading(translated(group))
            self.addItem(translated(listed.title), name)
            when = translated(listed.when)
            self.setItemData(self.count() - 1, when, Qt.ItemDataRole.ToolTipRole)
        self.choose(next(iter(RECIPES)))

    def choose(self, name: str) -> None:
        """Chooses a recipe by its name."""
        self.setCurrentIndex(self.findData(name))

    @property
    def listed(self) -> ListedRecipe:
        """The chosen recipe."""
        return RECIPES[self.currentData()]

    @property
    def needs_level(self) -> bool:
        """Whether it learns the classes of a level."""
        return self.listed.group in (SHOTS, LEVEL)

    @property
    def needs_synonyms(self) -> bool:
        """Whether it learns synonym sets."""
        return self.listed.group == SYNONYMS

    @property
    def needs_verdicts(self) -> bool:
        """Whether it learns judged pairs."""
        return self.listed.group == JUDGED

    def _add_heading(self, text: str) -> None:
        self.addItem(text)
        model = cast("QStandardItemModel", self.model())
        item = model.item(self.count() - 1)
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        font = item.font()
        font.setWeight(font.Weight.DemiBold)
        item.setFont(font)
