"""The terms of a release, each with its category and the class of the first level above it."""

import numpy as np
from numpy.typing import NDArray

from termexplorer.store.database.engine import Store
from termexplorer.store.releases.corpus import release_graph
from termexplorer.store.releases.term_content import TermContent, term_content
from termexplorer.taxonomy.cleaning import Rules, Taxonomy
from termexplorer.workers.data.pair_terms import concept_terms

Int64s = NDArray[np.int64]
_NOWHERE = -1


def category_terms(
    store: Store, release_id: int, tagged: bool
) -> tuple[list[str], list[str], list[str]]:
    """Different terms, the category of each, and the class of the first level above it.

    A category is what is below one class of the second level, or has one semantic tag. Each concept
    has one term; those that are in several categories or classes are left out.

    Args:
        store: that has the release.
        release_id: of it.
        tagged: whether concepts have semantic tags, which count below a class that has several.
    """
    with store.reading() as connection:
        content = term_content(connection, release_id)
        graph = release_graph(connection, release_id)
    live = [record for record in content.concepts if not record.obsolete]
    labels = [record.label for record in live]
    high, low = _NOWHERE + np.zeros((2, len(live)), np.int64)
    if len(graph.children):
        taxonomy = Taxonomy.build(
            len(live), graph.children, graph.parents, None, Rules(dead_ends=False)
        )
        high, low = (_only_class(taxonomy, level, len(live)) for level in (1, 2))
    plain = _main_term_by_concept(content)
    tags: dict[int, set[str]] = {}
    for index, concept in enumerate(live):
        tags.setdefault(int(high[index]), set()).add(concept.kind)
    row_by_term: dict[str, tuple[str, str, str]] = {}
    for index, concept in enumerate(live):
        term = plain.get(concept.curie)
        tag = concept.kind if tagged and len(tags[int(high[index])]) > 1 else ""
        if term is None or high[index] == _NOWHERE or not (tag or low[index] != _NOWHERE):
            continue
        above = labels[high[index]]
        category = f"{above}: {tag or labels[low[index]]}"
        row_by_term.setdefault(term.casefold(), (term, category, above))
    terms, categories, classes = (
        zip(*row_by_term.values(), strict=True) if row_by_term else ((), (), ())
    )
    return list(terms), list(categories), list(classes)


def _main_term_by_concept(content: TermContent) -> dict[str, str]:
    concepts, _ = concept_terms(content)
    return {concept.id: concept.main for concept in concepts if concept.live}


def _only_class(taxonomy: Taxonomy, level: int, count: int) -> Int64s:
    """The class that each concept is below, where there is just one, (n,)."""
    below, classes = taxonomy.memberships(level)
    class_ids = np.full(count, _NOWHERE)
    class_ids[below] = taxonomy.classes(level)[classes]
    class_ids[np.bincount(below, minlength=count) != 1] = _NOWHERE
    return class_ids
