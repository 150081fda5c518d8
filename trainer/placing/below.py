"""The likeliest direct parents of concepts of a hierarchy below classes that they may belong to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import breadth_first_order

from termexplorer.trainer.placing.evidence import PlacingEvidence
from termexplorer.trainer.placing.named_hierarchy import NamedHierarchy
from termexplorer.trainer.placing.placer import LEAST, Placer
from termexplorer.trainer.representations.base import Representation

Int64s = NDArray[np.int64]

_LEARNED = 600  # concepts whose parents are learned from; a class leaves few to choose from


def find_parents_below(
    hierarchy: NamedHierarchy,
    encoder: Representation | None,
    concepts: Sequence[int],
    classes: Sequence[int],
    *,
    seed: int = 0,
    tick: Callable[[], None] = lambda: None,
) -> Int64s:
    """Find the likeliest direct parent of each of some concepts, within a class for each.

    What makes a parent is learned from the hierarchy; of one that is too small for that, the
    parent is the concept with the most similar names.

    Args:
        hierarchy: with names.
        encoder: of names; None: they are compared as written alone.
        concepts: c of the hierarchy, each taken for one that is not there.
        classes: for each, the concept that its parent is to be, or to be below.
        seed: by which the concepts to learn from are drawn.
        tick: called after each concept; may raise to stop.

    Returns:
        (c,), no concept below the one that it is the parent of; -1 where all that is left is
        itself or below it.
    """
    below = {class_: list_below(hierarchy, class_) for class_ in set(classes)}
    among = [
        np.setdiff1d(below[class_], list_below(hierarchy, concept))
        for concept, class_ in zip(concepts, classes, strict=True)
    ]
    asked = [number for number, left in enumerate(among) if len(left)]
    parents = np.full(len(among), -1)
    some = [concepts[number] for number in asked], [among[number] for number in asked]
    is_learnable = len(np.unique(hierarchy.child)) >= LEAST
    if is_learnable and asked:
        ranked = _rank_as_learned(hierarchy, encoder, *some, seed, tick)
    else:
        ranked = _rank_by_similarity(PlacingEvidence(hierarchy, encoder), *some)
    for number, parent in zip(asked, ranked, strict=True):
        parents[number] = parent
        tick()
    return parents


def list_below(hierarchy: NamedHierarchy, concept: int) -> Int64s:
    """Return a concept and all below it."""
    reached = breadth_first_order(hierarchy.to_children, concept, return_predecessors=False)
    return np.asarray(reached, dtype=np.int64)


def _rank_as_learned(
    hierarchy: NamedHierarchy,
    encoder: Representation | None,
    concepts: Sequence[int],
    among: Sequence[Int64s],
    seed: int,
    tick: Callable[[], None],
) -> Iterator[int]:
    placer = Placer.fit(hierarchy, encoder, learned=_LEARNED, seed=seed, tick=tick)
    terms = [hierarchy.labels[concept] for concept in concepts]
    for placement in placer.place(terms, concepts, among):
        yield int(placement.concepts[0])


def _rank_by_similarity(
    evidence: PlacingEvidence, concepts: Sequence[int], among: Sequence[Int64s]
) -> Iterator[int]:
    labels = evidence.hierarchy.labels
    for concept, left in zip(concepts, among, strict=True):
        rows = [table[0] for table in evidence.compare([labels[concept]])]
        yield int(left[np.mean([row[left] for row in rows], axis=0).argmax()])
