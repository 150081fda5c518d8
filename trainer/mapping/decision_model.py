"""The model that tells what a pair of concepts is, learned on made pairs; it never meets others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.mapping.made_pairs import EXACT_MATCH

Int64s = NDArray[np.int64]
Float32s = NDArray[np.float32]
Float64s = NDArray[np.float64]

CLASSES = 4
FOLDS = 2
_BINS = 255  # of a feature, as scikit-learn has them
_SETTINGS = {
    "max_iter": 60,
    "learning_rate": 0.15,
    "max_leaf_nodes": 15,
    "min_samples_leaf": 20,
    "l2_regularization": 1.0,
    "early_stopping": False,
    "random_state": 0,
}


@dataclass(frozen=True, eq=False)
class MadeRows:
    """What a model learns from.

    Attributes:
        features: (n, f) float32.
        labels: (n,) int64, see `made_pairs`.
        folds: (n,) int64, from 0 to `FOLDS` - 1.
        weights: (n,) float64, how many pairs each stands for, where not all are taken.
    """

    features: Float32s
    labels: Int64s
    folds: Int64s
    weights: Float64s


class FeatureBins:
    """Bins of features at weighted quantiles, which scikit-learn looks for one by one.

    So it takes most of the time of learning from rows of different weights; here it is given the
    numbers of bins, and has nothing to look for.
    """

    def __init__(self, edges: list[Float32s]) -> None:
        self._edges = edges

    @classmethod
    def fit(cls, features: Float32s, weights: Float64s) -> FeatureBins:
        """Return bins of about the same weight.

        Args:
            features: (n, f) float32, none of them NaN.
            weights: (n,) float64.
        """
        at = np.linspace(0, 1, _BINS + 1)[1:-1]
        quantiles = np.quantile(features, at, axis=0, weights=weights, method="inverted_cdf")
        return cls([np.unique(column).astype(np.float32) for column in quantiles.T])

    def number(self, features: Float32s) -> NDArray[np.uint8]:
        """Return the number of the bin of each value, (n, f) uint8."""
        columns = [
            np.searchsorted(edges, column)
            for edges, column in zip(self._edges, features.T, strict=True)
        ]
        return np.stack(columns, axis=1).astype(np.uint8)


class FoldedModel:
    """One model for each fold, learned from the others; what is in no fold has the mean of all."""

    def __init__(self, models: list[tuple[FeatureBins, Any]]) -> None:
        self._models = models

    @classmethod
    def fit(cls, rows: MadeRows) -> FoldedModel:
        """Learn from made pairs."""
        from sklearn.ensemble import HistGradientBoostingClassifier

        models = []
        for fold in range(FOLDS):
            chosen = rows.folds != fold
            features, weights = rows.features[chosen], rows.weights[chosen]
            bins = FeatureBins.fit(features, weights)
            model = HistGradientBoostingClassifier(**_SETTINGS)
            model.fit(bins.number(features), rows.labels[chosen], weights)
            models.append((bins, model))
        return cls(models)

    def predict(self, features: Float32s, folds: Int64s) -> Float32s:
        """Return the likelihood of each class, (n, 4) float32, by models that have not seen a row.

        Args:
            features: (n, f) float32.
            folds: (n,) int64; -1 of what is in none.
        """
        likelihoods = np.zeros((len(features), CLASSES), np.float32)
        for fold, (bins, model) in enumerate(self._models):
            for chosen, share in ((folds == fold, 1.0), (folds < 0, 1 / len(self._models))):
                if chosen.any():
                    table = model.predict_proba(bins.number(features[chosen]))
                    columns = model.classes_.astype(np.int64)
                    likelihoods[np.ix_(np.flatnonzero(chosen), columns)] += table * share
        return likelihoods


class Calibrator:
    """Likelihoods brought to what came true on made pairs the model had not seen."""

    def __init__(self, curves: list[Any]) -> None:
        self._curves = curves

    @classmethod
    def fit(cls, likelihoods: Float32s, labels: Int64s, weights: Float64s) -> Calibrator:
        """Fit a rising curve for each class by isotonic regression."""
        from sklearn.isotonic import IsotonicRegression

        curves = []
        for label in range(CLASSES):
            curve = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip")
            curve.fit(likelihoods[:, label], labels == label, sample_weight=weights)
            curves.append(curve)
        return cls(curves)

    def calibrate(self, likelihoods: Float32s) -> Float32s:
        """Return (n, 4) float32 likelihoods that sum to 1.

        What a curve does not tell apart stays in its order, by a thousandth at most.
        """
        columns = [curve.predict(likelihoods[:, label]) for label, curve in enumerate(self._curves)]
        table = 0.999 * np.stack(columns, axis=1) + 0.001 * likelihoods
        return np.asarray(table / table.sum(axis=1, keepdims=True), np.float32)


def calibrate_apart(likelihoods: Float32s, rows: MadeRows) -> Float32s:
    """Return (n, 4) likelihoods, those of each fold by curves of the other folds.

    Args:
        likelihoods: (n, 4) by models that have not seen the rows.
        rows: what they are of.
    """
    calibrated = likelihoods.copy()
    for fold in range(FOLDS):
        chosen = rows.folds == fold
        if chosen.any() and not chosen.all():
            curves = Calibrator.fit(
                likelihoods[~chosen], rows.labels[~chosen], rows.weights[~chosen]
            )
            calibrated[chosen] = curves.calibrate(likelihoods[chosen])
    return calibrated


def fold_sources(sources: Int64s, anchored: Int64s, seed: int) -> Int64s:
    """Return the fold of each source concept, (c,) int64; -1 for those that nothing is learned of.

    Args:
        sources: (c,) concepts.
        anchored: those of anchors.
        seed: of the draw.
    """
    folds = np.random.default_rng(seed).integers(0, FOLDS, len(sources))
    return np.where(np.isin(sources, anchored), folds, -1)


def measure_made(likelihoods: Float32s, rows: MadeRows) -> dict[str, float]:
    """Return macro-F1 over the classes, and the calibration error of exact matches.

    Args:
        likelihoods: (n, 4).
        rows: what they are of; each counts for as many pairs as it stands for.
    """
    from termexplorer.trainer.evaluation.calibration import calibration

    best, labels, weights = likelihoods.argmax(axis=1), rows.labels, rows.weights
    scores = []
    for label in np.unique(labels).tolist():
        labelled_so, truly_so = weights * (best == label), weights * (labels == label)
        right = (labelled_so * (labels == label)).sum()
        scores.append(2 * right / max(labelled_so.sum() + truly_so.sum(), 1e-12))
    exact = np.clip(likelihoods[:, EXACT_MATCH].astype(np.float64), 0, 1)
    times = np.rint(weights).astype(np.int64)
    error = calibration(np.repeat(exact, times), np.repeat(labels == EXACT_MATCH, times)).error
    return {"macro-F1": float(np.mean(scores)), "calibration error": float(error)}
