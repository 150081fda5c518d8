"""Which other systems the concepts of a release refer to."""

from termexplorer.store.releases import cross_references as queries
from termexplorer.store.releases.cross_references import OtherSystem
from termexplorer.workers.data.synonym_choice import systems_text
from termexplorer.workspace import Workspace

__all__ = ["OtherSystem", "other_systems", "systems_text"]


def other_systems(workspace: Workspace, ontology_id: int) -> list[OtherSystem]:
    """The systems that cross-references name, those of most concepts first."""
    with workspace.store.reading() as connection:
        return queries.other_systems(connection, ontology_id)
