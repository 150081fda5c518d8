"""How similar names are to each other: what every ranking is made from."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.tensors.objectives import unit_of_any_length
from termexplorer.trainer.tensors.products import multiply_each

Int64s = NDArray[np.int64]
Float32s = NDArray[np.float32]

Scores = Callable[[Int64s, Int64s], Tensor | Float32s]
"""(m,) mentions and (c,) candidates, both as indices, to their (m, c) similarities; the higher the
more similar, -inf for what is not to be ranked. The two may be of different lists of names. Several
threads may ask at once."""


def cosine_scores(
    vectors: Float32s, candidates: Float32s | None = None, device: str | torch.device = "cpu"
) -> Scores:
    """Score names by the cosine of their vectors; equal vectors are exactly equally similar.

    Args:
        vectors: (n, d) float32 of any length, of the mentions; of the candidates too if
            ``candidates`` is None.
        candidates: (c, d) float32 of any length.
        device: where the similarities are computed, and stay.

    Raises:
        ValueError: for widths that differ, and vectors that are not finite.
    """
    mentions = _unit_rows(vectors)
    candidate_rows = mentions if candidates is None else _unit_rows(candidates)
    if mentions.shape[1] != candidate_rows.shape[1]:
        raise TrainerError(
            "mentions of {shape} and candidates of {other_shape} differ",
            shape=mentions.shape,
            other_shape=candidate_rows.shape,
        )
    return _Cosines(
        mentions.to(device), candidate_rows.to(device), _number_distinct_rows(candidate_rows)
    )


class _GatheredCandidates(NamedTuple):
    """The candidates that were asked for; ``vectors[repeated]`` are those of ``same`` again."""

    asked: Int64s
    vectors: Tensor
    repeated: Tensor
    same: Tensor


class _Cosines:
    """Keeps the candidates that were gathered last, since tasks ask for the same ones again."""

    def __init__(self, mentions: Tensor, candidates: Tensor, numbers: Int64s) -> None:
        self._mentions = mentions
        self._candidates = candidates
        self._numbers = numbers  # equal ones for equal vectors
        self._gathering = Lock()
        self._last = self._gathered(np.empty(0, np.int64))

    def __call__(self, mentions: Int64s, candidates: Int64s) -> Tensor:
        with self._gathering:
            if candidates is not self._last.asked:
                self._last = self._gathered(candidates)
            last = self._last
        cosines = multiply_each(self._mentions[torch.from_numpy(mentions)], last.vectors)
        # Products differ in the last bit by the place of a column.
        return cosines.index_copy_(1, last.repeated, cosines.index_select(1, last.same))

    def _gathered(self, candidates: Int64s) -> _GatheredCandidates:
        _, first, number = np.unique(
            self._numbers[candidates], return_index=True, return_inverse=True
        )
        repeated = np.flatnonzero(first[number] != np.arange(len(candidates)))
        places = (
            torch.from_numpy(indices).to(self._candidates.device)
            for indices in (repeated, first[number[repeated]])
        )
        return _GatheredCandidates(
            candidates, self._candidates[torch.from_numpy(candidates)], *places
        )


def finite(vectors: ArrayLike) -> Float32s:
    """Return what an encoder made of names as a table, (n, d) float32.

    Raises:
        ValueError: it is none, or has numbers that are not finite.
    """
    table = np.asarray(vectors, dtype=np.float32)
    if table.ndim != 2 or not np.isfinite(table).all():
        raise TrainerError(
            "vectors of {shape} are no (n, d) table of finite numbers", shape=table.shape
        )
    return table


def _unit_rows(vectors: Float32s) -> Tensor:
    table = np.require(finite(vectors), requirements="W")  # as torch wants it
    return unit_of_any_length(torch.from_numpy(table)).add_(0.0)  # no -0


def _number_distinct_rows(vectors: Tensor) -> Int64s:
    """Return the same number for rows that are the same, (n,) int64."""
    rows = np.ascontiguousarray(vectors.numpy())
    if not rows.shape[1]:
        return np.zeros(len(rows), np.int64)
    begin = rows[:, :2].copy().view(np.int64).ravel() if rows.shape[1] > 1 else rows[:, 0]
    _, first, number, counts = np.unique(
        begin, return_index=True, return_inverse=True, return_counts=True
    )
    alike = np.flatnonzero(counts[number] > 1)  # so far; whole rows take long to sort
    unequal = alike[(rows[alike] != rows[first[number[alike]]]).any(axis=1)]
    whole = rows.view(np.dtype((np.void, rows.shape[1] * rows.itemsize))).ravel()
    number[unequal] = len(counts) + np.unique(whole[unequal], return_inverse=True)[1]
    return number
