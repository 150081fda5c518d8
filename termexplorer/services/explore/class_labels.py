"""What the concepts of a release are called, for lists of classes."""

from collections.abc import Sequence

from termexplorer.services.explore.ontologies import Ontology
from termexplorer.store.releases.corpus import labels_of, release_labels
from termexplorer.workspace import Workspace

_FEW = 200_000  # concepts, whose labels are read in one go


class ConceptLabels:
    """CURIE, code and label of concepts; of a large release those that are asked for."""

    def __init__(self, workspace: Workspace, ontology: Ontology) -> None:
        self._workspace = workspace
        self._known: dict[int, tuple[str, str, str]] = {}
        if ontology.concepts <= _FEW:
            with workspace.store.reading() as connection:
                self._known = release_labels(connection, ontology.id)

    def of(self, concept_ids: Sequence[int]) -> list[tuple[str, str, str]]:
        """The labels of concepts, by their ids."""
        missing = [concept_id for concept_id in concept_ids if concept_id not in self._known]
        if missing:
            with self._workspace.store.reading() as connection:
                self._known.update(labels_of(connection, missing))
        return [self._known[concept_id] for concept_id in concept_ids]
