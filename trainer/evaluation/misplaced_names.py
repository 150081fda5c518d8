"""Names that are nearer to another concept's names than to those of their own.

What an encoder says of a name is which names are nearest to it, and how near and at which rank
those of its own concept are. How much that is worth is learned from copies of the ontology in which
some names were given to other concepts at random, so that the truth is known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.evaluation.rankings import blocks_of, in_threads
from termexplorer.trainer.evaluation.scores import Scores
from termexplorer.trainer.search.ties import count_above, largest

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Int64s = NDArray[np.int64]
Float32s = NDArray[np.float32]
Float64s = NDArray[np.float64]
Bools = NDArray[np.bool_]

_VOTERS = 10  # nearest names
FEATURES = ("nearest of another", "nearest of its own", "rank of that", "votes of the ten nearest")


@dataclass(frozen=True, eq=False)
class NameEvidence:
    """What an encoder says of n names, whatever concepts they are said to be of.

    Attributes:
        neighbours: (n, k) int64, other names, the most similar first, of equals the earlier.
        near: (n, k) float32, how similar these are.
        rows: (p,) int64, with `columns` the pairs of names that were asked for; rising.
        columns: (p,) int64.
        similarities: (p,) float32, of these pairs.
        ahead: (p,) int64, how many names are more similar to the first of the pair than the second.
    """

    neighbours: Int64s
    near: Float32s
    rows: Int64s
    columns: Int64s
    similarities: Float32s
    ahead: Int64s


def pairs_within(assignments: Sequence[Int64s]) -> csr_array:
    """Return which different names are of the same concept in any of several copies, (n, n) bool.

    Args:
        assignments: (n,) int64 each, the concept of each name.
    """
    from scipy.sparse import csr_array

    count = len(assignments[0])
    pairs = csr_array((count, count), dtype=np.bool_)
    for concepts in assignments:
        ones = np.ones(count, np.bool_)
        of_names = csr_array((ones, (np.arange(count), concepts)))
        pairs = pairs + of_names @ of_names.T
    pairs.setdiag(False)
    pairs.eliminate_zeros()
    pairs.sort_indices()
    return pairs


def name_evidence(
    scores: Scores, pairs: csr_array, *, k: int, tick: Callable[[], None] = lambda: None
) -> NameEvidence:
    """Rank all other names for each name.

    Args:
        scores: similarities of the n names; a table of its own for each call, which is written to.
        pairs: (n, n) bool, of which the similarity and rank are wanted, as `pairs_within` gives
            them.
        k: how many to keep of each ranking; all if there are fewer.
        tick: called between blocks; may raise to stop.

    Raises:
        ValueError: a similarity is NaN.
    """
    count = pairs.shape[0]
    neighbour_count, every, starts = min(k, count - 1), np.arange(count), pairs.indptr
    rows = np.repeat(every, np.diff(starts))
    columns = pairs.indices.astype(np.int64)
    neighbours, near = (
        np.empty((count, neighbour_count), np.int64),
        np.empty((count, neighbour_count), np.float32),
    )
    similarities, ahead = np.empty(len(rows), np.float32), np.empty(len(rows), np.int64)

    def rank(block: slice) -> None:
        table = torch.as_tensor(scores(every[block], every)).float().cpu()
        diagonal = torch.arange(len(table))
        table[diagonal, diagonal + block.start] = -torch.inf
        if bool(table.isnan().any()):
            raise TrainerError("some similarities are not numbers, so that nothing can be ranked")
        first = largest(table, neighbour_count)
        neighbours[block], near[block] = first.places.numpy(), first.values.numpy()
        within = slice(starts[block.start], starts[block.stop])
        row, column = (
            torch.from_numpy(indices[within]) for indices in (rows - block.start, columns)
        )
        values = table[row, column]
        similarities[within] = values.numpy()
        ahead[within] = count_above(table, row, values).numpy()

    in_threads(rank, blocks_of(count, count), tick)
    return NameEvidence(neighbours, near, rows, columns, similarities, ahead)


@dataclass(frozen=True, eq=False)
class NameDoubts:
    """How much an encoder doubts the concept of each of n names.

    Attributes:
        nearest: (n,) int64, the nearest name of another concept; -1 where all that were kept of the
            ranking are of its own.
        margins: (n,) float64, by how much that is nearer than the nearest other name of its own
            concept; NaN where there is none.
        features: (n, 4) float64, `FEATURES`, each the larger the more doubtful; NaN in the second
            and third where it is the only name of its concept.
    """

    nearest: Int64s
    margins: Float64s
    features: Float64s


def name_doubts(evidence: NameEvidence, concepts: Int64s) -> NameDoubts:
    """Weigh what an encoder says against what is asserted.

    Args:
        evidence: of n names, for all pairs of names that are of one concept here.
        concepts: (n,) int64, the concept that each name is said to be of.
    """
    own_similarity, ahead = _of_own(evidence, concepts)
    of_near = concepts[evidence.neighbours]
    is_other = of_near != concepts[:, None]
    has_other, column = is_other.any(axis=1), is_other.argmax(axis=1)
    every = np.arange(len(concepts))
    column[~has_other] = -1  # another one is at most as near as the last that was kept
    other = evidence.near[every, column].astype(np.float64)
    votes = np.maximum(evidence.near[:, :_VOTERS].astype(np.float64), 0)
    total = np.maximum(votes.sum(axis=1), 1e-12)
    for_best = np.where(of_near[:, :_VOTERS] == of_near[every, column][:, None], votes, 0)
    for_own = np.where(is_other[:, :_VOTERS], 0, votes)
    ahead_by = np.where(has_other, for_best.sum(axis=1), 0) - for_own.sum(axis=1)
    features = np.stack([other, -own_similarity, np.log1p(ahead), ahead_by / total], axis=1)
    nearest = np.where(has_other, evidence.neighbours[every, column], -1)
    return NameDoubts(nearest, other - own_similarity, features)


def _of_own(evidence: NameEvidence, concepts: Int64s) -> tuple[Float64s, Float64s]:
    """Similarity of the nearest name of its own concept, (n,), and how many are nearer, (n,)."""
    same = concepts[evidence.rows] == concepts[evidence.columns]
    rows = evidence.rows[same]
    similar, ahead = np.full(len(concepts), -np.inf), np.full(len(concepts), np.inf)
    np.maximum.at(similar, rows, evidence.similarities[same])
    np.minimum.at(ahead, rows, evidence.ahead[same])
    alone = np.isinf(ahead)
    return np.where(alone, np.nan, similar), np.where(alone, np.nan, ahead)


def moved_names(concepts: Int64s, movable: Bools, share: float, seed: int) -> tuple[Int64s, Bools]:
    """Give some names to one other concept each, drawn at random.

    Args:
        concepts: (n,) int64, the concept of each name, from 0 to m - 1.
        movable: (n,) which names may be moved.
        share: of these, rounded; at least one is moved.
        seed: of the draw.

    Returns:
        (n,) int64, the concepts that come of it, and which names were moved, (n,).

    Raises:
        ValueError: no name may be moved, or there is one concept alone.
    """
    rng = np.random.default_rng(seed)
    free, count = np.flatnonzero(movable), int(concepts.max(initial=-1)) + 1
    if not len(free) or count < 2:
        raise TrainerError(
            "no concept has a second name that another could have: none can be moved"
        )
    chosen = rng.permutation(free)[: max(round(share * len(free)), 1)]
    new_concepts = rng.integers(0, count - 1, len(chosen))
    changed = concepts.copy()
    changed[chosen] = new_concepts + (new_concepts >= concepts[chosen])
    mask = np.zeros(len(concepts), np.bool_)
    mask[chosen] = True
    return changed, mask
