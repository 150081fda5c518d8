"""The nearest others of each vector, found exactly, block by block."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray

from termexplorer.trainer.projection.base import Float32s
from termexplorer.trainer.search.retrieval import rows_at_a_time


def neighbours(
    units: Float32s, k: int, tick: Callable[[float], None]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the k nearest others of each of n vectors.

    Args:
        units: (n, d) float32 at unit length.
        k: how many, below n.
        tick: called between blocks with the share that is done; may raise to stop.

    Returns:
        (n, k) int64 indices and (n, k) float64 Euclidean distances, rising.
    """
    table = torch.from_numpy(units)
    indices, distances = np.empty((len(units), k), np.int64), np.empty((len(units), k))
    block = rows_at_a_time(len(units))
    for start in range(0, len(units), block):
        tick(start / len(units))
        rows = torch.arange(start, min(start + block, len(units)))
        cosines = table[rows] @ table.T
        cosines[torch.arange(len(rows)), rows] = -torch.inf
        nearest = cosines.topk(k, dim=1)
        indices[start : start + block] = nearest.indices.numpy()
        distances[start : start + block] = (2 - 2 * nearest.values.double()).clamp(min=0).sqrt()
    return indices, distances
