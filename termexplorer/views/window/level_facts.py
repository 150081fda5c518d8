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
        warning: what is wrong with the level; empty where nothing is.
    """

    concept_id: int | None
    level: int
    levels: int
    classes: "tuple[ClassRow, ...]"
    warning: str = ""


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

    def forget(self) -> None:
        """Tell nothing of what was asked before."""
        self._questions.forget()

    def ask(
        self, ontology_id: int, root_id: int | None, level: int | None, page: ConceptPage | None
    ) -> None:
        """Asks for a level, counted below a root (or all roots), and for a concept's classes.

        Args:
            ontology_id: the release.
            root_id: of a concept; None: all roots.
            level: None: the one to begin with.
            page: of the concept.
        """
        self._questions.ask(partial(self._look, ontology_id, root_id, level, page))

    def _look(
        self, ontology_id: int, root_id: int | None, level: int | None, page: ConceptPage | None
    ) -> Facts:
        from termexplorer.services.levels.default_level import default_level, warn_of_level

        here = page is not None and page.concept.release_id == ontology_id
        ref = concept_ref(self._workspace, root_id) if root_id is not None else None
        root = ref.curie if ref else ""
        lens = self._lens(ontology_id, root)
        level = level or default_level(self._workspace, ontology_id, root)
        classes: tuple[ClassRow, ...] = ()
        if page is not None and here and 1 <= level <= lens.levels:
            above = {step.id for path in page.paths for step in path} | {page.concept.id}
            classes = lens.classes_among(level, above)
        warning = warn_of_level(self._workspace, ontology_id, level, root)
        return Facts(page.concept.id if page else None, level, lens.levels, classes, warning)

    def _lens(self, ontology_id: int, root: str) -> "LevelLens":
        from termexplorer.services.levels.lens import LevelChoice, level_lens  # brings in NumPy

        # as for rankings of hypernyms: concepts without depth below them count too
        choice = LevelChoice(root, dead_ends=False)
        return level_lens(self._workspace, ontology_id, choice)

    @Slot(object)
    def _on_answered(self, facts: Facts) -> None:
        self.facts_read.emit(facts)
