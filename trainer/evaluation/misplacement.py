"""Which concepts an encoder would put below another class than the one that they are below.

What an encoder says of a concept is what its nearest concepts are below, and which class's names
are nearest to its own. How much that is worth is learned from copies of the ontology in which some
concepts were moved, so that the truth is known: to a class that is like their own, as errors are
made, for one that is drawn from all is told at a glance, and has the likelihoods too sure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from termexplorer.trainer.errors import TrainerError

if TYPE_CHECKING:
    from termexplorer.trainer.evaluation.matching import Matches

Int64s = NDArray[np.int64]
Float64s = NDArray[np.float64]
Bools = NDArray[np.bool_]
AnyInts = NDArray[np.signedinteger[Any]]

_ALIKE = 5  # classes that a concept of a class is mistaken for
_VOTERS = 10  # nearest concepts
FEATURES = ("nearest concept", "votes of the ten nearest", "names of the class")


@dataclass(frozen=True, eq=False)
class Evidence:
    """What an encoder says of m concepts, whatever they are said to be below.

    Attributes:
        neighbours: (m, k) int64, other concepts, the most similar first.
        near: (m, k) float64, how similar these are, by their most similar names.
        hypernyms: (m, h) int64, classes by their own names, the most similar first.
        above: (m, h) float64, how similar those are.
    """

    neighbours: Int64s
    near: Float64s
    hypernyms: Int64s
    above: Float64s

    @classmethod
    def of(cls, among: Matches, level: Matches, level_classes: Int64s) -> Evidence:
        """Put together what `match_concepts` found.

        Args:
            among: the m concepts among themselves; each is left out of its own neighbours.
            level: the m concepts and those on the level.
            level_classes: (h,) int64, the class that each concept on the level is.
        """
        neighbours, near = among.others()
        return cls(
            neighbours,
            near.astype(np.float64),
            level_classes[level.places],
            level.similarities.astype(np.float64),
        )


@dataclass(frozen=True, eq=False)
class Doubts:
    """How much an encoder doubts each concept's class.

    Attributes:
        classes: (m,) int64, the best class that a concept is not below; -1 where there is none.
        margins: (m, 3) float64, by how much the best other class is ahead of the concept's own
            ones, in each of `FEATURES`.
    """

    classes: Int64s
    margins: Float64s


def doubts(evidence: Evidence, membership: csr_array) -> Doubts:
    """Weigh what an encoder says against what is asserted.

    Args:
        evidence: of m concepts.
        membership: (m, c) bool, which classes each is said to be below.
    """
    nearest = _of_neighbours(evidence, membership, evidence.near.shape[1])
    voters = _of_neighbours(evidence, membership, _VOTERS)
    votes = _reduce_duplicates(*voters, np.add)
    total = np.maximum(np.bincount(votes[0], votes[2], len(evidence.near)), 1e-12)
    rows = np.repeat(np.arange(len(evidence.above)), evidence.above.shape[1])
    level = rows, evidence.hypernyms.ravel(), evidence.above.ravel()
    zero = np.zeros(len(evidence.near))
    near = _Margin.of(
        _reduce_duplicates(*nearest, np.maximum), membership, _floor_similarity(evidence.near)
    )
    share = _Margin.of((votes[0], votes[1], votes[2] / total[votes[0]]), membership, zero)
    above = _Margin.of(level, membership, _floor_similarity(evidence.above))
    classes = np.where(share.other >= 0, share.other, near.other)
    return Doubts(classes, np.stack([near.margin, share.margin, above.margin], axis=1))


@dataclass(frozen=True, eq=False)
class _Margin:
    """The best class of each row that is not its own, (q,), and how far it is ahead, (q,)."""

    other: Int64s
    margin: Float64s

    @classmethod
    def of(
        cls,
        nearest_classes: tuple[Int64s, Int64s, Float64s],
        membership: csr_array,
        floor: Float64s,
    ) -> _Margin:
        rows, classes, values = nearest_classes
        is_own = np.isin(
            _cell_keys(rows, classes, membership), _cell_keys(*membership.nonzero(), membership)
        )
        best = np.full(len(floor), -np.inf)
        np.maximum.at(best, rows[is_own], values[is_own])
        best_other = np.full(len(floor), -np.inf)
        np.maximum.at(best_other, rows[~is_own], values[~is_own])
        other = np.full(len(floor), -1)
        last = ~is_own & (values == best_other[rows])
        other[rows[last][::-1]] = classes[last][::-1]  # of equals the first
        own_best, other_best = np.maximum(best, floor), np.maximum(best_other, floor)
        return cls(other, other_best - own_best)


def _cell_keys(rows: AnyInts, classes: AnyInts, membership: csr_array) -> Int64s:
    return np.asarray(rows, np.int64) * membership.shape[1] + classes


def _of_neighbours(
    evidence: Evidence, membership: csr_array, k: int
) -> tuple[Int64s, Int64s, Float64s]:
    """Concept, class and similarity for each class of each of the first k neighbours."""
    neighbours, near = evidence.neighbours[:, :k], evidence.near[:, :k]
    counts = np.diff(membership.indptr)[neighbours.ravel()]
    rows = np.repeat(np.repeat(np.arange(len(near)), near.shape[1]), counts)
    starts = np.repeat(membership.indptr[:-1][neighbours.ravel()], counts)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    classes = membership.indices[starts + within]
    values = np.repeat(np.maximum(near.ravel(), 0), counts)
    return rows, classes.astype(np.int64), values


def _reduce_duplicates(
    rows: Int64s, classes: Int64s, values: Float64s, by: np.ufunc
) -> tuple[Int64s, Int64s, Float64s]:
    """The same with each class once in a row, its values added or their largest."""
    if not len(rows):
        return rows, classes, values
    order = np.lexsort((classes, rows))
    rows, classes, values = rows[order], classes[order], values[order]
    fresh = np.append(True, (np.diff(rows) != 0) | (np.diff(classes) != 0))
    starts = np.flatnonzero(fresh)
    return rows[starts], classes[starts], by.reduceat(values, starts)


def _floor_similarity(similarities: Float64s) -> Float64s:
    """What a class that is not among the first is at most: the last of them, (q,)."""
    if not similarities.shape[1]:
        return np.zeros(len(similarities))
    return np.maximum(similarities[:, -1], 0)


def list_alike(evidence: Evidence, membership: csr_array, count: int = _ALIKE) -> Int64s:
    """Return for each class those most like it, (c, count), the likest first; -1 where none is.

    Classes are alike whose names an encoder finds near the concepts of the other.

    Args:
        evidence: of m concepts.
        membership: (m, c) bool, which classes each is below.
        count: of classes.
    """
    concepts, own_classes = membership.nonzero()
    classes = membership.shape[1]
    hypernyms, above = evidence.hypernyms[concepts], np.maximum(evidence.above[concepts], 0)
    rows = np.repeat(own_classes, hypernyms.shape[1])
    is_other = (rows != hypernyms.ravel()) & (above.ravel() > 0)
    cells = rows[is_other], hypernyms.ravel()[is_other]
    likeness = csr_array((above.ravel()[is_other], cells), shape=(classes, classes))
    likeness.sum_duplicates()  # sparse: deep levels have tens of thousands of classes
    alike = np.full((classes, count), -1)
    for row in range(classes):
        cell = slice(*likeness.indptr[row : row + 2])
        likest = np.argsort(-likeness.data[cell], kind="stable")[:count]
        alike[row, : len(likest)] = likeness.indices[cell][likest]
    return alike


def moved(
    membership: csr_array, share: float, seed: int, alike: Int64s | None = None
) -> tuple[csr_array, Bools]:
    """Move some concepts below one class each that they are not below.

    Args:
        membership: (m, c) bool, each concept below one class at least.
        share: of the m concepts, rounded; at least one is moved.
        seed: of the draw.
        alike: (c, k) int64, the classes that concepts of each are mistaken for, as `list_alike`
            gives them; -1 for none. Where there are none, all classes are drawn from.

    Returns:
        The membership that comes of it, and which concepts were moved, (m,).

    Raises:
        ValueError: every concept is below every class.
    """
    rng = np.random.default_rng(seed)
    count, classes = membership.shape
    free = np.flatnonzero(np.diff(membership.indptr) < classes)
    if not len(free):
        raise TrainerError("every concept is below every class: nothing can be moved")
    chosen = rng.permutation(free)[: max(round(share * count), 1)]
    changed = membership.tolil()
    for row in chosen.tolist():
        own_classes = membership.indices[slice(*membership.indptr[row : row + 2])]
        other_classes = np.setdiff1d(np.arange(classes), own_classes)
        if alike is not None:
            mistaken = np.setdiff1d(alike[own_classes], [-1, *own_classes])
            other_classes = mistaken if len(mistaken) else other_classes
        changed.rows[row], changed.data[row] = [int(rng.choice(other_classes))], [True]
    mask = np.zeros(count, np.bool_)
    mask[chosen] = True
    return csr_array(changed), mask
