"""The level of hypernyms: which one, and below which concept it is counted."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from termexplorer.models.concept_tree import tree_text
from termexplorer.services.explore.browsing import ConceptPage, ConceptRef
from termexplorer.texts import tr
from termexplorer.views.widgets.forms import choice
from termexplorer.views.widgets.inputs import ChoiceBox
from termexplorer.views.widgets.plain_label import PlainLabel

DEEPEST = 20  # as long as it is not known how many levels there are
_LETTERS = 8


class LevelBoxes(QWidget):
    """Two choices in a row.

    Signals:
        chosen: the user chose another level or root.
    """

    chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._root: ConceptRef | None = None
        self.level = ChoiceBox()
        self.level.setAccessibleName(tr("Level of hypernyms"))
        self.level.setToolTip(tr("Names of the concepts on this level are ranked"))
        self.root = choice(tr("Root that levels are counted from"), _LETTERS)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self._on = PlainLabel(tr("on", sense="a level"))
        for label, box in (
            (self._on, self.level),
            (PlainLabel(tr("below", sense="a concept")), self.root),
        ):
            label.setProperty("quiet", True)
            row.addWidget(label)
            row.addWidget(box)
        self.warning = PlainLabel(tr("one-sided"))
        self.warning.setProperty("quiet", True)
        row.addWidget(self.warning)
        self.show_warning("")
        self._levels = 0
        self.show_levels(0)
        self.show_page(None)
        self.level.activated.connect(self.chosen)
        self.root.activated.connect(self._on_root)

    @property
    def chosen_level(self) -> int:
        """The level, 1 the highest."""
        level: int = self.level.currentData()
        return level

    @property
    def chosen_root(self) -> ConceptRef | None:
        """The concept below which levels are counted; None: all roots."""
        return self._root

    def show_levels(self, levels: int) -> None:
        """Offers as many levels as there are; 0: that is not known."""
        self._levels = levels
        self._offer_levels(self.level.currentData() or 1)

    def show_warning(self, text: str) -> None:
        """Say what is wrong with the level; empty where nothing is."""
        self.warning.setVisible(bool(text))
        self.warning.setToolTip(text)
        self.warning.setAccessibleName(text)

    def ask_level(self, asked: bool) -> None:
        """Asks for a level and its root, or for the root alone."""
        for widget in (self._on, self.level):
            widget.setVisible(asked)

    def show_page(self, page: ConceptPage | None) -> None:
        """Offers a concept and what lies above it as roots; what is chosen stays."""
        offered: dict[int, ConceptRef] = {}
        if page is not None and not page.concept.obsolete:
            above = page.paths[0] if page.paths else ()
            offered = {ref.id: ref for ref in above}
            concept = page.concept
            offered[concept.id] = ConceptRef(
                concept.id,
                concept.release_id,
                concept.curie,
                concept.code,
                concept.label,
                concept.obsolete,
            )
        if self._root is not None:
            offered.setdefault(self._root.id, self._root)
        self.root.clear()
        self.root.addItem(tr("all roots"), None)
        for ref in offered.values():
            self.root.addItem(tree_text(ref.code, ref.label), ref)
        self._mark_root()

    def use(self, level: int, root: ConceptRef | None) -> None:
        """Takes a level and a root, without telling."""
        self._root = root
        places = [self.root.itemData(row) for row in range(self.root.count())]
        if root is not None and root.id not in [ref.id for ref in places if ref]:
            self.root.addItem(tree_text(root.code, root.label), root)
        self._mark_root()
        self._offer_levels(level)

    def _offer_levels(self, level: int) -> None:
        self.level.clear()
        for offered_level in range(1, max(self._levels or DEEPEST, level) + 1):
            self.level.addItem(tr("Level {level}", level=offered_level), offered_level)
        self.level.setCurrentIndex(level - 1)

    def _mark_root(self) -> None:
        places = [self.root.itemData(row) for row in range(self.root.count())]
        ids = [ref.id if ref else None for ref in places]
        self.root.setCurrentIndex(ids.index(self._root.id if self._root else None))
        root_text = tr("Levels are counted below: {root}", root=self.root.currentText())
        offered = tr("Choose the current concept or one of its ancestors")
        self.root.setToolTip(f"{root_text}\n{offered}")

    @Slot(int)
    def _on_root(self, row: int) -> None:
        self._root = self.root.itemData(row)
        self._mark_root()
        self.chosen.emit()
