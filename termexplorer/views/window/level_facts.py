"""How many levels there are, and the classes that a concept belongs to on one of them."""

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from termexplorer.questions import LatestQueryWorker
from termexplorer.services.explore.browsing import ConceptPage, concept_ref
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from termexplorer.services.levels.lens import ClassRow, LevelLens


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a level of a release.

    Attributes:
        concept_id: the concept that was asked for, or None.
        level: which level.
        levels: how many levels there are; 0 where there are none.
        classes: those of the concept, each with the names of all that is below it.
    """

    concept_id: int | None
    level: int
    levels: int
    classes: "tuple[ClassRow, ...]"


class LevelFacts(QObject):
    """Finds out in a thread.

    Signals:
        facts_read: `Facts`.
    """

    facts_read = Signal(object)

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._questions = LatestQueryWorker(self)
        self._questions.answered.connect(self._on_answered)

    def close(self) -> None:
        """Ends the thread."""
        self._questions.close()

    def ask(
        self, ontology_id: int, root_id: int | None, level: int, page: ConceptPage | None
    ) -> None:
        """Asks for a level, counted below a root (or all roots), and for a concept's classes."""
        self._questions.ask(partial(self._look, ontology_id, root_id, level, page))

    def _look(
        self, ontology_id: int, root_id: int | None, level: int, page: ConceptPage | None
    ) -> Facts:
        here = page is not None and page.concept.release_id == ontology_id
        lens = self._lens(ontology_id, root_id)
        classes: tuple[ClassRow, ...] = ()
        if page is not None and here and 1 <= level <= lens.levels:
            above = {step.id for path in page.paths for step in path} | {page.concept.id}
            classes = lens.classes_among(level, above)
        return Facts(page.concept.id if page else None, level, lens.levels, classes)

    def _lens(self, ontology_id: int, root_id: int | None) -> "LevelLens":
        from termexplorer.services.levels.lens import LevelChoice, level_lens  # brings in NumPy

        ref = concept_ref(self._workspace, root_id) if root_id is not None else None
        # as for rankings of hypernyms: concepts without depth below them count too
        choice = LevelChoice(ref.curie if ref else "", dead_ends=False)
        return level_lens(self._workspace, ontology_id, choice)

    @Slot(object)
    def _on_answered(self, facts: Facts) -> None:
        self.facts_read.emit(facts)
