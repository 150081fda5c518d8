"""Canonical correlation analysis of names and their concepts, in closed form ([CG] 3.2)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from termexplorer.trainer.encoders.batches import encoded, less
from termexplorer.trainer.encoders.files import weights_of, write_weights
from termexplorer.trainer.errors import TrainerError

if TYPE_CHECKING:
    from termexplorer.trainer.data.training_data import TrainingData

_SIDES = ("names", "concepts")
_BATCH = 8192  # names projected at a time
_LEAST_SHARE = 1e-6

Float64s = NDArray[np.float64]


class CCA:
    """Names projected to where they correlate most with their concepts; d dimensions stay d.

    Attributes:
        means: (2, d), of names at unit length, and of concepts.
        matrices: (2, d, d), what a name less its mean is multiplied with, and a concept.
        correlations: (d,), the canonical correlations, falling.
        shrinkage: how far the covariances of names and of concepts were drawn to a sphere, from 0
            to 1.
        power: each dimension is weighted by its correlation to this power.
    """

    kind: ClassVar[str] = "cca"

    def __init__(
        self,
        means: Tensor,
        matrices: Tensor,
        correlations: Tensor,
        shrinkage: tuple[float, float],
        power: float,
    ):
        width = means.shape[-1]
        if matrices.shape != (2, width, width) or correlations.shape != (width,):
            raise TrainerError(
                "means of {shape} do not fit {other_shape}",
                shape=tuple(means.shape),
                other_shape=tuple(matrices.shape),
            )
        self.means, self.matrices, self.correlations = means, matrices, correlations
        self.shrinkage, self.power = shrinkage, power

    @property
    def dimension(self) -> int:
        """The width d of input and output."""
        return int(self.means.shape[1])

    def names(self, units: Tensor) -> Tensor:
        """Project (n, d) names at unit length, to unit length; zero rows stay zero."""
        return self._project(units, 0)

    def concepts(self, units: Tensor) -> Tensor:
        """Project (n, d) concepts at unit length, to unit length; zero rows stay zero."""
        return self._project(units, 1)

    def _project(self, units: Tensor, side: int) -> Tensor:
        return less(units, self.means[side], self.matrices[side])

    def encode(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Project (n, d) float32 names of any length; zero vectors stay zero.

        Raises:
            ValueError: for vectors of another width.
        """
        return encoded(vectors, self.dimension, self.means.device, _BATCH, self.names)

    def tensors(self) -> dict[str, Tensor]:
        """Return what ``from_tensors`` takes."""
        return {
            "cca.means": self.means,
            "cca.matrices": self.matrices,
            "cca.correlations": self.correlations,
        }

    def facts(self) -> dict[str, Any]:
        """Return what else it takes, for people to read."""
        return {"shrinkage": dict(zip(_SIDES, self.shrinkage, strict=True)), "power": self.power}

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, Tensor], facts: Mapping[str, Any]) -> CCA:
        """Return what ``tensors`` and ``facts`` are of.

        Raises:
            KeyError: where something is missing.
        """
        names, concepts = (float(facts["shrinkage"][side]) for side in _SIDES)
        return cls(
            tensors["cca.means"],
            tensors["cca.matrices"],
            tensors["cca.correlations"],
            (names, concepts),
            float(facts["power"]),
        )

    def save(self, folder: Path) -> None:
        """Write the projection as safetensors and JSON with hashes."""
        meta = {"kind": self.kind, "dimension": self.dimension, "cca": self.facts()}
        write_weights(folder, meta, self.tensors())

    @classmethod
    def load(cls, folder: Path, device: str = "cpu", *, verify: bool = True) -> CCA:
        """Open a saved projection.

        Raises:
            ValueError: for an encoder of another kind, or a missing or changed file.
        """
        with weights_of(folder, cls.kind, device, verify=verify) as (meta, tensors):
            return cls.from_tensors(tensors, meta["cca"])


def fit_to(data: TrainingData, power: float = 0.0) -> CCA:
    """Fit to training names and the means of their classes ([CG] 5.3); see ``fit``."""
    owners = torch.repeat_interleave(data.of_names.counts)
    return fit(data.names[owners], data.prototypes[data.of_names.classes], power=power)


def fit(
    names: Tensor,
    concepts: Tensor,
    *,
    shrinkage: tuple[float, float] | None = None,
    power: float = 0.0,
) -> CCA:
    """Find the projections of names and of concepts that correlate most, all d dimensions kept.

    The projected names have unit variance and do not correlate, nor do the projected concepts, and
    each dimension of the one correlates with the same of the other alone. Both covariances are
    drawn to a sphere by the share of Ledoit and Wolf 2004, at least a millionth, so that it also
    holds for fewer names than dimensions; zero rows, of which nothing is known, are left out.

    Args:
        names: (n, d), names at unit length.
        concepts: (n, d), the concept of each, at unit length.
        shrinkage: other shares, from 0 to 1.
        power: weight each dimension by its canonical correlation to this power; 0 is the paper's.

    Raises:
        ValueError: for other shapes, numbers that are not finite, fewer than two names, or names
            or concepts that are all alike.
    """
    if names.ndim != 2 or names.shape != concepts.shape:
        raise TrainerError(
            "names of {shape} do not fit {other_shape}",
            shape=tuple(names.shape),
            other_shape=tuple(concepts.shape),
        )
    sides = [side.double().cpu().numpy() for side in (names, concepts)]
    known = sides[0].any(axis=1) & sides[1].any(axis=1)
    means = [_check_rows(side[known]).mean(axis=0) for side in sides]
    centred = [side[known] - mean for side, mean in zip(sides, means, strict=True)]
    shares = shrinkage or (_shrinkage_share(centred[0]), _shrinkage_share(centred[1]))
    matrices, correlations = _solve_canonical(centred, shares)
    weighted = [matrix * correlations**power for matrix in matrices]

    def tensor(*arrays: Float64s) -> Tensor:
        return torch.from_numpy(np.stack(arrays).astype(np.float32)).to(names.device)

    return CCA(tensor(*means), tensor(*weighted), tensor(correlations)[0], shares, power)


def _check_rows(rows: Float64s) -> Float64s:
    if len(rows) < 2:
        raise TrainerError(
            "canonical correlations need at least two known names, not {rows}", rows=len(rows)
        )
    if not np.isfinite(rows).all():
        raise TrainerError("the vectors of names and concepts are not all finite numbers")
    if (np.ptp(rows, axis=0) == 0).all():
        raise TrainerError("the vectors are all alike; canonical correlations need different ones")
    return rows


def _shrinkage_share(rows: Float64s) -> float:
    """Return how far to draw the covariance of centred rows to a sphere."""
    from sklearn.covariance import ledoit_wolf_shrinkage

    return max(float(ledoit_wolf_shrinkage(rows, assume_centered=True)), _LEAST_SHARE)


def _solve_canonical(
    centred: list[Float64s], shares: tuple[float, float]
) -> tuple[list[Float64s], Float64s]:
    """Return the matrices that both sides are multiplied with, and the canonical correlations."""
    from scipy.linalg import cholesky, solve_triangular, svd

    names, concepts = centred
    roots = [
        cholesky(_shrink_covariance(rows.T @ rows / len(rows), share), lower=True)
        for rows, share in zip(centred, shares, strict=True)
    ]
    across = names.T @ concepts / len(names) * np.sqrt((1 - shares[0]) * (1 - shares[1]))
    whitened = solve_triangular(roots[0], across, lower=True)
    whitened = solve_triangular(roots[1], whitened.T, lower=True).T
    left, correlations, right = svd(whitened)
    matrices = [
        solve_triangular(root, side, lower=True, trans="T")
        for root, side in zip(roots, (left, right.T), strict=True)
    ]
    return matrices, correlations


def _shrink_covariance(covariance: Float64s, share: float) -> Float64s:
    variance = float(np.trace(covariance)) / len(covariance)
    return np.asarray((1 - share) * covariance + share * variance * np.eye(len(covariance)))
