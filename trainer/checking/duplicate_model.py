"""How likely a term is one that is there already, as terms that are added twice teach it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.checking.made_duplicates import (
    MadeDuplicates,
    SourceTerms,
    list_source_terms,
    make_duplicates,
)
from termexplorer.trainer.checking.pair_features import ComparedTerms, TermComparison
from termexplorer.trainer.checking.reworded import NameRewording
from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.mapping.name_features import NameView

Int64s = NDArray[np.int64]
Float32s = NDArray[np.float32]
Float64s = NDArray[np.float64]
Bools = NDArray[np.bool_]

PRIOR = 0.1
"""The share of new terms that are taken to be duplicates."""
_LEARNED = 1500  # terms that are added a second time
_FEWEST = 20
_FOLDS = 2
_SETTINGS = {
    "max_iter": 80,
    "learning_rate": 0.12,
    "max_leaf_nodes": 15,
    "min_samples_leaf": 20,
    "l2_regularization": 1.0,
    "early_stopping": False,
    "random_state": 0,
}


@dataclass(frozen=True, eq=False)
class LikelyDuplicates:
    """How likely each pair of a term and another one is one concept.

    Attributes:
        pairs: (p, 2) int64, numbers of the terms that were asked for, and rows of the table.
        probabilities: (p,) float64.
    """

    pairs: Int64s
    probabilities: Float64s


class DuplicateModel:
    """Tells terms that a table has already.

    What decides is learned from terms of the table that are added a second time, under some of
    their names or in other words, once with and once without the term that they were made of.

    Attributes:
        comparison: with the terms of the table.
        copies: how many terms were added a second time.
        tried: (2 m, 2) float64 of made terms by a model that had not seen them: the probability of
            the likeliest candidate, and whether the term is there; with the term, then without.
        first_right: the share of made duplicates whose likeliest candidate is the right one.
    """

    def __init__(self, comparison: TermComparison, models: list[Any], curve: Any) -> None:
        self.comparison = comparison
        self.copies = 0
        self.tried: Float64s = np.zeros((0, 2))
        self.first_right = 0.0
        self._models = models
        self._curve = curve

    @classmethod
    def fit(
        cls,
        comparison: TermComparison,
        seed: int = 0,
        tick: Callable[[], None] = lambda: None,
    ) -> DuplicateModel:
        """Learn from the terms of a table that are live and not new.

        Args:
            comparison: with the terms of the table.
            seed: by which terms, names and words are drawn.
            tick: called often; may raise to stop.

        Raises:
            ValueError: there are too few terms.
        """
        from sklearn.linear_model import LogisticRegression

        table, random = comparison.table, np.random.default_rng(seed)
        live = np.setdiff1d(np.flatnonzero(table.is_live), table.new)
        if len(live) < _FEWEST:
            raise TrainerError(
                "{terms} terms to compare with, of {least} at least; give a larger ontology",
                terms=len(live),
                least=_FEWEST,
            )
        rows = np.sort(random.permutation(live)[:_LEARNED])
        duplicates = make_duplicates(table, rows, NameRewording(comparison.swaps), random)
        compared = comparison.compare(duplicates.source, tick, with_itself=True)
        views = [_make_view(duplicates, compared, gone) for gone in (False, True)]
        features = [comparison.describe(compared, view) for view in views]
        tick()
        folds = random.integers(0, _FOLDS, len(rows))[compared.pairs[:, 0]]
        models = [
            _fit_model(duplicates, compared, features, folds != fold) for fold in range(_FOLDS)
        ]
        tick()
        scores = [np.zeros(len(compared.pairs)) for _ in views]
        for fold, model in enumerate(models):
            for score, table_of_view in zip(scores, features, strict=True):
                score[folds == fold] = model.predict_proba(table_of_view[folds == fold])[:, 1]
        is_right = _is_itself(duplicates.source, compared)
        scores[1][is_right] = 0
        best = [best_of_terms(compared.pairs, score, len(rows)) for score in scores]
        right_score = np.zeros(len(rows))
        right_score[compared.pairs[is_right, 0]] = scores[0][is_right]
        first = right_score >= best[0]
        labels = np.concatenate([first, np.zeros(len(rows))])
        weights = np.repeat([PRIOR, 1 - PRIOR], len(rows))
        curve = LogisticRegression(C=100.0)
        curve.fit(_take_logit(np.concatenate(best)), labels, weights)
        fitted = cls(comparison, models, curve)
        fitted.copies = len(rows)
        is_there = np.repeat([1.0, 0.0], len(rows))
        fitted.tried = np.stack([fitted._calibrate(np.concatenate(best)), is_there], axis=1)
        fitted.first_right = float(first.mean())
        return fitted

    def judge(self, rows: Int64s, tick: Callable[[], None] = lambda: None) -> LikelyDuplicates:
        """Compare terms of the table with all its other terms.

        Args:
            rows: (m,) int64, of the terms.
            tick: called often; may raise to stop.
        """
        source = list_source_terms(self.comparison.table, rows)
        compared = self.comparison.compare(source, tick, with_itself=False)
        count = len(compared.pairs)
        view = NameView(
            np.zeros(len(source.side.names), np.bool_),
            np.zeros(len(self.comparison.table.side.names), np.bool_),
            source.side.kinds,
            self.comparison.table.side.kinds,
            np.zeros(count, np.bool_),
        )
        features = self.comparison.describe(compared, view)
        tick()
        scores = np.mean([model.predict_proba(features)[:, 1] for model in self._models], axis=0)
        return LikelyDuplicates(compared.pairs, self._calibrate(scores))

    def _calibrate(self, scores: Float64s) -> Float64s:
        return np.asarray(self._curve.predict_proba(_take_logit(scores))[:, 1])


def _take_logit(scores: Float64s) -> Float64s:
    clipped = np.clip(scores, 1e-6, 1 - 1e-6)
    return np.log(clipped / (1 - clipped))[:, None]


def _make_view(duplicates: MadeDuplicates, compared: ComparedTerms, gone: bool) -> NameView:
    is_itself = _is_itself(duplicates.source, compared)
    side = duplicates.source.side
    return NameView(
        np.zeros(len(side.names), np.bool_),
        duplicates.hidden,
        side.kinds,
        duplicates.kinds,
        is_itself if gone else np.zeros(len(is_itself), np.bool_),
    )


def _is_itself(source: SourceTerms, compared: ComparedTerms) -> Bools:
    return np.asarray(source.rows[compared.pairs[:, 0]] == compared.pairs[:, 1])


def _fit_model(
    duplicates: MadeDuplicates, compared: ComparedTerms, features: list[Float32s], chosen: Bools
) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    is_right = _is_itself(duplicates.source, compared)
    present, gone = chosen, chosen & ~is_right
    rows = np.concatenate([features[0][present], features[1][gone]])
    labels = np.concatenate([is_right[present], np.zeros(gone.sum(), np.bool_)])
    weights = np.repeat([PRIOR, 1 - PRIOR], [present.sum(), gone.sum()])
    model = HistGradientBoostingClassifier(**_SETTINGS)
    return model.fit(rows, labels, weights / weights.mean())


def best_of_terms(pairs: Int64s, scores: Float64s, count: int) -> Float64s:
    """Return the highest score of the pairs of each of some terms, (count,); 0 of one without."""
    best = np.zeros(count)
    np.maximum.at(best, pairs[:, 0], scores)
    return best
