"""Concepts of one ontology matched with those of another by their most similar names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.evaluation.bootstrap import mean_figures
from termexplorer.trainer.evaluation.figures import TaskResult
from termexplorer.trainer.evaluation.rankings import Measures, blocks_of, in_threads
from termexplorer.trainer.evaluation.scores import Scores
from termexplorer.trainer.metrics import HITS, MRR
from termexplorer.trainer.search.expected_ranks import hits, reciprocal_rank
from termexplorer.trainer.search.tied_groups import TiedGroups
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
    mentions, candidates = _SortedRows.of(of_mentions), _Layers.of(of_candidates)
    count, k = len(mentions.starts), min(k, len(candidates.places))
    places, similarities = np.zeros((count, k), np.int64), np.zeros((count, k), np.float32)
    measures: Measures = {
        MRR: reciprocal_rank,
        **{f"{HITS}{n}": partial(hits, k=n) for n in first},
    }
    items = {name: np.full(count, np.nan) for name in measures}

    def match(block: slice) -> None:
        table = _of_concepts(scores, mentions, candidates, block)
        nearest = largest(table, k)
        places[block], similarities[block] = nearest.places.numpy(), nearest.values.numpy()
        rows, columns = (
            torch.from_numpy(indices.astype(np.int64)) for indices in truth[block].nonzero()
        )
        ties = TiedGroups.of(table, rows, columns)
        for name, measure in measures.items():
            items[name][block] = measure(ties).numpy()

    if k:
        in_threads(match, blocks_of(count, len(of_candidates)), tick)
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


def _of_concepts(
    scores: Scores, mentions: _SortedRows, candidates: _Layers, block: slice
) -> Tensor:
    """The largest similarity of any two names of the concepts of a block and each candidate."""
    names, starts = mentions.block(block)
    of_names = torch.as_tensor(scores(names, candidates.order)).float().cpu()
    by_name = np.maximum.reduceat(of_names.numpy(), starts, axis=0)
    return candidates.largest(torch.from_numpy(by_name))
