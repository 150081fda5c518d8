"""What speaks for a concept as the parent of a term: names, children, neighbours and words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from termexplorer.trainer.distillation.word_fitting import scale_to_unit
from termexplorer.trainer.placing.named_hierarchy import NamedHierarchy
from termexplorer.trainer.representations.base import Representation
from termexplorer.trainer.representations.tfidf import TfidfNames
from termexplorer.trainer.text.tokenizer import tokenize

Float32s = NDArray[np.float32]
Int64s = NDArray[np.int64]

_NEAREST = 40  # candidates by each kind of similarity
_VOTED = 60  # candidates by the parents of what is near
_VOTERS = 30  # concepts near to a term whose parents have a vote
_SHARPNESS = 8.0  # of their votes, the more the nearer


class PlacingEvidence:
    """Gathers what speaks for each concept of a hierarchy.

    Args:
        hierarchy: terms are placed in.
        encoder: of names, such as the built-in one; None: names are compared as written alone.
    """

    def __init__(self, hierarchy: NamedHierarchy, encoder: Representation | None) -> None:
        self.hierarchy = hierarchy
        self._encoder = encoder
        self._written = TfidfNames.fit(hierarchy.names)
        self._vectors = None if encoder is None else scale_to_unit(encoder.encode(hierarchy.names))
        self._words = _WordsOfLabels(hierarchy.labels)
        self._children = _count_links(hierarchy.to_children)
        self._parents = _count_links(hierarchy.to_parents)

    def compare(self, terms: Sequence[str]) -> list[Float32s]:
        """Return similarities of terms and concepts, each by its nearest name.

        Args:
            terms: t texts.

        Returns:
            (t, n) by TF-IDF, and by the encoder where there is one.
        """
        starts = self.hierarchy.starts[:-1]
        tables = [self._written.similarities(terms)]
        if self._encoder is not None and self._vectors is not None:
            tables.append(scale_to_unit(self._encoder.encode(terms)) @ self._vectors.T)
        return [np.maximum.reduceat(table, starts, axis=1) for table in tables]

    def describe(
        self,
        term: str,
        similarities: Sequence[Float32s],
        itself: int | None = None,
        among: Int64s | None = None,
    ) -> tuple[Int64s, Float32s]:
        """Return the candidates of a term and what speaks for each.

        Args:
            term: to be placed.
            similarities: (n,) each, its row of what `compare` returns.
            itself: the concept that the term is the label of, which counts as not there.
            among: (m,) concepts, of which alone candidates are returned; None: all.

        Returns:
            (c,) concepts, and (c, f) of each: similarities, votes and shared words, how far each of
            these is behind the best candidate's, and how large the concept is. NaN where it has
            no children or parents.
        """
        hierarchy = self.hierarchy
        compared_rows = [_leave_out(row, itself) for row in similarities]
        first, second = self._count_votes(sum(compared_rows[1:], compared_rows[0]), itself)
        votes = first + second
        everywhere = np.arange(hierarchy.concepts)
        candidates = np.unique(
            np.concatenate(
                [
                    _draw_candidates(compared_rows, votes, concepts)
                    for concepts in (everywhere, among)
                    if concepts is not None
                ]
            )
        )
        candidates = candidates[candidates != (-1 if itself is None else itself)]
        children = self._count_children(itself)
        compared = [
            column[candidates]
            for row in compared_rows
            for column in _relate_similarities(hierarchy, row, itself, children)
        ]
        compared += [column[candidates] for column in (first, second, *self._words.compare(term))]
        behind = [_subtract_best(column) for column in compared]
        size = [column[candidates] for column in (children, hierarchy.depths, self._parents)]
        described = np.stack([*compared, *behind, *size], axis=1)
        if among is None:
            return candidates, described
        is_among = np.isin(candidates, among)
        return candidates[is_among], described[is_among]

    def _count_children(self, itself: int | None) -> Float32s:
        """Return how many children each concept has, but for the concept itself."""
        if itself is None:
            return self._children
        itself_alone = self.hierarchy.to_children[:, [itself]].toarray().ravel()
        counts: Float32s = self._children - itself_alone
        return counts

    def _count_votes(self, near: Float32s, itself: int | None) -> tuple[Float32s, Float32s]:
        """Return the share of near concepts that have each concept as a parent or grandparent."""
        voters = np.argpartition(-near, min(_VOTERS, len(near)) - 1)[:_VOTERS]
        weights = np.zeros(len(near), dtype=np.float32)
        weights[voters] = np.exp(_SHARPNESS * (near[voters] - near[voters].max()))
        weights /= weights.sum()
        to_children = self.hierarchy.to_children
        first = to_children @ (weights / np.maximum(self._parents, 1))
        if itself is not None:
            first[itself] = 0  # what is below it has no other way up, as if it were not there
        return first.astype(np.float32), (to_children @ first).astype(np.float32)


class _WordsOfLabels:
    """Compares the words of a term with those of labels, rare ones counting more."""

    def __init__(self, labels: Sequence[str]) -> None:
        tokens = [list(dict.fromkeys(tokenize(label))) for label in labels]
        self._numbers: dict[str, int] = {}
        indices = [
            self._numbers.setdefault(token, len(self._numbers))
            for of_label in tokens
            for token in of_label
        ]
        starts = np.concatenate(([0], np.cumsum([len(of_label) for of_label in tokens])))
        shape = (len(labels), len(self._numbers))
        self._has = csr_array((np.ones(len(indices), np.float32), indices, starts), shape=shape)
        frequencies = np.asarray(self._has.sum(axis=0)).ravel()
        self._weights = np.log((1 + len(labels)) / (1 + frequencies)).astype(np.float32) + 1
        self._rarest = float(np.log(1 + len(labels)) + 1)
        self._sizes = np.asarray(self._has.sum(axis=1)).ravel()
        self._sums = self._has @ self._weights
        last = [tokenize(label)[-1:] for label in labels]
        self._last = np.array([self._numbers[end[0]] if end else -1 for end in last])

    def compare(self, term: str) -> list[Float32s]:
        """Return (n,) each: what both share of the label and of the term, their sizes, ends."""
        tokens = tokenize(term)
        distinct = list(dict.fromkeys(tokens))
        known = [self._numbers[token] for token in distinct if token in self._numbers]
        asked = np.zeros(len(self._weights), dtype=np.float32)
        asked[known] = 1
        shared = self._has @ asked
        shared_weight = self._has @ (asked * self._weights)
        whole = asked @ self._weights + self._rarest * (len(distinct) - len(known))
        end = self._numbers.get(tokens[-1], -2) if tokens else -2
        columns = (
            shared_weight / np.maximum(self._sums, 1e-9),
            shared_weight / max(whole, 1e-9),
            self._sizes,
            np.full(len(self._sizes), len(distinct)),
            self._last == end,
            (shared == self._sizes) & (self._sizes < len(distinct)),
            (shared == len(distinct)) & (self._sizes > len(distinct)),
        )
        return [np.asarray(column, dtype=np.float32) for column in columns]


def _draw_candidates(rows: Sequence[Float32s], votes: Float32s, concepts: Int64s) -> Int64s:
    """Return those of some concepts that are nearest by each kind of similarity, or voted for."""
    drawn = [
        concepts[np.argpartition(-row[concepts], min(_NEAREST, len(concepts)) - 1)[:_NEAREST]]
        for row in rows
        if len(concepts)
    ]
    voted = concepts[np.argsort(-votes[concepts], kind="stable")[:_VOTED]]
    return np.concatenate([*drawn, voted[votes[voted] > 0]])


def _count_links(links: csr_array) -> Float32s:
    return np.diff(links.indptr).astype(np.float32)


def _relate_similarities(
    hierarchy: NamedHierarchy, near: Float32s, itself: int | None, children: Float32s
) -> list[Float32s]:
    """Return a concept's own similarity, and those of children, grandchildren and parents."""
    best_child = _leave_out(_find_best(hierarchy.to_children, near), itself)
    known = near if itself is None else np.where(np.arange(len(near)) == itself, 0, near)
    mean_child = (hierarchy.to_children @ known) / np.maximum(children, 1)
    columns = (
        near,
        best_child,
        np.where(children > 0, mean_child, -1),
        _find_best(hierarchy.to_children, best_child),
        _find_best(hierarchy.to_parents, near),
    )
    return [np.where(column > -1, column, np.nan).astype(np.float32) for column in columns]


def _find_best(links: csr_array, values: Float32s) -> Float32s:
    """Return the highest value that each row is linked to, -1 for none."""
    best = np.full(links.shape[0], -1, dtype=np.float32)
    filled = np.flatnonzero(np.diff(links.indptr))
    if len(filled):
        best[filled] = np.maximum.reduceat(values[links.indices], links.indptr[filled])
    return best


def _subtract_best(column: Float32s) -> Float32s:
    """Return how far each candidate is behind the best one, the others aside."""
    known = column[~np.isnan(column)]
    behind: Float32s = column - (known.max() if len(known) else 0)
    return behind


def _leave_out(values: Float32s, itself: int | None) -> Float32s:
    if itself is None:
        return values
    left = values.copy()
    left[itself] = -1
    return left
