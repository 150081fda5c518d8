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
    live = [each for each in content.concepts if not each.obsolete]
    labels = [each.label for each in live]
    high, low = _NOWHERE + np.zeros((2, len(live)), np.int64)
    if len(graph.children):
        taxonomy = Taxonomy.build(
            len(live), graph.children, graph.parents, None, Rules(dead_ends=False)
        )
        high, low = (_only_class(taxonomy, level, len(live)) for level in (1, 2))
    plain = _main_term_by_concept(content)
    tags: dict[int, set[str]] = {}
    for place, concept in enumerate(live):
        tags.setdefault(int(high[place]), set()).add(concept.kind)
    found: dict[str, tuple[str, str, str]] = {}
    for place, concept in enumerate(live):
        term = plain.get(concept.curie)
        tag = concept.kind if tagged and len(tags[int(high[place])]) > 1 else ""
        if term is None or high[place] == _NOWHERE or not (tag or low[place] != _NOWHERE):
            continue
        above = labels[high[place]]
        category = f"{above}: {tag or labels[low[place]]}"
        found.setdefault(term.casefold(), (term, category, above))
    terms, categories, classes = zip(*found.values(), strict=True) if found else ((), (), ())
    return list(terms), list(categories), list(classes)


def _main_term_by_concept(content: TermContent) -> dict[str, str]:
    concepts, _ = concept_terms(content)
    return {each.id: each.main for each in concepts if each.live}


def _only_class(taxonomy: Taxonomy, level: int, count: int) -> Int64s:
    """The class that each concept is below, where there is just one, (n,)."""
    below, classes = taxonomy.memberships(level)
    found = np.full(count, _NOWHERE)
    found[below] = taxonomy.classes(level)[classes]
    found[np.bincount(below, minlength=count) != 1] = _NOWHERE
    return found
