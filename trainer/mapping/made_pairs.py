"""Pairs whose match is known, made by the program itself: concepts that are called the same.

Concepts that are called the same, and as no others, are taken to be exact matches (*anchors*). What
is learned from them has to hold where names differ too, so preferred names become synonyms or are
hidden, and one of the two is taken away so that nothing matches the other. Parents of an anchored
concept are broader than what it is matched with, children narrower.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.mapping.name_features import NameView
from termexplorer.trainer.mapping.sides import (
    EXACT,
    INEXACT,
    PREFERRED,
    MappingSide,
    binary_matrix,
    look_up,
)

Int64s = NDArray[np.int64]
Bools = NDArray[np.bool_]

EXACT_MATCH, BROAD_MATCH, NARROW_MATCH, NO_MATCH = range(4)
UNKNOWN = -1
_KEEP, _DEMOTE, _HIDE, _PART, _SAME = range(5)
_PATTERNS = (0.3, 0.4, 0.2, 0.1, 0.0)
"""How often preferred names stay, become synonyms, are hidden, all names with the same words are
hidden, and all those that are spelled the same."""
_LIST_PATTERNS = (0.4, 0.0, 0.0, 0.4, 0.2)  # of a list, whose codes have one name
_FAR = 0.5  # of the anchors of a list that are gone, the share with all that is near them


_SIDES = ((0,), (1,), (0, 1))


def find_anchors(source: MappingSide, target: MappingSide) -> Int64s:
    """Return pairs of concepts that are called the same as no others, (a, 2) int64.

    Their preferred names are the same and no other's; or they share a name, preferred or an exact
    synonym, and neither of them shares one with anything else.
    """
    ours, theirs = _index_labels(source), _index_labels(target)
    pairs = {(concept, theirs[text]) for text, concept in ours.items() if text in theirs}
    labelled = [{pair[column] for pair in pairs} for column in (0, 1)]
    for concept, other in _share_exclusively(source, target):
        if concept not in labelled[0] and other not in labelled[1]:
            pairs.add((concept, other))
    return np.array(sorted(pairs), np.int64).reshape(-1, 2)


def _share_exclusively(source: MappingSide, target: MappingSide) -> list[tuple[int, int]]:
    """Return the pairs that share a name, of concepts that share none with any other."""
    concepts: dict[str, set[int]] = {}
    for text, concept, kind in _list_rows(target):
        if kind != INEXACT:
            concepts.setdefault(text, set()).add(concept)
    shared = {
        (concept, other)
        for text, concept, kind in _list_rows(source)
        if kind != INEXACT and text
        for other in concepts.get(text, ())
    }
    counts = [Counter(pair[column] for pair in shared) for column in (0, 1)]
    return [(i, j) for i, j in sorted(shared) if counts[0][i] == counts[1][j] == 1]


def _list_rows(side: MappingSide) -> Iterator[tuple[str, int, int]]:
    yield from zip(side.forms.letters, side.concepts.tolist(), side.kinds.tolist(), strict=True)


def _index_labels(side: MappingSide) -> dict[str, int]:
    rows = np.flatnonzero(side.kinds == PREFERRED).tolist()
    counts = Counter(side.forms.letters[row] for row in rows)
    return {
        side.forms.letters[row]: int(side.concepts[row])
        for row in rows
        if side.forms.letters[row] and counts[side.forms.letters[row]] == 1
    }


def label_pairs(source: MappingSide, target: MappingSide, pairs: Int64s, anchors: Int64s) -> Int64s:
    """Return what each pair is by the anchors, (p,) int64.

    Returns:
        `EXACT_MATCH` of an anchor, `BROAD_MATCH` where the target's concept is above it by one
        step, `NARROW_MATCH` where it is below, `NO_MATCH` of an anchored concept with any other;
        `UNKNOWN` where nothing is known, or the two are further above or below each other. What a
        list matches is all that is called the same above and below, see `MappingSide.twins`.
    """
    matched = binary_matrix(anchors[:, 0], anchors[:, 1], (source.count, target.count))
    rows, columns = pairs.T
    anchored = np.isin(rows, anchors[:, 0])
    if not source.is_list:  # several rows of a list may match the same concept
        anchored |= np.isin(columns, anchors[:, 1])
    labels = np.where(anchored, NO_MATCH, UNKNOWN)
    for table in (
        matched @ target.ancestors,
        matched @ target.ancestors.T,
        source.ancestors @ matched,
        source.ancestors.T @ matched,
    ):
        labels[look_up(table, rows, columns) > 0] = UNKNOWN
    for table, label in (
        (source.up.T @ matched, NARROW_MATCH),
        (matched @ target.up.T, NARROW_MATCH),
        (matched @ target.up, BROAD_MATCH),
        (source.up @ matched, BROAD_MATCH),
        (matched, EXACT_MATCH),
    ):
        labels[look_up(table, rows, columns) > 0] = label
    if source.is_list:  # its names have no place that would tell these apart
        labels[look_up(matched @ target.twins, rows, columns) > 0] = EXACT_MATCH
    return labels.astype(np.int64)


def hide_names(
    source: MappingSide,
    target: MappingSide,
    pairs: Int64s,
    anchors: Int64s,
    gone: Bools,
    random: np.random.Generator,
    near: Bools | None = None,
) -> NameView:
    """Return a view in which anchors are harder to find.

    Args:
        source: of the first concepts.
        target: of the second ones.
        pairs: (p, 2) int64 concepts.
        anchors: (a, 2) int64.
        gone: (a,) bool, anchors that are no match, as if one of the two were not there.
        random: draws what is hidden.
        near: of a list, (p,) bool, the pairs that are a match of some kind.
    """
    sides = _HiddenNames(source), _HiddenNames(target)
    is_list = near is not None
    patterns = random.choice(
        len(_PATTERNS), len(anchors), p=_LIST_PATTERNS if is_list else _PATTERNS
    )
    for anchor, pattern, draw in zip(
        anchors.tolist(),
        patterns.tolist(),
        random.integers(0, 3, len(anchors)).tolist(),
        strict=True,
    ):
        if pattern in (_PART, _SAME):
            form = "bags" if pattern == _PART else "letters"
            _hide_shared(*sides, anchor[0], anchor[1], random, 0.0 if is_list else 0.5, form)
            continue
        for number in _SIDES[draw]:
            if pattern == _DEMOTE:
                sides[number].demote_label(anchor[number])
            elif pattern == _HIDE:
                sides[number].hide_label(anchor[number])
    keys = anchors[gone, 0] * target.count + anchors[gone, 1]
    absent = np.isin(pairs[:, 0] * target.count + pairs[:, 1], keys)
    if near is not None:
        far = anchors[gone & (random.random(len(anchors)) < _FAR), 0]
        absent |= near & np.isin(pairs[:, 0], far)
    return NameView(
        sides[0].hidden, sides[1].hidden, sides[0].kinds, sides[1].kinds, np.asarray(absent)
    )


class _HiddenNames:
    """Names of a side that are hidden, one of each concept never."""

    def __init__(self, side: MappingSide) -> None:
        self.hidden = np.zeros(len(side.names), np.bool_)
        self.kinds = side.kinds.copy()
        self._side = side

    def rows_of(self, concept: int) -> Int64s:
        return np.arange(*self._side.starts[concept : concept + 2])

    def forms_of(self, concept: int, form: str) -> dict[int, str]:
        forms = getattr(self._side.forms, form)
        return {row: forms[row] for row in self.rows_of(concept).tolist()}

    def demote_label(self, concept: int) -> None:
        """Make another name the preferred one, which stays as a synonym."""
        rows = self.rows_of(concept)
        rows = rows[~self.hidden[rows]]
        synonyms = rows[self.kinds[rows] != PREFERRED]
        if len(synonyms):
            self.kinds[rows[self.kinds[rows] == PREFERRED]] = EXACT
            self.kinds[synonyms[0]] = PREFERRED

    def hide_label(self, concept: int) -> None:
        rows = self.rows_of(concept)
        self.hide_rows(concept, rows[self.kinds[rows] == PREFERRED])

    def hide_rows(self, concept: int, rows: Int64s) -> None:
        """Hide names, unless it were all; another becomes the preferred one if that is hidden."""
        left = np.setdiff1d(self.rows_of(concept), rows)
        left = left[~self.hidden[left]]
        if not len(left):
            return
        self.hidden[rows] = True
        if not (self.kinds[left] == PREFERRED).any():
            self.kinds[left[0]] = PREFERRED


def _hide_shared(
    ours: _HiddenNames,
    theirs: _HiddenNames,
    concept: int,
    other: int,
    random: np.random.Generator,
    from_ours: float,
    form: str,
) -> None:
    """Hide each name that both have from one of the two, from the first by some probability."""
    left, right = ours.forms_of(concept, form), theirs.forms_of(other, form)
    shared = sorted(set(left.values()) & set(right.values()))
    from_left = dict(zip(shared, (random.random(len(shared)) < from_ours).tolist(), strict=True))
    ours.hide_rows(concept, _rows_where(left, {f for f, hide in from_left.items() if hide}))
    theirs.hide_rows(other, _rows_where(right, {f for f, hide in from_left.items() if not hide}))


def _rows_where(forms: dict[int, str], wanted: set[str]) -> Int64s:
    return np.array([row for row, form in forms.items() if form in wanted], np.int64)
