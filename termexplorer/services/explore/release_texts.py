"""The names and labels of a whole release, read once for all who look at it."""

from dataclasses import dataclass

from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.store.releases.corpus import ReleaseNames, release_labels, release_names
from termexplorer.workspace import Workspace


@dataclass(frozen=True, eq=False)
class ReleaseTexts:
    """What a release is written with.

    Attributes:
        names: of its live concepts.
        labels: CURIE, code and label of every live concept, by id.
    """

    names: ReleaseNames
    labels: dict[int, tuple[str, str, str]]


def release_texts(workspace: Workspace, release_id: int) -> ReleaseTexts:
    """The texts of a release, kept while it is looked at.

    Raises:
        UserError: there is no such release.
    """

    def read() -> ReleaseTexts:
        with workspace.store.reading() as connection:
            return ReleaseTexts(
                release_names(connection, release_id), release_labels(connection, release_id)
            )

    return workspace.cache.get(("texts", find_ontology(workspace, str(release_id))), read)
