"""Which names of a release a map is of."""

import hashlib

import numpy as np

from termexplorer.errors import UserError
from termexplorer.store import concepts
from termexplorer.store.corpus import ReleaseNames, release_names
from termexplorer.store.engine import Store
from termexplorer.workers.level_choice import root_id
from termexplorer.workers.projection_messages import CONCEPTS, NAMES, ProjectionRequest


def map_names(store: Store, request: ProjectionRequest) -> ReleaseNames:
    """The names of live concepts that are asked for.

    Raises:
        UserError: there is no such choice, or the root is not in the release.
    """
    if request.names not in NAMES:
        raise UserError(f"there are no names {request.names}; choose one of {', '.join(NAMES)}")
    with store.reading() as connection:
        names = release_names(connection, request.release_id)
        if request.root:
            top = root_id(connection, request.release_id, request.root)
            names = names.of({top, *concepts.descendants(connection, top)})
    if request.names != CONCEPTS:
        return names
    _, first = np.unique(names.concept_ids, return_index=True)
    first.sort()
    texts = tuple(names.texts[place] for place in first.tolist())
    return ReleaseNames(names.ids[first], names.concept_ids[first], texts)


def names_hash(names: ReleaseNames) -> str:
    """SHA-256 of names, with their ids, in their order."""
    digest = hashlib.sha256(names.ids.tobytes())
    digest.update("\n".join(names.texts).encode())
    return digest.hexdigest()
