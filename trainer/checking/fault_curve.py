"""How likely something is a fault, by logistic regression that is tried on what it did not see."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Float64s = NDArray[np.float64]


def fit_fault_curve(
    features: Float64s, labels: Float64s, weights: Float64s, folds: NDArray[np.int64]
) -> tuple[Any, Float64s]:
    """Fit a curve to all rows, and try it on each of two folds by the other one.

    Args:
        features: (n, f) of what is right and what is wrong.
        labels: (n,) 1 for what is wrong.
        weights: (n,) of the rows.
        folds: (n,) 0 or 1.

    Returns:
        The curve, and (n, 2) float64: the probability of a fault by a curve that had not seen the
        row, and its label.
    """
    from sklearn.linear_model import LogisticRegression

    tried = np.zeros(len(labels))
    for fold in range(2):
        learned = folds != fold
        curve = LogisticRegression(C=10.0, max_iter=1000)
        curve.fit(features[learned], labels[learned], weights[learned])
        tried[~learned] = curve.predict_proba(features[~learned])[:, 1]
    whole = LogisticRegression(C=10.0, max_iter=1000).fit(features, labels, weights)
    return whole, np.stack([tried, labels], axis=1).astype(np.float64)
