"""Measures of many rankings, block by block."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits
from torch import Tensor

from termexplorer.trainer.evaluation.eight_bit_scores import EightBitScores
from termexplorer.trainer.evaluation.scores import Scores
from termexplorer.trainer.search.retrieval import rows_at_a_time
from termexplorer.trainer.search.tied_groups import TiedGroups
from termexplorer.trainer.text.names import LabelledNames

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Int64s = NDArray[np.int64]
Float64s = NDArray[np.float64]

Measures = Mapping[str, Callable[[TiedGroups], Tensor]]
"""Metrics, the primary one first, with functions that return one value for each row."""

_FEW_RIGHT = 256  # up to which right ones are counted in each block, sooner than in a whole row
_THREADS = 2  # while one multiplies, the other counts, which has little to give to more cores


def rank_names(
    labels: LabelledNames,
    scores: Scores,
    mentions: Int64s,
    candidates: Int64s,
    measures: Measures,
    tick: Callable[[], None],
) -> dict[str, Float64s]:
    """Rank names for each mention, but itself; those that share a class with it are right.

    Args:
        labels: n names and their classes.
        scores: similarities of the n names; asked for from several threads at once.
        mentions: (m,) int64.
        candidates: (c,) int64, none of them twice.
        measures: what to compute.
        tick: called between blocks; may raise to stop.

    Returns:
        (m,) float64 for each measure, NaN for mentions without a right candidate.

    Raises:
        ValueError: a similarity is NaN.
    """
    membership = labels.membership()
    classes = membership[mentions], membership[candidates]
    own_positions = places_of(mentions, candidates)
    held_out = (own_positions < 0).all()
    return rank_mentions(
        scores, mentions, candidates, *classes, measures, tick, None if held_out else own_positions
    )


def rank_mentions(
    scores: Scores,
    mentions: Int64s,
    candidates: Int64s,
    of_mentions: csr_array,
    of_candidates: csr_array,
    measures: Measures,
    tick: Callable[[], None],
    own_positions: Int64s | None = None,
) -> dict[str, Float64s]:
    """Rank all candidates for each mention; those that share a class with it are right.

    As ``rank_names``, of two lists of names.

    Args:
        scores: similarities of the names in the first list and those in the second.
        mentions: (m,) int64.
        candidates: (c,) int64, none of them twice.
        of_mentions: (m, k) bool, the classes of the mentions.
        of_candidates: (c, k) bool, those of the candidates.
        measures: what to compute.
        tick: called between blocks; may raise to stop.
        own_positions: (m,) int64, where a mention is among the candidates, and thus left out of its
            own ranking; -1 for nowhere.
    """
    items = {name: np.full(len(mentions), np.nan) for name in measures}
    by_class = of_candidates.T.tocsr()
    in_blocks = scores if isinstance(scores, EightBitScores) else None
    if in_blocks and not _has_few_right(of_mentions, of_candidates):
        in_blocks = None

    def rank(block: slice) -> None:
        rows, columns = (of_mentions[block] @ by_class).nonzero()
        own_columns = None if own_positions is None else own_positions[block]
        if own_columns is not None:
            is_other = columns != own_columns[rows]
            rows, columns = rows[is_other], columns[is_other]
        if in_blocks:
            ties = in_blocks.find_groups(mentions[block], candidates, rows, columns, own_columns)
        else:
            similarities = torch.as_tensor(scores(mentions[block], candidates))
            ties = _find_groups(similarities, rows, columns, own_columns)
        for name, measure in measures.items():
            items[name][block] = measure(ties).cpu().numpy()

    if len(candidates):
        most = in_blocks.block_rows if in_blocks else None
        in_threads(rank, blocks_of(len(mentions), len(candidates), most), tick)
    return items


def _has_few_right(of_mentions: csr_array, of_candidates: csr_array) -> bool:
    """Return whether no mention has so many right candidates that a whole row is better."""
    counts = of_mentions.astype(np.int64) @ of_candidates.sum(axis=0, dtype=np.int64)
    return bool(counts.max(initial=0) <= _FEW_RIGHT)


def _find_groups(
    similarities: Tensor, rows: Int64s, columns: Int64s, own_columns: Int64s | None
) -> TiedGroups:
    if own_columns is not None:
        present_rows = np.flatnonzero(own_columns >= 0)
        cells = _to_device(similarities, present_rows, own_columns[present_rows])
        similarities = similarities.index_put(cells, similarities.new_tensor(-torch.inf))
    return TiedGroups.of(similarities, *_to_device(similarities, rows, columns))


def blocks_of(count: int, columns: int, most: int | None = None) -> list[slice]:
    """Part rows of similarities into blocks of equal size, as many for each thread.

    Args:
        count: how many rows.
        columns: how long they are.
        most: rows of a block; None for as many as memory likes.
    """
    most = most or rows_at_a_time(columns)
    blocks = -(-count // (most * _THREADS)) * _THREADS
    edges = [count * block // blocks for block in range(blocks + 1)] if count else []
    return [slice(*edge_pair) for edge_pair in pairwise(edges) if edge_pair[0] < edge_pair[1]]


def in_threads(
    work: Callable[[slice], None], blocks: Sequence[slice], tick: Callable[[], None]
) -> None:
    """Do the work on all blocks; where that or a tick raises, those not yet begun are left."""
    cores = torch.get_num_threads()
    thread_count = max(1, cores // _THREADS)  # more stand in their way
    torch.set_num_threads(thread_count)
    pool = ThreadPoolExecutor(min(_THREADS, cores))
    with threadpool_limits(thread_count, "blas"):
        try:
            for done in [pool.submit(work, block) for block in blocks]:
                tick()
                done.result()
        finally:
            pool.shutdown(cancel_futures=True)
            torch.set_num_threads(cores)


def _to_device(similarities: Tensor, *indices: Int64s) -> tuple[Tensor, ...]:
    device = similarities.device
    return tuple(torch.from_numpy(index.astype(np.int64)).to(device) for index in indices)


def places_of(mentions: Int64s, candidates: Int64s) -> Int64s:
    """Return where each mention is among the candidates, -1 for nowhere."""
    if not len(candidates):
        return np.full(len(mentions), -1)
    order = np.argsort(candidates)
    position = order[np.searchsorted(candidates, mentions, sorter=order) % len(candidates)]
    return np.where(candidates[position] == mentions, position, -1)
