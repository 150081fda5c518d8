"""The Train page in short: what to learn from, and how long; everything else follows from it."""

from collections.abc import Mapping

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from termexplorer.services.recipes.presets import RECIPES
from termexplorer.services.train.expected_time import expected_text
from termexplorer.texts import mark, tr, translated
from termexplorer.views.widgets.forms import choice, fields, plain_column, quiet

SYNONYMS, LEVEL, TEXT, OTHER = "synonyms", "level", "text", "other"
QUICK, THOROUGH = "quick", "thorough"
RECIPE_OF = {
    (SYNONYMS, QUICK): "contrastive",
    (SYNONYMS, THOROUGH): "contrastive-spelled",
    (LEVEL, QUICK): "few-shot",
    (LEVEL, THOROUGH): "dan",
}
"""The recipe of what is learned from, and how long."""
_SOURCES = {
    SYNONYMS: mark("Synonyms of the terminology"),
    LEVEL: mark("Classes of a level"),
    TEXT: mark("Text files of your own"),
}
_LENGTHS = {QUICK: mark("Quick"), THOROUGH: mark("Thorough")}
_ABOUT = {
    "contrastive": mark("Each concept's synonyms come together, and part from all other names"),
    "contrastive-spelled": mark("The same as quick, with words and letters learned besides"),
}  # of a level it is told which classes are learned
_ABOUT_TEXT = mark(
    "Add text files below: word vectors are trained on them, which the recommended encoder joins"
)


class ThreeLines(QWidget):
    """Two choices that stand for a recipe.

    Signals:
        recipe_wanted: the name of the recipe that is chosen by them.
        text_wanted: text is to be learned from.
    """

    recipe_wanted = Signal(str)
    text_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._recipe = ""
        self._seconds: Mapping[str, float | None] = {}
        self.source = choice(tr("Learn from"))
        for key, title in _SOURCES.items():
            self.source.addItem(translated(title), key)
        self.length = choice(tr("How long"))
        for key in _LENGTHS:
            self.length.addItem(translated(_LENGTHS[key]), key)
        self.about = quiet()
        self.language = quiet()
        self.language.hide()
        column = plain_column(self)
        self._fields = fields((tr("Learn from"), self.source), (tr("How long"), self.length))
        column.addLayout(self._fields)
        column.addWidget(self.about)
        column.addWidget(self.language)
        for box in (self.source, self.length):
            box.activated.connect(self._on_activated)

    @property
    def learns_text(self) -> bool:
        """Whether word vectors of text are wanted, not a run."""
        return bool(self.source.currentData() == TEXT)

    def show_recipe(self, recipe: str, *, is_quick: bool) -> None:
        """Shows a recipe that is chosen, here or among everything.

        Args:
            recipe: its name.
            is_quick: whether it has the preset that the two choices stand for.
        """
        self._recipe = recipe
        lines = [key for key, name in RECIPE_OF.items() if name == recipe and is_quick]
        self._offer_other("" if lines else translated(RECIPES[recipe].title))
        source, length = lines[0] if lines else (OTHER, QUICK)
        self.source.setCurrentIndex(self.source.findData(source))
        self.length.setCurrentIndex(self.length.findData(length))

    def show_about(self, about: str, base: str) -> None:
        """Says what the button does.

        Args:
            about: what is learned, unless it is told here.
            base: the encoder that it starts from; empty where there is none.
        """
        learned = translated(_ABOUT[self._recipe]) if self._recipe in _ABOUT else about
        start = tr("Starts from {encoder}", encoder=base) if base else ""
        lines = [translated(_ABOUT_TEXT)] if self.learns_text else filter(None, (learned, start))
        self.about.setText("\n".join(lines))
        self._fields.setRowVisible(self.length, self.source.currentData() in (SYNONYMS, LEVEL))

    def show_seconds(self, seconds: Mapping[str, float | None]) -> None:
        """Says how long each recipe is likely to take here."""
        self._seconds = seconds
        self._show_lengths()

    def show_language(self, notice: str) -> None:
        """Says that the built-in encoder hardly knows the language; nothing where it does."""
        self.language.setText(notice)
        self.language.setVisible(bool(notice))

    def _show_lengths(self) -> None:
        for row in range(self.length.count()):
            key = self.length.itemData(row)
            recipe = RECIPE_OF.get((self.source.currentData(), key), "")
            minutes = expected_text(self._seconds.get(recipe))
            title = translated(_LENGTHS[key])
            text = tr("{length} · {minutes}", length=title, minutes=minutes) if minutes else title
            self.length.setItemText(row, text)

    def _offer_other(self, title: str) -> None:
        row = self.source.findData(OTHER)
        if row >= 0:
            self.source.removeItem(row)
        if title:
            self.source.addItem(tr("{recipe}, as chosen below", recipe=title), OTHER)
        self._show_lengths()

    @Slot()
    def _on_activated(self) -> None:
        key = self.source.currentData(), self.length.currentData()
        self._show_lengths()
        if self.learns_text:
            self.show_about("", "")
            self.text_wanted.emit()
        elif key in RECIPE_OF:
            self.recipe_wanted.emit(RECIPE_OF[key])
