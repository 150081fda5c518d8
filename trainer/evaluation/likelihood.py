"""How likely each suggestion is right, learned from copies of an ontology whose truth is known.

A copy differs from the ontology in a few places alone: what is a false candidate in one copy is the
same false candidate in all others, and in the ontology, where it may be a true one. So what judges
a candidate has never been told about it, in any copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.evaluation.calibration import Calibration, calibration
from termexplorer.trainer.evaluation.shares import ShareFigure

Int64s = NDArray[np.int64]
Float64s = NDArray[np.float64]
Bools = NDArray[np.bool_]

FIRST = (50, 100, 200)
_FOLDS = 5
# Small trees, slowly and held back: on copies of DOID larger or freer ones were too sure of the
# most likely, above all where few are true; so was a logistic regression, which was not sure enough
# of those in the middle besides.
_TREES = {
    "max_iter": 150,
    "max_leaf_nodes": 4,
    "learning_rate": 0.05,
    "l2_regularization": 20.0,
    "early_stopping": False,
}


@dataclass(frozen=True, eq=False)
class Candidates:
    """What encoders say of r candidates.

    Attributes:
        features: (r, f) float64, each the larger the more likely; NaN where nothing is said.
        about: (r,) int64, what each is about: one number in all copies, from 0.
        true: (r,) in a copy, whether each is what was made wrong there.
    """

    features: Float64s
    about: Int64s
    true: Bools


@dataclass(frozen=True, slots=True)
class Trial:
    """How good likelihoods are on copies that they were not learned from.

    Attributes:
        precision: k -> the share of true ones among the k most likely, of each copy; for each of
            `list_lengths`.
        chance: the share of true ones among all candidates.
        calibration: of the candidates of all these copies.
    """

    precision: dict[int, tuple[float, ...]]
    chance: float
    calibration: Calibration

    @property
    def candidates(self) -> int:
        """How many candidates all copies have."""
        return sum(calibration_bin.n for calibration_bin in self.calibration.bins)

    @property
    def chance_figure(self) -> ShareFigure:
        """The share of true ones among all candidates, with its exact interval."""
        return ShareFigure.of(self.chance * self.candidates, self.candidates)

    def precision_figure(self, k: int) -> ShareFigure:
        """Return the precision at k over all copies, with its interval."""
        values = self.precision[k]
        items = len(values) * min(k, self.candidates // len(values))
        return ShareFigure.of(sum(values) / len(values) * items, items)


class Likelihood:
    """Gradient boosted trees, by which more of any feature is never less likely; one in each fold.

    Candidates are parted into folds by what they are about. Those of a fold are judged by what was
    learned from the others.
    """

    def __init__(self, folds: Int64s, models: Sequence[Any]) -> None:
        self._folds, self._models = folds, models

    @classmethod
    def learned(cls, copies: Sequence[Candidates], seed: int = 0) -> Self:
        """Learn from copies.

        Args:
            copies: at least one.
            seed: of the folds.
        """
        features = np.concatenate([copy.features for copy in copies])
        about = np.concatenate([copy.about for copy in copies])
        true = np.concatenate([copy.true for copy in copies])
        rng = np.random.default_rng(seed)
        folds = rng.integers(0, _FOLDS, int(about.max(initial=-1)) + 1)
        taught = [folds[about] != fold for fold in range(_FOLDS)]
        return cls(folds, [_fit_likelihood(features[some], true[some], seed) for some in taught])

    def of(self, asked: Candidates) -> Float64s:
        """Return how likely each candidate is a true one, (r,).

        What no copy had a candidate about is judged by the first fold's.
        """
        known = asked.about < len(self._folds)
        fold = np.zeros(len(asked.about), np.int64)
        fold[known] = self._folds[asked.about[known]]
        likelihoods = np.zeros(len(fold))
        for number, model in enumerate(self._models):
            some = fold == number
            if not some.any():
                continue
            fitted = not isinstance(model, float)
            likelihoods[some] = model.predict_proba(asked.features[some])[:, 1] if fitted else model
        return likelihoods


def _fit_likelihood(features: Float64s, true: Bools, seed: int) -> Any:
    """What has `predict_proba`, or the one likelihood of all where there is nothing to tell."""
    if true.all() or not true.any():
        return float(true.mean()) if len(true) else 0.0
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    rising = [1] * features.shape[1]
    model = HistGradientBoostingClassifier(**_TREES, monotonic_cst=rising, random_state=seed)
    with threadpool_limits(1, "openmp"):  # on busy cores more threads take a hundred times as long
        return model.fit(features, true)


def trial(likelihood: Likelihood, copies: Sequence[Candidates]) -> Trial:
    """Try what was learned on further copies.

    Raises:
        ValueError: they have no candidates.
    """
    return try_likelihoods([(likelihood.of(copy), copy.true) for copy in copies])


def try_likelihoods(predictions: Sequence[tuple[Float64s, Bools]]) -> Trial:
    """Tell how good likelihoods are.

    Args:
        predictions: of each copy the likelihoods of its candidates, (r,), and which are true, (r,).

    Raises:
        ValueError: there are no candidates.
    """
    predicted, true = (np.concatenate(parts) for parts in zip(*predictions, strict=True))
    calibrated = calibration(predicted, true)
    lengths = list_lengths(min(len(likelihoods) for likelihoods, _ in predictions))
    precision = {
        k: tuple(precision_at(*prediction, k) for prediction in predictions) for k in lengths
    }
    return Trial(precision, float(true.mean()), calibrated)


def list_lengths(count: int) -> tuple[int, ...]:
    """Return each k of `FIRST` of which so many candidates have the first; else all, if any."""
    return tuple(k for k in FIRST if k <= count) or (count,) * (count > 0)


def precision_at(likelihood: Float64s, true: Bools, k: int) -> float:
    """The share of true ones among the k most likely, the mean over all orders of equals.

    Args:
        likelihood: (m,).
        true: (m,).
        k: from 1; if there are fewer candidates, as many as there are.
    """
    k = min(k, len(true))
    last = np.partition(likelihood, len(true) - k)[len(true) - k]
    above, equal = likelihood > last, likelihood == last
    wanted = k - above.sum()
    return float((true[above].sum() + wanted * true[equal].mean()) / k)
