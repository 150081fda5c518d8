"""The is-a links among the concepts of a release that have names, as trainer modules take them."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.store.database.engine import Store
from termexplorer.store.releases.corpus import release_graph, release_labels, release_names

if TYPE_CHECKING:
    from termexplorer.trainer.placing.named_hierarchy import NamedHierarchy

Int64s = NDArray[np.int64]


def read_named_links(store: Store, release_id: int, concept_ids: Int64s) -> tuple[Int64s, Int64s]:
    """Return child and parent of each link among some concepts, as their numbers.

    Args:
        store: of the workspace.
        release_id: the release.
        concept_ids: (n,) of it, ascending, each once; their numbers are their order.
    """
    with store.reading() as connection:
        graph = release_graph(connection, release_id)
    number_of = {concept: number for number, concept in enumerate(concept_ids.tolist())}
    numbers = np.array([number_of.get(i, -1) for i in graph.concept_ids.tolist()], np.int64)
    children, parents = numbers[graph.children], numbers[graph.parents]
    is_named = (children >= 0) & (parents >= 0)
    return children[is_named], parents[is_named]


def read_named_hierarchy(store: Store, release_id: int) -> "tuple[Int64s, NamedHierarchy]":
    """Return the ids of the live concepts of a release that have a name, and these."""
    from termexplorer.trainer.placing.named_hierarchy import NamedHierarchy

    with store.reading() as connection:
        names = release_names(connection, release_id)
        labels = release_labels(connection, release_id)
    of_concept: dict[int, dict[str, None]] = {
        concept: {label: None} for concept, (_, _, label) in labels.items() if label
    }
    for concept, text in zip(names.concept_ids.tolist(), names.texts, strict=True):
        of_concept.setdefault(concept, {})[text] = None
    ids = np.array(sorted(of_concept), dtype=np.int64)
    parents: list[list[int]] = [[] for _ in of_concept]
    for child, parent in zip(*read_named_links(store, release_id, ids), strict=True):
        parents[int(child)].append(int(parent))
    return ids, NamedHierarchy.build([tuple(of_concept[i]) for i in ids.tolist()], parents)
