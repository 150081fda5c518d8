"""Vectors through an encoder, a batch at a time, or through a linear map."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.tensors.objectives import unit, unit_of_any_length


def less(units: Tensor, mean: Tensor, matrix: Tensor | None = None) -> Tensor:
    """Return (n, d) rows less a mean, times a matrix, at unit length; zero rows stay zero."""
    centred = units - mean
    moved = centred if matrix is None else centred @ matrix
    return unit(moved) * units.any(dim=1, keepdim=True)


def encoded(
    vectors: NDArray[np.float32],
    width: int,
    device: torch.device,
    size: int,
    encode: Callable[[Tensor], Tensor],
) -> NDArray[np.float32]:
    """Return what an encoder makes of (n, d) float32 vectors of any length.

    Args:
        vectors: (n, d).
        width: d as the encoder has it.
        device: where ``encode`` takes its input.
        size: of a batch.
        encode: takes (b, d) at unit length; a row of zeros stays one.

    Raises:
        ValueError: for vectors of another width.
    """
    if vectors.ndim != 2 or vectors.shape[1] != width:
        raise TrainerError(
            "the encoder takes (n, {width}), not {shape}", width=width, shape=vectors.shape
        )
    result = np.empty(vectors.shape, dtype=np.float32)
    for start in range(0, len(vectors), size):
        batch = np.array(vectors[start : start + size], dtype=np.float32)
        units = unit_of_any_length(torch.from_numpy(batch).to(device))
        result[start : start + size] = encode(units).cpu().numpy()
    return result
