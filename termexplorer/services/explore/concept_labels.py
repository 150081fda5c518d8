"""What the concepts of ontologies are called, all at once."""

from termexplorer.services.explore.ontologies import Ontology
from termexplorer.store.releases.corpus import release_labels
from termexplorer.workspace import Workspace


def concept_labels(workspace: Workspace, *ontologies: Ontology) -> dict[str, str]:
    """The labels of all live concepts, by CURIE; of the last ontology where several have one."""
    with workspace.store.reading() as connection:
        known = [release_labels(connection, ontology.id).values() for ontology in ontologies]
    return {curie: label for release in known for curie, _code, label in release}
