"""The first k of each mention's ranking, and where its first right candidate stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.evaluation.rankings import blocks_of, in_threads, places_of
from termexplorer.trainer.evaluation.scores import Scores
from termexplorer.trainer.search.ties import Largest, expected_rank, expected_rank_of_best, largest

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Int64s = NDArray[np.int64]
Float64s = NDArray[np.float64]
Bools = NDArray[np.bool_]

FIRST = 100


@dataclass(frozen=True, eq=False)
class TopRanks:
    """What is kept of the rankings of m mentions.

    Attributes:
        top: (m, k) int32, places among the candidates, the most similar first, of equals the
            earlier ones; a row of -1 where all candidates are equally similar.
        best: (m,) float64, the rank of the first right candidate, from 1, the mean over all orders
            of equals; NaN where no candidate is right.
    """

    top: NDArray[np.int32]
    best: Float64s


def top_ranks(
    scores: Scores,
    mentions: Int64s,
    candidates: Int64s,
    of_mentions: csr_array,
    of_candidates: csr_array,
    *,
    k: int = FIRST,
    tick: Callable[[], None] = lambda: None,
) -> TopRanks:
    """Rank all candidates for each mention, but itself; those that share a class with it are right.

    Args:
        scores: similarities of names; a table of its own for each call, which is written to.
        mentions: (m,) int64.
        candidates: (c,) int64, none of them twice. A mention that is among them, by its number, is
            left out of its own ranking.
        of_mentions: (m, s) bool, the classes of the mentions.
        of_candidates: (c, s) bool, those of the candidates.
        k: how many to keep; if there are fewer for a mention, as many as there are for each.
        tick: called between blocks; may raise to stop.

    Raises:
        ValueError: a similarity is NaN.
    """
    own_positions = places_of(mentions, candidates)
    depth = max(min(k, len(candidates) - int((own_positions >= 0).any())), 0)
    ranking = TopRanks(
        np.full((len(mentions), depth), -1, np.int32), np.full(len(mentions), np.nan)
    )
    right = _Right(of_mentions, of_candidates)

    def rank(block: slice) -> None:
        similarities = torch.as_tensor(scores(mentions[block], candidates)).cpu()
        present_rows = np.flatnonzero(own_positions[block] >= 0)
        cells = torch.from_numpy(present_rows), torch.from_numpy(own_positions[block][present_rows])
        similarities[cells] = -torch.inf
        first = largest(similarities, depth)
        if not bool((first.values[:, 0] < torch.inf).all()):
            raise TrainerError("some similarities are not numbers, so that nothing can be ranked")
        is_ranked = (first.values > -torch.inf) & ~_all_equal(similarities, first)[:, None]
        ranking.top[block] = torch.where(is_ranked, first.places, -1).numpy()
        ranking.best[block] = _best_expected_rank(similarities, first, right, block)

    if depth:
        in_threads(rank, blocks_of(len(mentions), len(candidates)), tick)
    return ranking


class _Right:
    """Which candidates share a class with a mention."""

    def __init__(self, of_mentions: csr_array, of_candidates: csr_array) -> None:
        self._of_mentions, self._of_candidates = of_mentions, of_candidates
        self._by_class = of_candidates.T.tocsr()

    def among(self, block: slice, places: Int64s) -> Bools:
        """Whether each of some candidates for the mentions of a block, (b, k), is right."""
        classes = self._padded[places]  # (b, k, w)
        of_block = np.zeros((len(places), self._of_mentions.shape[1] + 1), np.bool_)
        of_block[self._of_mentions[block].nonzero()] = True
        return np.asarray(of_block[np.arange(len(places))[:, None, None], classes].any(axis=2))

    def pairs(self, rows: Int64s) -> tuple[Int64s, Int64s]:
        """All right candidates of some mentions: the place of the mention, and the candidate."""
        row, column = (self._of_mentions[rows] @ self._by_class).nonzero()
        return row.astype(np.int64), column.astype(np.int64)

    @cached_property
    def _padded(self) -> Int64s:
        """The classes of each candidate, (c, w), one that no mention has where there are fewer."""
        starts, classes = self._of_candidates.indptr, self._of_candidates.indices
        counts = np.diff(starts)
        padded = np.full((len(counts), max(counts.max(initial=0), 1)), self._of_candidates.shape[1])
        row = np.repeat(np.arange(len(counts)), counts)
        padded[row, np.arange(len(classes)) - starts[row]] = classes
        return padded


def _best_expected_rank(
    similarities: Tensor, first: Largest, right: _Right, block: slice
) -> Float64s:
    """Return the expected rank of the first right candidate of each row, NaN without one."""
    values = first.values.numpy()
    is_right = right.among(block, first.places.numpy())
    column = is_right.argmax(axis=1)
    rows = np.arange(len(values))
    value = values[rows, column][:, None]
    # all that is as similar is among the first, unless it is as similar as the last of them
    inside = is_right[rows, column] & (value[:, 0] > values[:, -1])
    equal = values == value
    above, size, count = (mask.sum(axis=1) for mask in (values > value, equal, equal & is_right))
    best = expected_rank(above, size, count)
    outside = np.flatnonzero(~inside)
    pairs = map(torch.from_numpy, right.pairs(outside + block.start))
    some = similarities.index_select(0, torch.from_numpy(outside))  # twice as fast as by []
    best[outside] = expected_rank_of_best(some, *pairs).numpy()
    return np.asarray(best)


def _all_equal(similarities: Tensor, first: Largest) -> Tensor:
    """Whether several candidates are ranked and all are equally similar, (q,) bool."""
    is_equal = first.values[:, 0] == first.values[:, -1]
    rows = is_equal.nonzero().squeeze(1)
    value = first.values[rows, :1]
    equal, unranked = similarities[rows] == value, similarities[rows] == -torch.inf
    is_equal[rows] = (equal | unranked).all(1) & (equal.sum(1) > 1)
    return is_equal
