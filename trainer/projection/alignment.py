"""Maps of the same names laid over each other: turned, mirrored, moved and sized to fit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.projection.base import Float32s

Float64s = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Alignment:
    """How one map is laid over another: ``scale * (position - middle) @ turn + onto``.

    Attributes:
        middle: (2,) of the map.
        turn: (2, 2) a rotation, with or without a mirror.
        scale: 0 or more.
        onto: (2,) the middle of the other map.
        disparity: from 0, where they are alike, to 1: the share of the squares that is left.
    """

    middle: Float64s
    turn: Float64s
    scale: float
    onto: Float64s
    disparity: float

    def apply(self, positions: Float32s) -> Float32s:
        """Return where (n, 2) points come to lie."""
        placed: Float32s = (
            self.scale * (positions.astype(np.float64) - self.middle) @ self.turn + self.onto
        ).astype(np.float32)
        return placed


def procrustes(positions: Float32s, reference: Float32s) -> Alignment:
    """Return how a map is laid over a reference with the least sum of squared distances.

    Ordinary Procrustes analysis (Gower 1975; Schönemann 1966 for the rotation); the disparity is
    that of ``scipy.spatial.procrustes``.

    Args:
        positions: (n, 2), of n >= 2 points.
        reference: (n, 2) of the same points.

    Raises:
        ValueError: the two are not of the same points, or all points of one are in one place.
    """
    if positions.shape != reference.shape or len(positions) < 2:
        raise TrainerError(
            "maps of {positions} and {reference} points cannot be laid over each "
            "other; give two or more points, the same for both",
            positions=len(positions),
            reference=len(reference),
        )
    (source, middle, size), (target, onto, size_of_other) = (
        _centre_positions(positions),
        _centre_positions(reference),
    )
    left, shares, right = np.linalg.svd(source.T @ target)
    fit = float(shares.sum())  # of maps at unit size
    return Alignment(middle, left @ right, fit * size_of_other / size, onto, max(0.0, 1 - fit**2))


def distances(positions: Float32s, reference: Float32s) -> Float64s:
    """Return how far (n, 2) points are from where they are on a reference.

    Returns:
        (n,) where 1 is the root mean square distance of the reference's points from its middle.
    """
    _, _, size = _centre_positions(reference)
    apart = positions.astype(np.float64) - reference.astype(np.float64)
    lengths: Float64s = np.sqrt((apart**2).sum(axis=1)) * np.sqrt(len(reference)) / size
    return lengths


def _centre_positions(positions: Float32s) -> tuple[Float64s, Float64s, float]:
    """Positions around 0 with a sum of squares of 1; their middle; the root of the sum before."""
    places = positions.astype(np.float64)
    middle = places.mean(axis=0)
    places = places - middle
    size = float(np.sqrt((places**2).sum()))
    if not size > 0 or not np.isfinite(size):
        raise TrainerError("all points of a map are in one place; it cannot be laid over another")
    return places / size, middle, size
