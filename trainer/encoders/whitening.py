"""Names less their mean, their directions evened out: a linear map without any labels."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from termexplorer.trainer.encoders.batches import encoded, less
from termexplorer.trainer.encoders.files import weights_of, write_weights
from termexplorer.trainer.errors import TrainerError

_BATCH = 8192  # names at a time
_LEAST = 1e-6  # of the mean variance; directions with less are taken to have so much


class Whitening:
    """``(u - mean) C^-power`` of names at unit length, C their covariance; d dimensions stay d.

    With power 0 only the mean goes (Mu and Viswanath 2018, without their principal components);
    with 0.5 all directions have the same variance (Su et al. 2021); between, part of the way.

    Attributes:
        mean: (d,), of names at unit length.
        matrix: (d, d), symmetric.
        power: see above.
    """

    kind: ClassVar[str] = "whitening"

    def __init__(self, mean: Tensor, matrix: Tensor, power: float):
        if mean.ndim != 1 or matrix.shape != (len(mean), len(mean)):
            raise TrainerError(
                "a mean of {shape} does not fit {other_shape}",
                shape=tuple(mean.shape),
                other_shape=tuple(matrix.shape),
            )
        self.mean, self.matrix, self.power = mean, matrix, power

    @property
    def dimension(self) -> int:
        """The width d of input and output."""
        return len(self.mean)

    def to(self, device: str) -> Whitening:
        """Return the same on a device, as torch names it."""
        return Whitening(self.mean.to(device), self.matrix.to(device), self.power)

    def names(self, units: Tensor) -> Tensor:
        """Map (n, d) names at unit length to unit length; zero rows stay zero."""
        return less(units, self.mean, self.matrix)

    def encode(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Map (n, d) float32 names of any length; zero vectors stay zero.

        Raises:
            ValueError: for vectors of another width.
        """
        return encoded(vectors, self.dimension, self.mean.device, _BATCH, self.names)

    def tensors(self) -> dict[str, Tensor]:
        """Return what ``from_tensors`` takes, for an encoder that stands on it."""
        return {"whitening.mean": self.mean, "whitening.matrix": self.matrix}

    def facts(self) -> dict[str, Any]:
        """Return what else it takes, for people to read."""
        return {"power": self.power}

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, Tensor], facts: Mapping[str, Any]) -> Whitening:
        """Return what ``tensors`` and ``facts`` are of.

        Raises:
            KeyError: where something is missing.
        """
        return cls(tensors["whitening.mean"], tensors["whitening.matrix"], float(facts["power"]))

    def save(self, folder: Path) -> None:
        """Write the map as safetensors and JSON with hashes."""
        meta = {"kind": self.kind, "dimension": self.dimension, "power": self.power}
        write_weights(folder, meta, {"mean": self.mean, "matrix": self.matrix})

    @classmethod
    def load(cls, folder: Path, device: str = "cpu", *, verify: bool = True) -> Whitening:
        """Open a saved map.

        Raises:
            ValueError: for an encoder of another kind, or a missing or changed file.
        """
        with weights_of(folder, cls.kind, device, verify=verify) as (meta, tensors):
            return cls(tensors["mean"], tensors["matrix"], float(meta["power"]))


def fit(names: Tensor, power: float) -> Whitening:
    """Take mean and covariance from names.

    Args:
        names: (n, d), at unit length; zero rows, of which nothing is known, are left out.
        power: from 0 to 0.5; the variance of each direction is divided by its 2 ``power``-th power.

    Raises:
        ValueError: for a power out of that range, or names that are all alike.
    """
    if not 0 <= power <= 0.5:
        raise TrainerError("power is {power}; choose 0 (the mean alone goes) to 0.5", power=power)
    rows = names[names.any(dim=1)].double()
    mean = rows.mean(dim=0)
    centred = rows - mean
    if not len(rows) or not centred.any():
        raise TrainerError("the vectors are all alike; whitening needs different ones")
    variances, directions = torch.linalg.eigh(centred.T @ centred / len(rows))
    variances = variances.clamp(min=_LEAST * float(variances.mean()))
    matrix = (directions * variances**-power) @ directions.T
    return Whitening(mean.float(), matrix.float(), power)
