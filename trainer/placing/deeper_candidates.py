"""Deeper parents that a concept may have, and what speaks for each.

A candidate lies below a parent of the concept, and neither above nor below the concept itself.
What speaks for it are the concepts nearest to the concept by name: the candidate, its children and
all below it are compared with the nearest of all, and with the parent that the concept has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from termexplorer.trainer.mapping.opposites import OppositeNames
from termexplorer.trainer.mapping.sides import binary_matrix, close_upwards, look_up
from termexplorer.trainer.text.tokenizer import tokenize

Int64s = NDArray[np.int64]
Float64s = NDArray[np.float64]

_MOST = 12  # candidates of a concept, by how many of the nearest concepts speak for them
_SHARPNESS = 8.0  # of the votes of near concepts, the more the nearer


class NearConcepts(NamedTuple):
    """The concepts nearest to each of n by an encoder.

    Attributes:
        concepts: (n, k) int64, other concepts, the nearest first.
        similarities: (n, k) float64.
    """

    concepts: Int64s
    similarities: Float64s


class DeeperCandidates(NamedTuple):
    """r deeper parents that concepts may have.

    Attributes:
        concepts: (r,) int64, rising.
        parents: (r,) int64, the one that each concept has, and that the candidate is below.
        candidates: (r,) int64.
        features: (r, f) float64.
        rising: for each feature 1 where more of it speaks for the candidate, -1 where it speaks
            against it, 0 where it does either.
    """

    concepts: Int64s
    parents: Int64s
    candidates: Int64s
    features: Float64s
    rising: list[int]


class LinkTable:
    """The links of a hierarchy of n concepts, or of a copy.

    Attributes:
        parents: (n, n), 1 where the column is a parent of the row.
        ancestors: (n, n), 1 where the column is above the row.
        sizes: (n,) how many concepts are below each.
        widths: (n,) how many children each has.
        heights: (n,) how many concepts are above each.
    """

    def __init__(self, child: Int64s, parent: Int64s, concepts: int) -> None:
        self.parents = binary_matrix(child, parent, (concepts, concepts))
        self.ancestors = close_upwards(self.parents)
        self.sizes = np.bincount(self.ancestors.indices, minlength=concepts)
        self.widths = np.bincount(self.parents.indices, minlength=concepts)
        self.heights = np.diff(self.ancestors.indptr)

    def is_above(self, above: Int64s, below: Int64s) -> NDArray[np.bool_]:
        """Return whether each of some concepts is above another one, (m,)."""
        return look_up(self.ancestors, below, above) > 0


class DeeperEvidence:
    """Gathers what speaks for deeper parents.

    Args:
        labels: of the n concepts.
        near: what encoders find nearest to each of them.
    """

    def __init__(self, labels: Sequence[str], near: Sequence[NearConcepts]) -> None:
        self.near = near
        self._words = _LabelWords(labels)
        self._opposites = OppositeNames(labels)

    def describe(self, links: LinkTable, concepts: Int64s) -> DeeperCandidates:
        """Return the candidates of some concepts by the links of a hierarchy or of a copy."""
        votes = [_NearVotes.count(near, links, concepts) for near in self.near]
        pairs = _draw_candidates(links, votes, self._opposites)
        columns: list[tuple[int, Float64s]] = []
        for vote in votes:
            columns += vote.describe(pairs)
        columns += self._words.describe(pairs)
        columns += [
            (0, np.log1p(links.sizes[pairs.candidates])),
            (1, np.log1p(links.sizes[pairs.parents])),
            (1, np.log1p(links.widths[pairs.parents])),
            (0, links.heights[pairs.candidates] - links.heights[pairs.parents]),
        ]
        features = np.stack([column.astype(np.float64) for _, column in columns], axis=1)
        return DeeperCandidates(
            pairs.concepts, pairs.parents, pairs.candidates, features, [sign for sign, _ in columns]
        )


class _CandidatePairs(NamedTuple):
    """r concepts, each with a parent that it has and with a candidate below that."""

    concepts: Int64s
    parents: Int64s
    candidates: Int64s


@dataclass(frozen=True, eq=False)
class _NearVotes:
    """What the concepts nearest to some concepts say of others.

    Of each concept, a row, and of each other one, a column: its similarity, the largest of its
    children, and the share of the votes that it, its children and all below it have. What is not
    among the nearest is as similar as the last of these.

    Attributes:
        best: (n,) the largest similarity of each concept.
        last: (n,) the smallest.
    """

    itself: csr_array
    of_children: csr_array
    vote: csr_array
    votes_of_children: csr_array
    votes_of_all_below: csr_array
    best: Float64s
    last: Float64s

    @classmethod
    def count(cls, near: NearConcepts, links: LinkTable, concepts: Int64s) -> _NearVotes:
        rows = np.repeat(concepts, near.concepts.shape[1])
        columns, similarities = near.concepts[concepts].ravel(), near.similarities[concepts].ravel()
        counts = ~links.is_above(rows, columns) & (similarities > 0)
        rows, columns, similarities = rows[counts], columns[counts], similarities[counts]
        size = links.parents.shape[0]
        best = np.zeros(size)
        np.maximum.at(best, rows, similarities)
        weights = np.exp(_SHARPNESS * (similarities - best[rows]))
        weights /= np.bincount(rows, weights, size)[rows]
        vote = csr_array((weights, (rows, columns)), shape=(size, size))
        position, above = expand_links(links.parents, columns)
        return cls(
            csr_array((similarities, (rows, columns)), shape=(size, size)),
            _take_largest(rows[position], above, similarities[position], size),
            vote,
            vote @ links.parents,
            vote @ links.ancestors,
            best,
            np.maximum(near.similarities[:, -1], 0),
        )

    def score(self, concepts: Int64s, candidates: Int64s) -> Float64s:
        """Return how much speaks for candidates at first sight, (m,)."""
        tables = (self.vote, 1.0), (self.votes_of_children, 1.0), (self.itself, 0.5)
        scores = [weight * look_up(table, concepts, candidates) for table, weight in tables]
        return np.asarray(np.sum(scores, axis=0), dtype=np.float64)

    def describe(self, pairs: _CandidatePairs) -> list[tuple[int, Float64s]]:
        """Return columns, each with its sign, see `DeeperCandidates.rising`."""
        concepts, parents, candidates = pairs
        best, last = self.best[concepts], self.last[concepts]

        def find(table: csr_array, columns: Int64s) -> Float64s:
            return np.maximum(look_up(table, concepts, columns), last)

        itself, parent = find(self.itself, candidates), find(self.itself, parents)
        child = find(self.of_children, candidates)
        votes = look_up(self.votes_of_all_below, concepts, candidates)
        around = look_up(self.votes_of_all_below, concepts, parents)
        direct = look_up(self.votes_of_children, concepts, candidates)
        direct += look_up(self.vote, concepts, candidates)
        return [
            (1, itself),
            (1, itself - parent),
            (1, child),
            (-1, best - itself),
            (-1, best - np.maximum(child, itself)),
            (1, direct.astype(np.float64)),
            (1, votes.astype(np.float64)),
            (1, votes / np.maximum(around, 1e-9)),
        ]


class _LabelWords:
    """The words of labels, rare ones counting more."""

    def __init__(self, labels: Sequence[str]) -> None:
        tokens = [list(dict.fromkeys(tokenize(label))) for label in labels]
        numbers: dict[str, int] = {}
        indices = [numbers.setdefault(token, len(numbers)) for words in tokens for token in words]
        starts = np.cumsum([0, *map(len, tokens)])
        shape = (len(labels), len(numbers))
        self._has = csr_array((np.ones(len(indices), np.float32), indices, starts), shape=shape)
        frequencies = np.bincount(indices, minlength=len(numbers))
        weights = np.log((1 + len(labels)) / (1 + frequencies)) + 1
        self._weighted = self._has.copy()
        self._weighted.data = weights[self._has.indices].astype(np.float32)
        self._sums = np.maximum(np.asarray(self._weighted.sum(axis=1)).ravel(), 1e-9)
        self._first, self._last = (
            np.array([numbers[words[end]] if words else -1 for words in map(tokenize, labels)])
            for end in (0, -1)
        )

    def describe(self, pairs: _CandidatePairs) -> list[tuple[int, Float64s]]:
        """Return columns, each with its sign, see `DeeperCandidates.rising`."""
        concepts, parents, candidates = pairs
        shared, of_parent = (self._share(concepts, side) for side in (candidates, parents))
        of_candidate, of_concept = shared / self._sums[candidates], shared / self._sums[concepts]
        return [
            (1, of_candidate),
            (0, of_concept),
            (1, (shared - of_parent) / self._sums[concepts]),
            (1, of_candidate > 0.999),
            (0, of_concept > 0.999),
            (1, self._last[concepts] == self._last[candidates]),
            (0, self._first[concepts] == self._first[candidates]),
        ]

    def _share(self, left: Int64s, right: Int64s) -> Float64s:
        """Return the weight of the words that two labels share, (r,)."""
        both = self._has[left].multiply(self._weighted[right])
        return np.asarray(both.sum(axis=1), dtype=np.float64).ravel()


def _draw_candidates(
    links: LinkTable, votes: Sequence[_NearVotes], opposites: OppositeNames
) -> _CandidatePairs:
    """Return the first candidates: near concepts, their parents and the parents of these.

    What has the opposite name, such as the right side of the left one, is none.
    """
    size = links.parents.shape[0]
    drawn = []
    for vote in votes:
        for table in (vote.itself, vote.votes_of_children):
            rows, columns = (side.astype(np.int64) for side in table.nonzero())
            drawn.append(rows * size + columns)
        position, above = expand_links(links.parents, columns)
        drawn.append(rows[position] * size + above)
    keys = _drop_repeats(np.concatenate(drawn))
    rows, candidates = keys // size, keys % size
    is_free = (rows != candidates) & ~links.is_above(rows, candidates)
    is_free &= ~links.is_above(candidates, rows)
    is_free &= ~opposites.exclude(rows, candidates)
    rows, candidates = rows[is_free], candidates[is_free]
    position, parents = expand_links(links.parents, rows)
    is_deeper = links.is_above(parents, candidates[position])
    position, parents = position[is_deeper], parents[is_deeper]
    by_depth = np.lexsort((-links.heights[parents], position))
    position, first = np.unique(position[by_depth], return_index=True)
    pairs = _CandidatePairs(rows[position], parents[by_depth][first], candidates[position])
    scores = np.sum([vote.score(pairs.concepts, pairs.candidates) for vote in votes], axis=0)
    rows = np.sort(take_first(pairs.concepts, scores, _MOST))
    return _CandidatePairs(*(side[rows] for side in pairs))


def take_first(groups: Int64s, scores: Float64s, count: int) -> Int64s:
    """Return the indices of the ``count`` highest scores in each group, the best first."""
    order = np.lexsort((-scores, groups))
    _, starts, sizes = np.unique(groups[order], return_index=True, return_counts=True)
    ranks = np.arange(len(order)) - np.repeat(starts, sizes)
    return order[ranks < count]


def expand_links(links: csr_array, rows: Int64s) -> tuple[Int64s, Int64s]:
    """Return the index in ``rows`` and the column of each link that these rows have."""
    counts = np.diff(links.indptr)[rows]
    index = np.repeat(np.arange(len(rows)), counts)
    within = np.arange(len(index)) - np.repeat(np.cumsum(counts) - counts, counts)
    columns = links.indices[np.repeat(links.indptr[:-1][rows], counts) + within]
    return index, columns.astype(np.int64)


def _take_largest(rows: Int64s, columns: Int64s, values: Float64s, size: int) -> csr_array:
    """Return the (size, size) matrix of values, of several of a cell the largest."""
    keys = rows * size + columns
    order = np.argsort(keys)
    starts = np.flatnonzero(np.diff(keys[order], prepend=-1))
    largest = np.maximum.reduceat(values[order], starts) if len(starts) else np.zeros(0)
    unique = keys[order[starts]]
    return csr_array((largest, (unique // size, unique % size)), shape=(size, size))


def _drop_repeats(keys: Int64s) -> Int64s:
    """Return keys, rising, each once."""
    ordered = np.sort(keys)
    return ordered[np.diff(ordered, prepend=-1) > 0]
