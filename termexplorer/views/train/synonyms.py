"""Which synonym sets are learned: of all concepts or some, each alone or grouped by a code."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QLineEdit, QWidget

from termexplorer.questions import LatestQueryWorker
from termexplorer.services.explore.cross_references import OtherSystem, other_systems
from termexplorer.services.recipes.run_requests import EVERY_CONCEPT, SynonymChoice
from termexplorer.texts import mark, tr, translated, trn
from termexplorer.views.widgets.forms import choice, fields
from termexplorer.views.window.page import Shared

_OWN = mark("Their own synonyms")
_GROUPS_TIP = mark(
    "Names of concepts with the same code of another system become one synonym set, "
    "such as SNOMED CT concepts by ICD-10 code"
)


class TrainSynonyms(QWidget):
    """Shows and changes a `SynonymChoice`; what the ontology does not have is not offered."""

    def __init__(self, shared: Shared, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._ontology_id: int | None = None
        self._kept_choice = EVERY_CONCEPT
        self._kept_of: int | None = None
        self.groups = choice(tr("Concepts grouped by"))
        self.groups.setToolTip(translated(_GROUPS_TIP))
        self.root = QLineEdit(placeholderText=tr("all concepts"))
        self.root.setAccessibleName(tr("Only below this concept"))
        self.root.setToolTip(
            tr("Id or code of a concept: it and all below it are learned, no others")
        )
        self._fields = fields((tr("Grouped by"), self.groups), (tr("Only below"), self.root))
        self._fields.setContentsMargins(0, 0, 0, 0)
        self.setLayout(self._fields)
        self._reading = LatestQueryWorker(self)
        self._reading.answered.connect(self._on_read)
        self._reading.failed.connect(shared.notices.error)
        self._on_systems([])

    def show_ontology(self, ontology_id: int | None, *, has_levels: bool) -> None:
        """Offers what an ontology has; another one has other codes and concepts."""
        self._fields.setRowVisible(self.root, has_levels)
        if ontology_id == self._ontology_id:
            return
        self._ontology_id = ontology_id
        self.root.clear()
        self._on_systems([])
        if ontology_id is not None and ontology_id == self._kept_of:
            self.root.setText(self._kept_choice.root)
        if ontology_id is not None:
            self._reading.ask(partial(other_systems, self._shared.workspace, ontology_id))

    def keep(self, ontology_id: int | None, synonym_choice: SynonymChoice) -> None:
        """Has a choice come back once its ontology is shown."""
        self._kept_choice, self._kept_of = synonym_choice, ontology_id

    def choice(self) -> SynonymChoice:
        """What is chosen."""
        return SynonymChoice(self.root.text().strip(), self.groups.currentData())

    def to_keep(self) -> SynonymChoice:
        """What is chosen, or what comes back as soon as it is offered."""
        waits = self._kept_of is not None and self._ontology_id in (None, self._kept_of)
        return self._kept_choice if waits else self.choice()

    def close_choice(self) -> None:
        """Ends the thread."""
        self._reading.close()

    @Slot(object)
    def _on_read(self, systems: Sequence[OtherSystem]) -> None:
        self._on_systems(systems)
        if self._ontology_id == self._kept_of:
            self.groups.setCurrentIndex(max(self.groups.findData(self._kept_choice.groups), 0))
            self._kept_of = None

    def _on_systems(self, systems: Sequence[OtherSystem]) -> None:
        self.groups.clear()
        self.groups.addItem(translated(_OWN), EVERY_CONCEPT.groups)
        usable = [system for system in systems if system.concepts > 1]
        for system in usable:
            title = trn(
                "{system} · {n:,} concept",
                "{system} · {n:,} concepts",
                system.concepts,
                system=system.prefix,
            )
            self.groups.addItem(title, system.prefix)
            tip = tr(
                "{concepts} of {system}, which {referring} to",
                concepts=trn("{n:,} code", "{n:,} codes", system.codes),
                referring=trn("{n:,} concept refers", "{n:,} concepts refer", system.concepts),
                system=system.prefix,
            )
            at = self.groups.count() - 1
            self.groups.setItemData(at, tip, Qt.ItemDataRole.ToolTipRole)
        self._fields.setRowVisible(self.groups, bool(usable))
