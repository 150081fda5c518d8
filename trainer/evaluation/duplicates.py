"""Pairs of concepts with the most similar names, which may be one and the same.

How much similarity is worth is learned from copies of the ontology in which some concepts were
split in two. No concept is split in two copies, so that its halves, and what they are nearest to,
are compared once for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import TrainerError

if TYPE_CHECKING:
    from termexplorer.trainer.evaluation.matching import Matches

Int64s = NDArray[np.int64]
Float64s = NDArray[np.float64]
Bools = NDArray[np.bool_]

FEATURES = ("similarity", "ahead of the next, of one", "ahead of the next, of the other")


@dataclass(frozen=True, eq=False)
class Halves:
    """Concepts as they are split in any copy.

    Attributes:
        concepts: (n,) int64, the half, or whole concept, of each name, from 0 to h - 1; the first m
            have the numbers of the m concepts.
        of: (h,) int64, the concept that each is of.
        copies: (h,) int64, the copy in which each is a concept; -1 for the first m, which are ones
            in all.
    """

    concepts: Int64s
    of: Int64s
    copies: Int64s

    def as_in(self, copy: int) -> Int64s:
        """What each is a part of in a copy, (h,); in the ontology itself for -1."""
        return np.where(self.copies == copy, np.arange(len(self.of)), self.of)


def split_concepts(concepts: Int64s, share: float, copies: int, seed: int) -> Halves:
    """Make two concepts of some, each with about half of the names, other ones in each copy.

    Args:
        concepts: (n,) int64, the concept of each name, from 0 to m - 1.
        share: of the concepts with two names or more, for each copy, rounded; at least one.
        copies: how many.
        seed: of the draw.

    Raises:
        ValueError: too few concepts have two names.
    """
    rng = np.random.default_rng(seed)
    sizes = np.bincount(concepts)
    several = np.flatnonzero(sizes > 1)
    names_per_copy = max(round(share * len(several)), 1)
    if names_per_copy * copies > len(several):
        raise TrainerError(
            "{several} concepts have two names or more; in {copies} copies {names} "
            "different ones would have to be split",
            several=len(several),
            copies=copies,
            names=names_per_copy * copies,
        )
    chosen = rng.permutation(several)[: names_per_copy * copies]
    new_concepts = concepts.copy()
    order = np.argsort(concepts, kind="stable")
    starts = np.cumsum(sizes) - sizes
    for number, concept in enumerate(chosen.tolist(), len(sizes)):
        names = order[starts[concept] : starts[concept] + sizes[concept]]
        new_concepts[rng.permutation(names)[: len(names) // 2]] = number
    whole = np.full(len(sizes), -1)
    return Halves(
        new_concepts,
        np.concatenate([np.arange(len(sizes)), chosen]),
        np.concatenate([whole, np.repeat(np.arange(copies), names_per_copy)]),
    )


@dataclass(frozen=True, eq=False)
class Nearest:
    """The nearest concepts of each of h.

    Attributes:
        places: (h, k) int64, the most similar first, of equals by their numbers; -1 where there are
            no more.
        similarities: (h, k) float64, of their most similar names; NaN where there are no more.
    """

    places: Int64s
    similarities: Float64s

    @classmethod
    def of(cls, among: Matches, whole: Int64s, k: int) -> Nearest:
        """Put halves together.

        Args:
            among: the nearest 2 k + 2 of h concepts and halves among themselves, if none is in more
                than two parts; with fewer some of the k may be missed.
            whole: (h,) int64, which concept each is a part of.
            k: how many to keep.
        """
        count, width = among.places.shape
        rows, neighbours = np.repeat(whole, width), whole[among.places.ravel()]
        similar = among.similarities.ravel().astype(np.float64)
        order = np.lexsort((neighbours, -similar, rows))
        order = order[rows[order] != neighbours[order]]
        first = np.unique(rows[order] * count + neighbours[order], return_index=True)[1]
        order = order[np.sort(first)]
        row = rows[order]
        rank = np.arange(len(row)) - np.searchsorted(row, row)
        order, row, rank = (array[rank < k] for array in (order, row, rank))
        places, similarities = np.full((count, k), -1), np.full((count, k), np.nan)
        places[row, rank], similarities[row, rank] = neighbours[order], similar[order]
        return cls(places, similarities)


def near_pairs(nearest: Sequence[Nearest], k: int) -> tuple[Int64s, Int64s]:
    """Return each pair of which one is among the k nearest of the other, by any of them.

    Returns:
        (p,) int64 and (p,) int64, the first the smaller; rising.
    """
    count = len(nearest[0].places)
    keys = []
    for neighbours in nearest:
        near = neighbours.places[:, :k]
        row, column = (near >= 0).nonzero()
        other = near[row, column]
        keys.append(np.minimum(row, other) * count + np.maximum(row, other))
    first, second = np.divmod(np.unique(np.concatenate(keys)), count)
    return first, second


def pair_features(nearest: Nearest, first: Int64s, second: Int64s) -> Float64s:
    """What an encoder says of pairs, (p, 3), `FEATURES`; the larger of the last two comes first.

    Of pairs that are not among the nearest of either, the similarity is the most that it can be.
    How far a pair is ahead is NaN where there is no next.
    """
    similar = np.fmax(
        _similarity_of_others(nearest, first, second), _similarity_of_others(nearest, second, first)
    )
    most = np.minimum(nearest.similarities[first, -1], nearest.similarities[second, -1])
    similar = np.where(np.isnan(similar), most, similar)
    ahead = [
        similar - _next_similarity(nearest, *direction)
        for direction in ((first, second), (second, first))
    ]
    return np.stack([similar, np.maximum(*ahead), np.minimum(*ahead)], axis=1)


def _similarity_of_others(nearest: Nearest, rows: Int64s, partners: Int64s) -> Float64s:
    """The similarity of each row's other, NaN where it is not among its nearest, (p,)."""
    is_partner = nearest.places[rows] == partners[:, None]
    similar = nearest.similarities[rows, is_partner.argmax(axis=1)]
    return np.where(is_partner.any(axis=1), similar, np.nan)


def _next_similarity(nearest: Nearest, rows: Int64s, partners: Int64s) -> Float64s:
    """The similarity of each row's nearest but another, (p,); NaN where there is none."""
    column = (nearest.places[rows, 0] == partners).astype(np.int64)
    if nearest.places.shape[1] < 2:
        return np.where(column > 0, np.nan, nearest.similarities[rows, 0])
    return np.asarray(nearest.similarities[rows, column])


def found_again(nearest: Nearest, halves: Halves, copy: int, k: int) -> Bools:
    """Whether one half is among the k nearest of the other, for each concept split in a copy."""
    new = np.flatnonzero(halves.copies == copy)
    old = halves.of[new]
    places = nearest.places[:, :k]
    is_match = (places[new] == old[:, None]) | (places[old] == new[:, None])
    return np.asarray(is_match.any(axis=1))
