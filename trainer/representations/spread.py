"""How much the vectors of names differ; where nearly not, cosines hardly tell names apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

COLLAPSED = 0.9  # mean cosine of names above which little is learned from them as they are
_FEWEST = 2.0  # directions
_SAMPLE = 2_000  # names
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class VectorSpread:
    """How much the vectors of names differ.

    Attributes:
        mean_cosine: Of two names, on average; 1 where all point the same way.
        effective_rank: Directions that the names differ in once their mean is taken away: the
            exponential of the entropy of their shares of the variance (Roy and Vetterli 2007).
    """

    mean_cosine: float
    effective_rank: float

    @property
    def collapsed(self) -> bool:
        """Whether the names are so alike that cosines hardly tell them apart."""
        return self.mean_cosine > COLLAPSED or 0 < self.effective_rank < _FEWEST


def measure_spread(vectors: NDArray[np.float32]) -> VectorSpread:
    """Return how much (n, d) vectors differ, by at most 2,000 of them, spread over all.

    Zero rows, of which nothing is known, are left out; of fewer than two there is nothing to say,
    and their mean cosine is 0.
    """
    known = vectors[np.flatnonzero(vectors.any(axis=1))]
    rows = known[:: max(-(-len(known) // _SAMPLE), 1)].astype(np.float64)
    if len(rows) < 2:
        return VectorSpread(0.0, 0.0)
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    count, mean = len(units), units.mean(axis=0)
    cosine = (count * float(mean @ mean) - 1) / (count - 1)
    variances = np.linalg.svd(units - mean, compute_uv=False) ** 2
    if variances.sum() <= _ROUNDING * count:
        return VectorSpread(cosine, 0.0)
    shares = variances / variances.sum()
    entropy = -float((shares * np.log(np.maximum(shares, 1e-300))).sum())
    return VectorSpread(cosine, float(np.exp(entropy)))
