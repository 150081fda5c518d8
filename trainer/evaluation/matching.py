"""Concepts of one ontology matched with those of another by their most similar names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.evaluation.bootstrap import mean_figures
from termexplorer.trainer.evaluation.eight_bit_scores import EightBitScores
from termexplorer.trainer.evaluation.figures import TaskResult
from termexplorer.trainer.evaluation.rankings import Measures, blocks_of, in_threads
from termexplorer.trainer.evaluation.scores import Scores
from termexplorer.trainer.metrics import HITS, MRR
from termexplorer.trainer.search.all_pairs import NearestColumns
from termexplorer.trainer.search.eight_bit import NearestRows
from termexplorer.trainer.search.expected_ranks import hits, reciprocal_rank
from termexplorer.trainer.search.tied_groups import TiedGroups, count_standing
from termexplorer.trainer.search.ties import largest

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Int64s = NDArray[np.int64]
Float32s = NDArray[np.float32]

FIRST = (1, 10)


@dataclass(frozen=True, eq=False)
class Matches:
    """The best candidates of m concepts.

    Attributes:
        places: (m, k) int64, candidate concepts, the most similar first, of equals the earlier.
        similarities: (m, k) float32, of the two most similar names of both.
        result: MRR (primary) and Hits@k of the true candidates, over concepts that have one; the
            items are (m,), NaN for the others.
    """

    places: Int64s
    similarities: Float32s
    result: TaskResult

    def others(self) -> tuple[Int64s, Float32s]:
        """Of concepts that were matched among themselves, the best but each itself, (m, k - 1)."""
        is_self = self.places == np.arange(len(self.places))[:, None]
        is_self[~is_self.any(axis=1), -1] = True  # more equals than are kept
        shape = len(is_self), is_self.shape[1] - 1
        return self.places[~is_self].reshape(shape), self.similarities[~is_self].reshape(shape)


def match_concepts(
    scores: Scores,
    of_mentions: Int64s,
    of_candidates: Int64s,
    truth: csr_array,
    *,
    k: int = 10,
    first: Sequence[int] = FIRST,
    seed: int = 0,
    tick: Callable[[], None] = lambda: None,
) -> Matches:
    """Rank all candidate concepts for each concept by the most similar pair of their names.

    Where candidates are equally similar, figures are means over all their orders.

    Args:
        scores: similarities of the names of the concepts and those of the candidates; finite.
        of_mentions: (a,) int64, the concept of each name, from 0 to m - 1, each with one at least.
        of_candidates: (b,) int64, the candidate concept of each name, likewise, from 0 to c - 1.
        truth: (m, c) bool, which candidates are right; not looked at in the ranking.
        k: how many to keep of each ranking, at most c.
        first: each k of Hits@k.
        seed: of the bootstrap.
        tick: called between blocks; may raise to stop.

    Raises:
        ValueError: a concept without a name, or a similarity that is NaN or inf.
    """
    mentions, matching = _SortedRows.of(of_mentions), _choose_matching(scores, of_candidates)
    count, k = len(mentions.starts), min(k, matching.count)
    places, similarities = np.zeros((count, k), np.int64), np.zeros((count, k), np.float32)
    measures: Measures = {
        MRR: reciprocal_rank,
        **{f"{HITS}{n}": partial(hits, k=n) for n in first},
    }
    items = {name: np.full(count, np.nan) for name in measures}

    def match(block: slice) -> None:
        rows, columns = (indices.astype(np.int64) for indices in truth[block].nonzero())
        nearest, ties = matching.match(*mentions.block(block), k, rows, columns)
        places[block], similarities[block] = nearest.rows, nearest.cosines
        for name, measure in measures.items():
            items[name][block] = measure(ties).numpy()

    if k:
        most = matching.count_at_once(len(of_mentions) / max(count, 1))
        in_threads(match, blocks_of(count, len(of_candidates), most), tick)
    return Matches(places, similarities, mean_figures(items, seed))


@dataclass(frozen=True, eq=False)
class _SortedRows:
    """Names in the order of their concepts, and where each concept starts."""

    order: Int64s
    starts: Int64s

    @classmethod
    def of(cls, concepts: Int64s) -> _SortedRows:
        sizes = _count_names(concepts)
        return cls(np.argsort(concepts, kind="stable"), np.cumsum(sizes) - sizes)

    def block(self, concepts: slice) -> tuple[Int64s, Int64s]:
        """The names of some concepts, and where each of these starts among them."""
        edges = np.append(self.starts, len(self.order))[concepts.start : concepts.stop + 1]
        return self.order[edges[0] : edges[-1]], edges[:-1] - edges[0]


@dataclass(frozen=True, eq=False)
class _Layers:
    """The first names of all concepts, then the second ones of those that have one, and so on.

    Concepts of many names come first in each layer, so that a layer is compared as it lies.

    Attributes:
        order: (b,) int64, the names.
        sizes: how many concepts have a name in each layer; falling.
        places: (c,) int64, where each concept is in the layers.
    """

    order: Int64s
    sizes: Int64s
    places: Int64s

    @classmethod
    def of(cls, concepts: Int64s) -> _Layers:
        sizes = _count_names(concepts)
        places = np.empty_like(sizes)
        places[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
        by_concept = np.argsort(concepts, kind="stable")
        of_name = concepts[by_concept]
        layer = np.arange(len(concepts)) - (np.cumsum(sizes) - sizes)[of_name]
        order = by_concept[np.lexsort((places[of_name], layer))]
        return cls(order, np.bincount(layer), places)

    def largest(self, similarities: Tensor) -> Tensor:
        """The largest of each concept, (q, c), of (q, b) in this order, which is written to."""
        first, *more = torch.split(similarities, self.sizes.tolist(), dim=1)
        for layer in more:
            some = first[:, : layer.shape[1]]
            torch.maximum(some, layer, out=some)
        return first[:, torch.from_numpy(self.places)]


def _count_names(concepts: Int64s) -> Int64s:
    sizes = np.bincount(concepts)
    if not sizes.all():
        raise TrainerError("concept {concept} has no name", concept=int(np.argmin(sizes)))
    return sizes


class _TableMatching:
    """Concepts matched by tables of all candidates."""

    def __init__(self, scores: Scores, of_candidates: Int64s) -> None:
        self._scores, self._layers = scores, _Layers.of(of_candidates)
        self.count = len(self._layers.places)

    def count_at_once(self, names_each: float) -> int | None:
        """Return how many concepts to match at once; None for as many as memory likes."""
        return None

    def match(
        self, names: Int64s, starts: Int64s, k: int, rows: Int64s, columns: Int64s
    ) -> tuple[NearestRows, TiedGroups]:
        """Return the k best candidates of some concepts, and where the right ones stand.

        Args:
            names: of the concepts, one concept after the other.
            starts: (q,) where each concept starts among them.
            k: how many to keep.
            rows: (p,) rising, with ``columns`` the right candidates as pairs.
            columns: (p,).
        """
        of_names = torch.as_tensor(self._scores(names, self._layers.order)).float().cpu()
        by_name = np.maximum.reduceat(of_names.numpy(), starts, axis=0)
        table = self._layers.largest(torch.from_numpy(by_name))
        nearest = largest(table, k)
        ties = TiedGroups.of(table, torch.from_numpy(rows), torch.from_numpy(columns))
        return NearestRows(nearest.places.numpy(), nearest.values.numpy()), ties


class _BlockMatching:
    """Concepts matched block by block of candidates, by similarities that no block changes."""

    def __init__(self, scores: EightBitScores, of_candidates: Int64s) -> None:
        self._scores, self._names = scores, _SortedRows.of(of_candidates)
        self.count = len(self._names.starts)
        wanted = np.arange(0, len(of_candidates), scores.block_columns)
        first = np.unique(np.searchsorted(self._names.starts, wanted))
        self._edges = np.append(first[first < self.count], self.count)

    def count_at_once(self, names_each: float) -> int | None:
        """Return how many concepts of some names each to match at once."""
        return max(1, int(self._scores.block_rows / names_each))

    def match(
        self, names: Int64s, starts: Int64s, k: int, rows: Int64s, columns: Int64s
    ) -> tuple[NearestRows, TiedGroups]:
        """As of `_TableMatching`."""
        best = NearestColumns(k, len(starts))
        at, values = torch.from_numpy(rows), self._find_values(names, starts, rows, columns)
        above, size = torch.zeros_like(at), torch.zeros_like(at)
        for first, last in pairwise(self._edges.tolist()):
            table = self._of_concepts(names, starts, slice(first, last))
            best.add(table, first)
            if len(rows):
                values, higher, equal = count_standing(table, at, values)
                above, size = above + higher, size + equal
        totals = torch.from_numpy(np.bincount(rows, minlength=len(starts)))
        if not len(rows):
            return best.finish(), TiedGroups(totals, self.count, at, at, at, at, at)
        ties = TiedGroups.of_counts(totals, self.count, at, values, above, size)
        return best.finish(), ties

    def _of_concepts(self, names: Int64s, starts: Int64s, concepts: slice) -> Tensor:
        """Return the largest similarity of any two names of some concepts and some candidates."""
        candidates, other_starts = self._names.block(concepts)
        of_names = self._scores(names, candidates)
        if not of_names.is_cpu:
            return reduce_on_device(of_names, starts, other_starts).cpu()
        by_name = np.maximum.reduceat(of_names.numpy(), starts, axis=0)
        return torch.from_numpy(np.maximum.reduceat(by_name, other_starts, axis=1))

    def _find_values(self, names: Int64s, starts: Int64s, rows: Int64s, columns: Int64s) -> Tensor:
        """Return the largest similarity of any two names of each of p pairs of concepts, (p,)."""
        ends = np.append(starts, len(names))
        other_starts = np.append(self._names.starts, len(self._names.order))
        widths = other_starts[columns + 1] - other_starts[columns]
        counts = (ends[rows + 1] - ends[rows]) * widths
        pair = np.repeat(np.arange(len(rows)), counts)
        within = np.arange(len(pair)) - np.repeat(np.cumsum(counts) - counts, counts)
        name, other = np.divmod(within, widths[pair])
        similarities = self._scores.of_pairs(
            names[ends[rows[pair]] + name], self._names.order[other_starts[columns[pair]] + other]
        )
        firsts = np.cumsum(counts) - counts
        if not len(rows):
            return similarities.cpu()
        return torch.from_numpy(np.maximum.reduceat(similarities.cpu().numpy(), firsts))


def _choose_matching(scores: Scores, of_candidates: Int64s) -> _TableMatching | _BlockMatching:
    if isinstance(scores, EightBitScores):
        return _BlockMatching(scores, of_candidates)
    return _TableMatching(scores, of_candidates)


def reduce_on_device(similarities: Tensor, starts: Int64s, other_starts: Int64s) -> Tensor:
    """Return the largest similarity of each group of rows and group of columns, (g, h).

    Args:
        similarities: (q, c), of which groups lie one after the other.
        starts: (g,) the first row of each group.
        other_starts: (h,) the first column of each group.
    """
    of_row, of_column = (
        torch.from_numpy(np.repeat(np.arange(len(s)), np.diff(np.append(s, size)))).to(
            similarities.device
        )
        for s, size in zip((starts, other_starts), similarities.shape, strict=True)
    )
    by_row = similarities.new_full((len(starts), similarities.shape[1]), -torch.inf)
    by_row.scatter_reduce_(0, of_row[:, None].expand_as(similarities), similarities, "amax")
    table = similarities.new_full((len(starts), len(other_starts)), -torch.inf)
    return table.scatter_reduce_(1, of_column.expand_as(by_row), by_row, "amax")
