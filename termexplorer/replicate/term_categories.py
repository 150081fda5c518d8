"""[MTS] 5.3: whether terms are nearer to those of a close category than to those of distant ones.

A category is what is below one class of the second level, or in SNOMED CT a semantic tag; close are
those below the same class of the first level, distant all below another one.
"""

import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.replicate.request import StudyRelease
from termexplorer.replicate.runs import Bench, exact
from termexplorer.replicate.work.pieces import Record
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.services.importing.releases import RF2
from termexplorer.trainer.metrics import OVERLAP
from termexplorer.workers.data.category_terms import category_terms
from termexplorer.workers.process.child import trainer_errors

if TYPE_CHECKING:
    from termexplorer.trainer.evaluation.scores import Scores
    from termexplorer.trainer.files.pairs import PairSet

CATEGORIES = "categories"
Int64s = NDArray[np.int64]
Similarity = Callable[["PairSet"], NDArray[np.float32]]


def drawn_terms(bench: Bench, release: StudyRelease, knows: Similarity) -> Record:
    """The terms of a study, with their categories; none where there are no close categories.

    Each concept has one, its fully specified or else its preferred name. Concepts that are in
    several categories or classes are left out.

    Args:
        bench: of the study.
        release: whose terms they are.
        knows: NaN for pairs of terms of which nothing is known.
    """
    tagged = find_ontology(bench.workspace, str(release.id)).format == RF2
    terms, categories, above = category_terms(bench.workspace.store, release.id, tagged)
    if not terms:
        return {"names": [], "category": [], "above": []}
    with trainer_errors():
        known = ~np.isnan(
            knows(_make_pair_set(terms, np.arange(len(terms)), np.arange(len(terms))))
        )
    random = np.random.default_rng(zlib.crc32(CATEGORIES.encode()))
    places = random.permutation(np.flatnonzero(known))[: bench.request.hyperparameters["names"]]
    places.sort()
    return {
        "names": [terms[index] for index in places.tolist()],
        "category": [categories[index] for index in places.tolist()],
        "above": [above[index] for index in places.tolist()],
    }


def overlaps(bench: Bench, drawn: Record, similarity: Similarity) -> Record:
    """Of each term, the share of triples in which a distant term is at least as similar."""
    from termexplorer.trainer.evaluation.categories import category_separation

    count = len(drawn["names"])
    first, second = np.triu_indices(count, 1)
    matrix = np.zeros((count, count), np.float32)
    if count > 1:
        with trainer_errors():
            matrix[first, second] = similarity(_make_pair_set(drawn["names"], first, second))
    matrix += matrix.T
    scores: Scores = lambda rows, columns: matrix[np.ix_(rows, columns)]  # noqa: E731
    category, above = (np.array(drawn[key], object) for key in ("category", "above"))
    overlap_values = np.full(count, np.nan)
    for drawn_category in sorted(set(drawn["category"])):
        is_own = category == drawn_category
        near = (above == above[is_own][0]) & ~is_own
        groups = (np.flatnonzero(mask) for mask in (is_own, near, above != above[is_own][0]))
        overlap_values[is_own] = category_separation(scores, *groups, tick=bench.tick).items[
            OVERLAP
        ]
    return {OVERLAP: exact(overlap_values)}


def _make_pair_set(terms: list[str], first: Int64s, second: Int64s) -> "PairSet":
    from termexplorer.trainer.files.pairs import PairSet

    left, right = (tuple(terms[index] for index in side.tolist()) for side in (first, second))
    return PairSet(CATEGORIES, left, right, np.zeros(len(left)))
