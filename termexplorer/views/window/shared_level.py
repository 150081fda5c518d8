"""The level that all pages look at, as two choices in a row."""

from contextlib import suppress

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from termexplorer.errors import UserError
from termexplorer.services.explore.ontologies import Ontology, find_concept
from termexplorer.texts import tr
from termexplorer.views.widgets.level_boxes import LevelBoxes
from termexplorer.views.window.level_facts import Facts, LevelFacts
from termexplorer.views.window.level_place import LevelPlace, choose_level, kept_level
from termexplorer.views.window.page import Shared


class SharedLevel(LevelBoxes):
    """Shows the level of an ontology that was chosen, here or on another page.

    Signals:
        settled: how many levels there are is known; the level may be another one.

    Attributes:
        levels: how many there are; None while that is not known.
    """

    settled = Signal()

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._ontology: Ontology | None = None
        self.levels: int | None = None
        self.level.setAccessibleName(tr("Level of the classes"))
        self.level.setToolTip(tr("The concepts on this level are the classes"))
        self._facts = LevelFacts(shared.workspace, self)
        self._facts.facts_read.connect(self._on_facts)
        self.chosen.connect(self._on_chosen)
        shared.selection.level_changed.connect(self.take)

    def close_boxes(self) -> None:
        """Ends the thread."""
        self._facts.close()

    def show_ontology(self, ontology: Ontology | None) -> None:
        """Counts the levels of an ontology, if it is another one, and shows the one chosen."""
        if ontology != self._ontology:
            self.levels = None
        self._ontology = ontology
        self.take()

    @Slot()
    def take(self) -> None:
        """Shows the level that was chosen, here or on another page."""
        ontology = self._ontology
        if ontology is None or not ontology.is_a:
            self._facts.forget()
            self.levels = 0
            self.settled.emit()
            return
        stored_level = kept_level(self._shared.session, ontology.id)
        if stored_level is None:  # the data choose
            self._facts.ask(ontology.id, None, None, None)
            return
        root = None
        if stored_level.root:
            with suppress(UserError):
                root = find_concept(self._shared.workspace, ontology, stored_level.root)
        self.use(stored_level.level, root)
        self._facts.ask(ontology.id, root.id if root else None, stored_level.level, None)

    @Slot()
    def _on_chosen(self) -> None:
        root = self.chosen_root
        level_place = LevelPlace(self.chosen_level, root.curie if root else "")
        choose_level(self._shared.session, self._shared.selection, level_place)

    @Slot(object)
    def _on_facts(self, facts: Facts) -> None:
        self.levels = facts.levels
        ontology = self._ontology
        if ontology is not None and kept_level(self._shared.session, ontology.id) is None:
            self.use(facts.level, None)
        self.show_levels(facts.levels)
        self.show_warning(facts.warning)
        self.settled.emit()
