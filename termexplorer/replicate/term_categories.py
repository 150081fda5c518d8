"""[MTS] 5.3: whether terms are nearer to those of a close category than to those of distant ones.

A category is what is below one class of the second level, or in SNOMED CT a semantic tag; close are
those below the same class of the first level, distant all below another one.
"""

import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.replicate.request import Release
from termexplorer.replicate.results import Record
from termexplorer.replicate.runs import Bench, exact
from termexplorer.services.importing import RF2
from termexplorer.services.ontologies import find_ontology
from termexplorer.store.corpus import release_graph
from termexplorer.store.term_content import TermContent, term_content
from termexplorer.taxonomy.cleaning import Rules, Taxonomy
from termexplorer.workers.child import trainer_errors
from termexplorer.workers.pair_terms import concept_terms

if TYPE_CHECKING:
    from trainer.evaluation.scores import Scores
    from trainer.pairs import PairSet

CATEGORIES = "categories"
Int64s = NDArray[np.int64]
Similarity = Callable[["PairSet"], NDArray[np.float32]]

_NOWHERE = -1


def drawn_terms(bench: Bench, release: Release, knows: Similarity) -> Record:
    """The terms of a study, with their categories; none where there are no close categories.

    Each concept has one, its fully specified or else its preferred name. Concepts that are in
    several categories or classes are left out.

    Args:
        bench: of the study.
        release: whose terms they are.
        knows: NaN for pairs of terms of which nothing is known.
    """
    terms, categories, above = _terms(bench, release)
    if not terms:
        return {"names": [], "category": [], "above": []}
    with trainer_errors():
        known = ~np.isnan(knows(_pairs(terms, np.arange(len(terms)), np.arange(len(terms)))))
    random = np.random.default_rng(zlib.crc32(CATEGORIES.encode()))
    places = random.permutation(np.flatnonzero(known))[: bench.request.hyperparameters["names"]]
    places.sort()
    return {
        "names": [terms[place] for place in places.tolist()],
        "category": [categories[place] for place in places.tolist()],
        "above": [above[place] for place in places.tolist()],
    }


def overlaps(bench: Bench, drawn: Record, similarity: Similarity) -> Record:
    """Of each term, the share of triples in which a distant term is at least as similar."""
    from trainer.evaluation.categories import category_separation

    count = len(drawn["names"])
    first, second = np.triu_indices(count, 1)
    matrix = np.zeros((count, count), np.float32)
    if count > 1:
        with trainer_errors():
            matrix[first, second] = similarity(_pairs(drawn["names"], first, second))
    matrix += matrix.T
    scores: Scores = lambda one, others: matrix[np.ix_(one, others)]  # noqa: E731
    category, above = (np.array(drawn[key], object) for key in ("category", "above"))
    found = np.full(count, np.nan)
    for each in sorted(set(drawn["category"])):
        own = category == each
        near = (above == above[own][0]) & ~own
        groups = (np.flatnonzero(mask) for mask in (own, near, above != above[own][0]))
        found[own] = category_separation(scores, *groups, tick=bench.tick).items["overlap"]
    return {"overlap": exact(found)}


def _pairs(terms: list[str], first: Int64s, second: Int64s) -> "PairSet":
    from trainer.pairs import PairSet

    left, right = (tuple(terms[place] for place in side.tolist()) for side in (first, second))
    return PairSet(CATEGORIES, left, right, np.zeros(len(left)))


def _terms(bench: Bench, release: Release) -> tuple[list[str], list[str], list[str]]:
    """Different terms, the category of each, and the class of the first level above it."""
    snomed = find_ontology(bench.workspace, str(release.id)).format == RF2
    with bench.workspace.store.reading() as connection:
        content = term_content(connection, release.id)
        graph = release_graph(connection, release.id)
    live = [each for each in content.concepts if not each.obsolete]
    labels = [each.label for each in live]
    tagged = snomed and len({each.kind for each in live}) > 1
    high, low = _NOWHERE + np.zeros((2, len(live)), np.int64)
    if len(graph.children):
        taxonomy = Taxonomy.build(
            len(live), graph.children, graph.parents, None, Rules(dead_ends=False)
        )
        high, low = (_only_class(taxonomy, level, len(live)) for level in (1, 2))
    plain = _plain(content)
    found: dict[str, tuple[str, str, str]] = {}
    for place, concept in enumerate(live):
        term = plain.get(concept.curie)
        tag = concept.kind if tagged else ""
        if term is None or high[place] == _NOWHERE or not (tag or low[place] != _NOWHERE):
            continue
        above = labels[high[place]]
        category = f"{above}: {tag or labels[low[place]]}"
        found.setdefault(term.casefold(), (term, category, above))
    terms, categories, classes = zip(*found.values(), strict=True) if found else ((), (), ())
    return list(terms), list(categories), list(classes)


def _plain(content: TermContent) -> dict[str, str]:
    concepts, _ = concept_terms(content)
    return {each.id: each.main for each in concepts if each.live}


def _only_class(taxonomy: Taxonomy, level: int, count: int) -> Int64s:
    """The class that each concept is below, where there is just one, (n,)."""
    below, classes = taxonomy.memberships(level)
    found = np.full(count, _NOWHERE)
    found[below] = taxonomy.classes(level)[classes]
    found[np.bincount(below, minlength=count) != 1] = _NOWHERE
    return found
