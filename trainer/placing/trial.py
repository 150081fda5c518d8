"""Placing unseen terms: their direct parents among all concepts that are left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import dijkstra

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.evaluation.bootstrap import mean_figures
from termexplorer.trainer.evaluation.figures import TaskResult
from termexplorer.trainer.metrics import DISTANCE, HITS, MRR
from termexplorer.trainer.placing.named_hierarchy import NamedHierarchy

Int64s = NDArray[np.int64]

HIDDEN = 0.1  # of the concepts
FIRST = (1, 10)
_FARTHEST = 50.0  # links; nothing in a hierarchy is farther away


@dataclass(frozen=True, eq=False)
class PlacingData:
    """A hierarchy, and terms that were taken out of it.

    Attributes:
        hierarchy: what is left.
        terms: the labels of the concepts that were hidden and have a parent that is left.
        parents: (p,) each, of each term.
    """

    hierarchy: NamedHierarchy
    terms: tuple[str, ...]
    parents: tuple[Int64s, ...]


def hide_concepts(whole: NamedHierarchy, seed: int, share: float = HIDDEN) -> PlacingData:
    """Hide a share of all concepts, leaves and inner ones.

    Args:
        whole: the hierarchy.
        seed: by which they are drawn.
        share: of them.

    Raises:
        ValueError: no hidden concept has a parent that is left.
    """
    count = round(share * whole.concepts)
    hidden = np.sort(np.random.default_rng(seed).permutation(whole.concepts)[:count])
    left, numbers = whole.without(hidden)
    links, labels = whole.to_parents, whole.labels
    parents = [
        numbers[links.indices[links.indptr[concept] : links.indptr[concept + 1]]]
        for concept in hidden
    ]
    placed = [
        (labels[concept], of_concept[of_concept >= 0])
        for concept, of_concept in zip(hidden, parents, strict=True)
        if (of_concept >= 0).any()
    ]
    if not placed:
        raise TrainerError("no hidden concept has a parent that is left; give a larger hierarchy")
    return PlacingData(left, tuple(term for term, _ in placed), tuple(right for _, right in placed))


def placing(
    data: PlacingData,
    ranked: Iterable[Int64s],
    *,
    seed: int = 0,
    tick: Callable[[], None] = lambda: None,
) -> TaskResult:
    """Tell how near the top the direct parents of hidden terms are.

    Args:
        data: with t terms.
        ranked: for each term concepts, the likeliest parent first; those that are not among them
            count as not found.
        seed: of the bootstrap.
        tick: called after each term; may raise to stop.

    Returns:
        MRR (primary) and ``hits@k`` of the best right parent, and the links between the first
        concept and the nearest right one; NaN where there is no way, or nothing was ranked.
    """
    links = data.hierarchy.to_parents
    both_ways = (links + links.T).tocsr()
    ranks, distances = [], []
    for right, concepts in zip(data.parents, ranked, strict=True):
        places = np.flatnonzero(np.isin(concepts, right))
        ranks.append(float(places[0]) + 1 if len(places) else np.inf)
        distances.append(_count_links(both_ways, concepts[:1], right))
        tick()
    rank = np.array(ranks)
    items = {
        MRR: 1 / rank,
        **{f"{HITS}{k}": (rank <= k).astype(np.float64) for k in FIRST},
        DISTANCE: np.array(distances),
    }
    return mean_figures(items, seed)


def _count_links(both_ways: Any, first: Int64s, right: Int64s) -> float:
    if not len(first):
        return np.nan
    (lengths,) = dijkstra(
        both_ways, return_predecessors=False, unweighted=True, indices=first, limit=_FARTHEST
    )
    nearest = float(np.asarray(lengths)[right].min())
    return nearest if np.isfinite(nearest) else np.nan


def rank_by_similarity(
    data: PlacingData, compare: Callable[[list[str]], NDArray[np.float32]], count: int = 100
) -> Iterator[Int64s]:
    """Rank concepts by the similarity of their nearest name alone, to compare with.

    Args:
        data: with t terms.
        compare: gives (q, n) similarities of q terms and all n concepts.
        count: concepts of each term.
    """
    for term in data.terms:
        yield np.argsort(-compare([term])[0], kind="stable")[:count]
