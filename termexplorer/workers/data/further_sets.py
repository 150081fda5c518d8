"""What is learned besides the synonym sets that a run is measured on: further ones, and more.

That is the definitions of concepts, and what they are kinds of.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from termexplorer.errors import UserError
from termexplorer.store.database.engine import Store
from termexplorer.store.releases import corpus
from termexplorer.texts import tr
from termexplorer.workers.data.concept_data import ConceptSet, concept_names
from termexplorer.workers.data.references import identified, same_concepts
from termexplorer.workers.data.run_data import RunData

if TYPE_CHECKING:
    from termexplorer.trainer.data.splits import Parts
    from termexplorer.trainer.text.names import LabelledNames

_WORDS = 24  # of a definition; what it says first says most, and longer ones take longer to read


def learned_from(
    store: Store,
    data: RunData,
    release_id: int,
    also: Sequence[int],
    *,
    definitions: bool = False,
    parents: bool = False,
) -> "tuple[LabelledNames, Parts, dict[str, Any]]":
    """The names that a run learns from, its own first, how they are parted, and facts of them.

    Args:
        store: of the workspace.
        data: what the run is measured on.
        release_id: that is of.
        also: further releases, whose synonym sets are learned.
        definitions: whether those of all these releases are learned, as names of their concepts.
        parents: whether their is-a links are learned, as sets of two names.

    Raises:
        UserError: there are further releases, but the run learns no synonym sets.
    """
    from termexplorer.trainer.hierarchy.linking import with_links
    from termexplorer.trainer.hierarchy.merge_synonym_sets import fuse

    if not (also or definitions or parents):
        return data.labels, data.parts, {}
    if not isinstance(data, ConceptSet):
        raise UserError(
            tr("only recipes that learn from synonym sets learn from further ontologies")
        )
    releases = (release_id, *also)
    further = releases if definitions else also
    other_sets = [_synonym_sets_of(store, other_id, definitions) for other_id in further]
    references = _same_class_by_reference(store, data.labels, release_id, further, other_sets)
    fused = fuse(data.labels, data.parts, other_sets, references)
    labels, learned = fused.labels, fused.parts
    if parents:
        links = chain.from_iterable(_parent_links(store, release) for release in releases)
        labels, learned = with_links(labels, learned, links)
    facts = {
        "names": len(labels.names) - len(data.labels.names),
        "sets joined to one of the same concept": fused.joined,
        "sets joined by a cross-reference alone": fused.by_reference,
        "sets of their own": fused.added,
        "sets left out for zero-shot concepts": fused.held_out,
    }
    if parents:
        facts["links to parents"] = len(labels.classes) - len(fused.labels.classes)
    return labels, learned, {"further_sets": facts}


def _parent_links(store: Store, release_id: int) -> Iterator[tuple[str, str]]:
    """The label of each live concept of a release, with that of each of its parents."""
    with store.reading() as connection:
        graph = corpus.release_graph(connection, release_id)
        labels = corpus.release_labels(connection, release_id)
    for child, parent in zip(graph.children.tolist(), graph.parents.tolist(), strict=True):
        below, above = (int(graph.concept_ids[index]) for index in (child, parent))
        yield labels[below][2], labels[above][2]


def _synonym_sets_of(store: Store, release_id: int, definitions: bool) -> "LabelledNames":
    """The synonym sets of a release, with the definitions of their concepts if asked for."""
    from termexplorer.trainer.text.name_filters import filter_names

    names, _ = concept_names(store, release_id)
    labels = filter_names(names, None).labels
    return _add_definitions(store, release_id, labels) if definitions else labels


def _same_class_by_reference(
    store: Store,
    labels: "LabelledNames",
    release_id: int,
    further: Sequence[int],
    other_sets: "Sequence[LabelledNames]",
) -> list[dict[str, set[str]]]:
    """The classes that each class of the others is the same as, by cross-references."""
    with store.reading() as connection:
        codes = identified(connection, release_id, labels.classes)
        return [
            same_concepts(codes, identified(connection, other_id, other.classes))
            for other_id, other in zip(further, other_sets, strict=True)
        ]


def _add_definitions(store: Store, release_id: int, labels: "LabelledNames") -> "LabelledNames":
    """The same sets, each with the beginning of its concept's definition, if it has one."""
    from termexplorer.trainer.text.names import LabelledNames

    with store.reading() as connection:
        texts = corpus.definitions(connection, release_id)
    classes_present = set(labels.class_index.tolist())
    numbers = [
        n for n, curie in enumerate(labels.classes) if curie in texts and n in classes_present
    ]
    cut = [" ".join(texts[labels.classes[n]].split()[:_WORDS]) for n in numbers]
    rows = np.arange(len(labels.names), len(labels.names) + len(cut))
    return LabelledNames(
        (*labels.names, *cut),
        labels.classes,
        np.concatenate((labels.name_index, rows)),
        np.concatenate((labels.class_index, np.array(numbers, np.int64))),
    )
