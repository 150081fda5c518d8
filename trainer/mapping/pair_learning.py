"""Learn from made pairs what the names and neighbours of two concepts tell of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.mapping.decision_model import (
    Calibrator,
    FoldedModel,
    MadeRows,
    calibrate_apart,
    fold_sources,
    measure_made,
)
from termexplorer.trainer.mapping.hierarchy_features import (
    describe_neighbours,
    describe_positions,
)
from termexplorer.trainer.mapping.made_pairs import (
    BROAD_MATCH,
    EXACT_MATCH,
    NARROW_MATCH,
    NO_MATCH,
    UNKNOWN,
    hide_names,
    label_pairs,
)
from termexplorer.trainer.mapping.name_features import (
    Features,
    NameView,
    describe_names,
    view_all,
)
from termexplorer.trainer.mapping.name_pairs import NamePairs
from termexplorer.trainer.mapping.sides import MappingSide

Int64s = NDArray[np.int64]
Float32s = NDArray[np.float32]
Bools = NDArray[np.bool_]
Float64s = NDArray[np.float64]

_VIEWS = 2  # of each problem, with other names hidden
_MOST_ANCHORS = 1500
_FEWEST_ANCHORS = 20
_KEPT_RANKS = 3  # candidates that are learned from, of those that are no match
_KEPT_SHARE = 0.05  # of the others
_LISTED_RANKS, _LISTED_SHARE = 10, 0.3  # likewise, of a list
_KEPT_BESIDE = 1.0  # broad and narrow pairs for each exact one
_BY_OTHER_ROWS = ("of target", "match", "matches", "is target", "is source", "matched ancestors")
_GONE = (0.2, 0.8)  # least and largest share of anchors one of which is not there


@dataclass(frozen=True, eq=False)
class MappingProblem:
    """Two ontologies with pairs of their concepts, some of which are known.

    Attributes:
        source: of the first concepts.
        target: of the second ones.
        names: the pairs with their names compared.
        anchors: (a, 2) int64, exact matches to learn from.
        none_rate: the share of source concepts that nothing of the target is taken to match.
    """

    source: MappingSide
    target: MappingSide
    names: NamePairs
    anchors: Int64s
    none_rate: float

    @property
    def pairs(self) -> Int64s:
        """Return the (p, 2) int64 pairs."""
        return self.names.pairs

    def describe(self, view: NameView) -> Float32s:
        """Return the features of all pairs that need no other decision, (p, f) float32."""
        positions = describe_positions(self.source, self.target, self.pairs)
        return self._stack_features(describe_names(self.names, view) | positions)

    def describe_with_neighbours(self, features: Float32s, likelihoods: Float32s) -> Float32s:
        """Return all features of all pairs, (p, g) float32, given first likelihoods, (p, 4)."""
        neighbours = describe_neighbours(
            self.source, self.target, self.pairs, likelihoods[:, EXACT_MATCH]
        )
        return np.hstack([features, self._stack_features(neighbours), likelihoods[:, 1:NO_MATCH]])

    def _stack_features(self, features: Features) -> Float32s:
        """Return features as a table; of a list without what its other rows tell of a pair."""
        columns = [
            of for name, of in features.items()
            if not self.source.is_list or not name.endswith(_BY_OTHER_ROWS)
        ]  # fmt: skip
        return np.stack(columns, axis=1).astype(np.float32)


@dataclass(frozen=True, eq=False)
class _LearningView:
    """A problem with some names hidden, and the pairs that are learned from."""

    problem: MappingProblem
    view: NameView
    features: Float32s
    rows: Int64s
    weights: Float64s  # of these rows
    labels: Int64s
    folds: Int64s  # of all pairs


@dataclass(frozen=True, eq=False)
class PairModel:
    """What was learned.

    Attributes:
        quality: macro-F1 over the four classes and the calibration error of exact matches, on made
            pairs that neither the models nor the curves of their fold had seen.
        made: how many pairs were learned from.
    """

    first: FoldedModel
    second: FoldedModel
    calibrator: Calibrator
    quality: dict[str, float]
    made: int
    seed: int

    def judge_pairs(self, problem: MappingProblem) -> Float32s:
        """Return the calibrated likelihood of each class for all pairs, (p, 4) float32."""
        view = view_all(problem.source, problem.target, len(problem.pairs))
        features = problem.describe(view)
        folds = _fold_pairs(problem, self.seed)
        first = self.first.predict(features, folds)
        features = problem.describe_with_neighbours(features, first)
        return self.calibrator.calibrate(self.second.predict(features, folds))


def learn_pairs(
    problems: Sequence[MappingProblem], seed: int = 0, tick: Callable[[], None] = lambda: None
) -> PairModel:
    """Learn from the anchors of some problems.

    Args:
        problems: with anchors.
        seed: of what is hidden.
        tick: called often; may raise to stop.

    Raises:
        ValueError: there are too few anchors.
    """
    anchors = sum(len(problem.anchors) for problem in problems)
    if anchors < _FEWEST_ANCHORS:
        raise TrainerError(
            "only {anchors} concepts to learn from, of {least} at least: too few have a synonym",
            anchors=anchors,
            least=_FEWEST_ANCHORS,
        )
    random = np.random.default_rng(seed)
    views = []
    for problem in problems:
        for _ in range(_VIEWS):
            tick()
            views.append(_draw_view(problem, random, seed))
    first = FoldedModel.fit(_collect_rows(views, [view.features for view in views]))
    tick()
    features = []
    for view in views:
        likelihoods = first.predict(view.features, view.folds)
        likelihoods[view.view.absent] = 0
        features.append(view.problem.describe_with_neighbours(view.features, likelihoods))
        tick()
    rows = _collect_rows(views, features)
    second = FoldedModel.fit(rows)
    likelihoods = second.predict(rows.features, rows.folds)
    calibrator = Calibrator.fit(likelihoods, rows.labels, rows.weights)
    quality = measure_made(calibrate_apart(likelihoods, rows), rows)
    return PairModel(first, second, calibrator, quality, len(rows.labels), seed)


def _fold_pairs(problem: MappingProblem, seed: int) -> Int64s:
    sources = np.arange(problem.source.count)
    return fold_sources(sources, problem.anchors[:, 0], seed)[problem.pairs[:, 0]]


def _draw_view(problem: MappingProblem, random: np.random.Generator, seed: int) -> _LearningView:
    source, target, pairs = problem.source, problem.target, problem.pairs
    count = min(len(problem.anchors), _MOST_ANCHORS)
    anchors = problem.anchors[np.sort(random.permutation(len(problem.anchors))[:count])]
    gone = random.random(count) < np.clip(problem.none_rate, *_GONE)
    labels = label_pairs(source, target, pairs, anchors)
    near = labels != NO_MATCH if source.is_list else None
    view = hide_names(source, target, pairs, anchors, gone, random, near)
    features = problem.describe(view)
    rows, weights = _choose_rows(problem, labels, view.absent, random)
    if near is None:  # weighed likewise, ontologies were matched worse: fewer exact ones were found
        weights = np.ones(len(rows))
    folds = _fold_pairs(problem, seed)
    return _LearningView(problem, view, features, rows, weights, labels[rows], folds)


def _choose_rows(
    problem: MappingProblem, labels: Int64s, absent: Bools, random: np.random.Generator
) -> tuple[Int64s, Float64s]:
    """Return known pairs, and how many each stands for.

    They are the exact ones, as many broad and narrow ones, and the nearest of the rest.
    """
    from termexplorer.trainer.mapping.margins import measure_margins

    names = problem.names
    score = np.maximum.reduceat(names.score, names.starts)
    _, rank = measure_margins(problem.pairs[:, 0], score)
    is_list = problem.source.is_list
    share = np.where(
        rank < (_LISTED_RANKS if is_list else _KEPT_RANKS),
        1.0,
        _LISTED_SHARE if is_list else _KEPT_SHARE,
    )
    exact = (labels == EXACT_MATCH).sum()
    for label in (BROAD_MATCH, NARROW_MATCH):
        is_label = labels == label
        share[is_label] = min(1.0, _KEPT_BESIDE * exact / max(is_label.sum(), 1))
    share[labels == EXACT_MATCH] = 1.0
    chosen = (labels != UNKNOWN) & ~absent & (random.random(len(labels)) < share)
    rows = np.flatnonzero(chosen)
    return rows, 1 / share[rows]


def _collect_rows(views: Sequence[_LearningView], features: Sequence[Float32s]) -> MadeRows:
    return MadeRows(
        np.concatenate([table[view.rows] for view, table in zip(views, features, strict=True)]),
        np.concatenate([view.labels for view in views]),
        np.concatenate([view.folds[view.rows] for view in views]),
        np.concatenate([view.weights for view in views]),
    )
