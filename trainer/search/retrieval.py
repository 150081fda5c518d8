"""Exact ranking by cosine in blocks, and the approximate index beside it."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.search.expected_ranks import average_precision
from termexplorer.trainer.search.tied_groups import TiedGroups
from termexplorer.trainer.search.ties import largest
from termexplorer.trainer.tensors.objectives import unit_of_any_length

Float32s = NDArray[np.float32]
Int64s = NDArray[np.int64]

_BLOCK_VALUES = 8_000_000  # similarities held at a time
_BLOCK_VALUES_ON_GPU = 40_000_000


def top_k(
    queries: Float32s, candidates: Float32s, k: int, block: int | None = None
) -> tuple[Int64s, Float32s]:
    """Return the k candidates of highest cosine for each query.

    Args:
        queries: (q, d) float32, of any length.
        candidates: (n, d) float32, of any length.
        k: how many; all n if there are fewer.
        block: queries at a time; by default as many as memory likes.

    Returns:
        (q, k) int64 indices and (q, k) float32 cosines, falling; equal ones by rising index.

    Raises:
        ValueError: for widths that differ.
    """
    left, right = _unit_rows(queries, candidates)
    count = min(k, len(right))
    indices = np.empty((len(left), count), dtype=np.int64)
    cosines = np.empty((len(left), count), dtype=np.float32)
    block = block or rows_at_a_time(len(right))
    for start in range(0, len(left), block):
        top = largest(left[start : start + block] @ right.T, count)
        indices[start : start + block] = top.places.numpy()
        cosines[start : start + block] = top.values.numpy()
    return indices, cosines


def rows_at_a_time(columns: int, device: str = "cpu") -> int:
    """Return how many rows of similarities to hold at once, for a stop within a second."""
    values = _BLOCK_VALUES if device == "cpu" else _BLOCK_VALUES_ON_GPU
    return max(1, values // max(columns, 1))


def average_precisions(similarities: Tensor, relevant: Tensor) -> Tensor:
    """Return the average precision of each row's ranking, the mean over all orders of equals.

    Args:
        similarities: (q, n).
        relevant: (q, n) bool.

    Returns:
        (q,) float64, NaN where nothing is relevant, and throughout if a similarity is NaN.
    """
    if similarities.isnan().any():
        return similarities.new_full((len(similarities),), torch.nan, dtype=torch.float64)
    return average_precision(TiedGroups.of(similarities, *relevant.nonzero(as_tuple=True)))


def _unit_rows(queries: Float32s, candidates: Float32s) -> tuple[Tensor, Tensor]:
    if queries.ndim != 2 or candidates.ndim != 2 or queries.shape[1] != candidates.shape[1]:
        raise TrainerError(
            "queries of {shape} and candidates of {other_shape} differ",
            shape=queries.shape,
            other_shape=candidates.shape,
        )
    left, right = (
        torch.from_numpy(np.array(vectors, dtype=np.float32)) for vectors in (queries, candidates)
    )
    return unit_of_any_length(left), unit_of_any_length(right)
