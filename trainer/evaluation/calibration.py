"""How far likelihoods can be taken at their word."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.evaluation.shares import ShareFigure

Float64s = NDArray[np.float64]
Bools = NDArray[np.bool_]

_BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Candidates of about the same likelihood.

    Attributes:
        low: they are more likely than this, but for those of 0.
        high: and at most as likely as this.
        likelihood: their mean.
        share: of true ones among them.
        n: how many they are.
    """

    low: float
    high: float
    likelihood: float
    share: float
    n: int

    @property
    def came_true(self) -> ShareFigure:
        """The share with its interval."""
        return ShareFigure.of(round(self.share * self.n), self.n)


@dataclass(frozen=True, slots=True)
class Calibration:
    """Likelihoods beside what came true.

    Attributes:
        brier: the mean of the squares of likelihood less truth, 0 the best.
        brier_of_chance: the same of one likelihood for all, the share of true ones.
        error: expected calibration error, the mean over candidates of how far the likelihood of
            their bin is from its share, 0 the best.
        bins: of equal width, those with candidates, rising.
    """

    brier: float
    brier_of_chance: float
    error: float
    bins: tuple[Bin, ...]


def calibration(likelihood: Float64s, true: Bools) -> Calibration:
    """Compare likelihoods with the truth, in ten bins.

    Args:
        likelihood: (n,) from 0 to 1.
        true: (n,).

    Raises:
        ValueError: there are none, or a likelihood is not from 0 to 1.
    """
    if not len(likelihood) or not ((likelihood >= 0) & (likelihood <= 1)).all():
        raise TrainerError(
            "{likelihood} likelihoods, of which all have to be from 0 to 1",
            likelihood=len(likelihood),
        )
    edges = np.linspace(0, 1, _BINS + 1)
    bins = np.searchsorted(edges[1:-1], likelihood)
    counts = np.bincount(bins, minlength=_BINS)
    predicted = np.bincount(bins, likelihood, _BINS) / np.maximum(counts, 1)
    came = np.bincount(bins, true, _BINS) / np.maximum(counts, 1)
    columns = (edges[:-1], edges[1:], predicted, came, counts)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return Calibration(
        float(np.mean((likelihood - true) ** 2)),
        float(true.mean() * (1 - true.mean())),
        float(np.abs(predicted - came) @ counts / len(likelihood)),
        tuple(
            calibration_bin for calibration_bin in (Bin(*row) for row in rows) if calibration_bin.n
        ),
    )
