"""Concepts that stand a parent too high: which, how likely, and where they belong.

What is learned from are copies in which some concepts were lifted, as `lift_concepts` does it. A
candidate is true where it is the parent that the concept was lifted from. Concepts are parted into
folds: who judges one has never been told about it, in any copy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.evaluation.likelihood import Trial, try_likelihoods
from termexplorer.trainer.placing.deeper_candidates import (
    DeeperCandidates,
    DeeperEvidence,
    LinkTable,
    NearConcepts,
    take_first,
)
from termexplorer.trainer.placing.lifted_links import lift_concepts
from termexplorer.trainer.placing.named_hierarchy import NamedHierarchy

Int64s = NDArray[np.int64]
Float64s = NDArray[np.float64]

_FOLDS = 3
_LEARNED = 8  # copies to learn from, in each of which some of the concepts are looked at
_TRIED = 3  # further copies, in which all are
_STEPS = 64  # of each feature
_TREES = {
    "max_iter": 60,
    "max_leaf_nodes": 6,
    "learning_rate": 0.1,
    "l2_regularization": 5.0,
    "early_stopping": False,
}


@dataclass(frozen=True, eq=False)
class DeeperParents:
    """The likeliest deeper parent of each of m concepts that have a candidate.

    Attributes:
        concepts: (m,) int64, the likeliest to stand too high first.
        parents: (m,) int64, the parent that each has.
        deeper: (m,) int64, the candidate, below that.
        likelihoods: (m,) float64, that it is the right one, if so many are lifted as in the copies.
        nearest: (m,) int64, the concept nearest by the first encoder of those below the candidate;
            -1 where none is among the nearest.
        agree: (m,) int64, for how many encoders the nearest concept of all is the candidate or
            below it.
        lifted: how many concepts were lifted in each copy.
        trial: how good the likelihoods are on further copies.
    """

    concepts: Int64s
    parents: Int64s
    deeper: Int64s
    likelihoods: Float64s
    nearest: Int64s
    agree: Int64s
    lifted: int
    trial: Trial


def find_deeper_parents(
    hierarchy: NamedHierarchy,
    near: Sequence[NearConcepts],
    *,
    share: float,
    seed: int = 0,
    tick: Callable[[], None] = lambda: None,
) -> DeeperParents:
    """Find concepts that stand too high, and where they belong.

    Args:
        hierarchy: of n concepts.
        near: the concepts nearest to each of them, by one or more encoders.
        share: of the concepts that are lifted in each copy.
        seed: of the copies.
        tick: called now and then; may raise to stop.

    Raises:
        ValueError: no concept has a parent with a parent, or a deeper candidate.
    """
    evidence = DeeperEvidence(hierarchy.labels, near)
    judge = _Judge.learn(hierarchy, evidence, share, seed, tick)
    tries = []
    for number in range(_TRIED):
        copy = lift_concepts(hierarchy.to_parents, share, seed + _LEARNED + number)
        links = LinkTable(copy.child, copy.parent, hierarchy.concepts)
        best, likelihoods = judge.choose_best(links)
        true = copy.former[best.concepts] == best.candidates
        tries.append((likelihoods, true))
        tick()
    links = LinkTable(hierarchy.child, hierarchy.parent, hierarchy.concepts)
    best, likelihoods = judge.choose_best(links)
    order = np.argsort(-likelihoods, kind="stable")
    concepts, parents, deeper = (
        side[order] for side in (best.concepts, best.parents, best.candidates)
    )
    nearest, agree = _find_nearest_below(links, near, concepts, deeper)
    return DeeperParents(
        concepts, parents, deeper, likelihoods[order], nearest, agree, len(copy.lifted),
        try_likelihoods(tries),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Judge:
    """Tells true candidates from the others.

    Attributes:
        evidence: of the hierarchy.
        folds: (n,) int64, of each concept.
        models: for each fold what was learned from the other folds.
    """

    evidence: DeeperEvidence
    folds: Int64s
    models: Sequence[_SteppedTrees]

    @classmethod
    def learn(
        cls,
        hierarchy: NamedHierarchy,
        evidence: DeeperEvidence,
        share: float,
        seed: int,
        tick: Callable[[], None],
    ) -> _Judge:
        """Learn from copies: from all lifted concepts of each, and from each other one once."""
        count = hierarchy.concepts
        random = np.random.default_rng(seed)
        folds = random.integers(0, _FOLDS, count)
        turns = random.integers(0, _LEARNED, count)
        described, true, weights = [], [], []
        for number in range(_LEARNED):
            copy = lift_concepts(hierarchy.to_parents, share, seed + number)
            links = LinkTable(copy.child, copy.parent, count)
            some = np.flatnonzero((turns == number) | (copy.former >= 0))
            candidates = evidence.describe(links, some)
            described.append(candidates)
            true.append(copy.former[candidates.concepts] == candidates.candidates)
            is_lifted = copy.former[candidates.concepts] >= 0
            weights.append(np.where(is_lifted, 1 / _LEARNED, 1.0))
            tick()
        features = np.concatenate([candidates.features for candidates in described])
        fold = folds[np.concatenate([candidates.concepts for candidates in described])]
        labels, weight = np.concatenate(true), np.concatenate(weights)
        if not labels.any():
            raise TrainerError(
                "nothing tells where lifted concepts come from; give a larger hierarchy, or other "
                "encoders"
            )
        models = []
        for number in range(_FOLDS):
            taught = fold != number
            model = _SteppedTrees(features[taught], described[0].rising)
            models.append(model.fit(features[taught], labels[taught], weight[taught]))
            tick()
        return cls(evidence, folds, models)

    def choose_best(self, links: LinkTable) -> tuple[DeeperCandidates, Float64s]:
        """Return the likeliest candidate of each concept that has one, and its likelihood."""
        candidates = self.evidence.describe(links, np.arange(len(self.folds)))
        likelihoods = np.zeros(len(candidates.concepts))
        for number, model in enumerate(self.models):
            some = self.folds[candidates.concepts] == number
            if some.any():
                likelihoods[some] = model.predict(candidates.features[some])
        first = take_first(candidates.concepts, likelihoods, 1)
        best = DeeperCandidates(
            candidates.concepts[first], candidates.parents[first], candidates.candidates[first],
            candidates.features[first], candidates.rising,
        )  # fmt: skip
        return best, likelihoods[first]


class _SteppedTrees:
    """Gradient boosted trees over features that are made steps first.

    The trees make steps themselves, but with weights that takes them longer than all else.

    Args:
        features: (r, f), by whose quantiles the steps are made.
        rising: of each feature, see `DeeperCandidates`.
    """

    def __init__(self, features: Float64s, rising: list[int]) -> None:
        shares = np.linspace(0, 1, _STEPS + 1)[1:-1]
        self._edges = np.quantile(features, shares, axis=0)
        self._rising = rising
        self._model: Any = None

    def fit(self, features: Float64s, true: NDArray[np.bool_], weights: Float64s) -> _SteppedTrees:
        """Learn which of r candidates are true, each weighted, and return itself."""
        from sklearn.ensemble import HistGradientBoostingClassifier
        from threadpoolctl import threadpool_limits

        trees = HistGradientBoostingClassifier(**_TREES, monotonic_cst=self._rising, random_state=0)
        with threadpool_limits(1, "openmp"):  # on busy cores more threads take many times as long
            self._model = trees.fit(self._make_steps(features), true, sample_weight=weights)
        return self

    def predict(self, features: Float64s) -> Float64s:
        """Return how likely each of r candidates is true, (r,)."""
        return np.asarray(self._model.predict_proba(self._make_steps(features))[:, 1])

    def _make_steps(self, features: Float64s) -> Float64s:
        columns = zip(self._edges.T, features.T, strict=True)
        steps = [np.searchsorted(edges, column, side="right") for edges, column in columns]
        return np.stack(steps, axis=1).astype(np.float64)


def _find_nearest_below(
    links: LinkTable, near: Sequence[NearConcepts], concepts: Int64s, deeper: Int64s
) -> tuple[Int64s, Int64s]:
    """Return the nearest concept below each candidate, and how many encoders have it nearest."""
    nearest = np.full(len(concepts), -1)
    agree = np.zeros(len(concepts), np.int64)
    for number, (neighbours, _) in enumerate(near):
        around = neighbours[concepts]
        shape = around.shape
        flat = around.ravel()
        is_above = links.is_above(np.repeat(deeper, shape[1]), flat).reshape(shape)
        is_free = ~links.is_above(np.repeat(concepts, shape[1]), flat).reshape(shape)
        first = around[np.arange(len(around)), is_free.argmax(axis=1)]
        agree += (first == deeper) | links.is_above(deeper, first)
        if number == 0:
            counts = is_above & is_free
            rows = np.flatnonzero(counts.any(axis=1))
            nearest[rows] = around[rows, counts[rows].argmax(axis=1)]
    return nearest, agree
