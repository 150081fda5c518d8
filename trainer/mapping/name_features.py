"""What the names of a pair of concepts tell of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.mapping.margins import measure_margins
from termexplorer.trainer.mapping.name_pairs import WEIGHTS, NamePairs
from termexplorer.trainer.mapping.sides import EXACT, PREFERRED, MappingSide

Int64s = NDArray[np.int64]
Float32s = NDArray[np.float32]
Bools = NDArray[np.bool_]
Features = dict[str, Float32s]

_FORMS = ("letters", "bag", "core")
_LEVELS = 5.0  # of `_rate_equality`
_NOT_THERE = np.float32(-1)
_LOOSENESS = (1.0, 0.5, 0.3)  # what the forms count for in ``evidence``


@dataclass(frozen=True, eq=False)
class NameView:
    """Which names and pairs are looked at, and which names count as preferred.

    Attributes:
        hidden_left: (n,) bool names of the source; each concept has one that is not hidden.
        hidden_right: likewise of the target.
        kinds_left: (n,) int64 kinds of the names of the source.
        kinds_right: likewise.
        absent: (p,) bool, pairs of concepts one of which is not there.
    """

    hidden_left: Bools
    hidden_right: Bools
    kinds_left: Int64s
    kinds_right: Int64s
    absent: Bools


def view_all(source: MappingSide, target: MappingSide, pairs: int) -> NameView:
    """Return the view of everything."""
    return NameView(
        np.zeros(len(source.names), np.bool_),
        np.zeros(len(target.names), np.bool_),
        source.kinds,
        target.kinds,
        np.zeros(pairs, np.bool_),
    )


def describe_names(name_pairs: NamePairs, view: NameView) -> Features:
    """Return the features of pairs of concepts by their names, (p,) each."""
    seen = ~(view.hidden_left[name_pairs.left] | view.hidden_right[name_pairs.right])
    kinds = view.kinds_left[name_pairs.left], view.kinds_right[name_pairs.right]
    features = _describe_equality(name_pairs, seen, kinds)
    for number, cosines in enumerate(name_pairs.cosines):
        features[f"cosine {number}"] = _find_largest(name_pairs, seen, cosines)
    features["overlap"] = _find_largest(name_pairs, seen, name_pairs.overlap)
    features["keeps"] = _find_largest(name_pairs, seen, name_pairs.keeps)
    labels = seen & (kinds[0] == PREFERRED) & (kinds[1] == PREFERRED)
    # of equally similar names the preferred ones
    preference = 1e-4 * ((kinds[0] == PREFERRED) + (kinds[1] == PREFERRED).astype(np.float32))
    score = (name_pairs.score + preference).astype(np.float32)
    for title, rows in (("nearest", seen), ("labels", labels)):
        best = _find_best(name_pairs, rows, score)
        features |= _describe_rows(name_pairs, best, title)
    features["score"] = _find_largest(name_pairs, seen, score)
    features["score of labels"] = _find_largest(name_pairs, labels, score)
    features["mean of source names"] = _mean_of_best(name_pairs, seen, score, name_pairs.left)
    features["mean of target names"] = _mean_of_best(name_pairs, seen, score, name_pairs.right)
    return features | _compare_with_rivals(name_pairs.pairs, features, view.absent)


def _describe_equality(
    name_pairs: NamePairs, seen: Bools, kinds: tuple[Int64s, Int64s]
) -> Features:
    features: Features = {}
    level = _rate_equality(*kinds)
    for form, equal in zip(_FORMS, name_pairs.equal, strict=True):
        features[f"equal {form}"] = _find_largest(
            name_pairs, np.ones_like(seen), np.where(equal & seen, level, 0)
        )
        counted = (equal & seen).astype(np.float32)
        features[f"equal {form} names"] = np.add.reduceat(counted, name_pairs.starts)
    return features


def _rate_equality(left: Int64s, right: Int64s) -> Float32s:
    """Return 1 where the two preferred names meet, less for synonyms, least for inexact ones."""
    conditions = [
        (left == PREFERRED) & (right == PREFERRED),
        (left == EXACT) & (right == PREFERRED),
        (left == PREFERRED) & (right == EXACT),
        (left == EXACT) & (right == EXACT),
    ]
    return (np.select(conditions, [5, 4, 3, 2], 1) / _LEVELS).astype(np.float32)


def _find_largest(name_pairs: NamePairs, rows: Bools, values: Float32s) -> Float32s:
    """Return the largest value of each pair of concepts among some rows; -1 where it has none."""
    chosen = np.where(rows, values, _NOT_THERE).astype(np.float32)
    return np.asarray(np.maximum.reduceat(chosen, name_pairs.starts))


def _find_best(name_pairs: NamePairs, rows: Bools, score: Float32s) -> Int64s:
    """Return the row of the highest score among some for each pair of concepts.

    Where it has none of these, that is the first of all its rows.
    """
    chosen = np.where(rows, score, _NOT_THERE)
    best = np.maximum.reduceat(chosen, name_pairs.starts)
    at_best = np.flatnonzero(chosen == best[name_pairs.pair])
    return at_best[np.unique(name_pairs.pair[at_best], return_index=True)[1]]


def _describe_rows(name_pairs: NamePairs, rows: Int64s, title: str) -> Features:
    features: Features = {
        f"{title}: keeps": name_pairs.keeps[rows],
        f"{title}: swaps": np.log1p(name_pairs.swaps[rows]),
        f"{title}: overlap": name_pairs.overlap[rows],
    }
    for column, weight in enumerate(WEIGHTS):
        features[f"{title}: extra {weight}"] = name_pairs.extra[rows, column]
        features[f"{title}: missing {weight}"] = name_pairs.missing[rows, column]
    for number, cosines in enumerate(name_pairs.cosines):
        features[f"{title}: cosine {number}"] = cosines[rows]
    return features


def _mean_of_best(name_pairs: NamePairs, seen: Bools, score: Float32s, names: Int64s) -> Float32s:
    """Return the mean over the names of one side of the best score with any of the other, (p,)."""
    keys = name_pairs.pair * (int(names.max(initial=0)) + 1) + names
    order = np.argsort(keys, kind="stable")
    is_first = np.append(True, np.diff(keys[order]) > 0)[: len(keys)]
    best = np.maximum.reduceat(np.where(seen, score, _NOT_THERE)[order], np.flatnonzero(is_first))
    pair, is_seen = name_pairs.pair[order][is_first], best >= 0
    count = len(name_pairs.pairs)
    total = np.bincount(pair[is_seen], best[is_seen], count)
    counts = np.bincount(pair[is_seen], minlength=count)
    return (total / np.maximum(counts, 1)).astype(np.float32)


def _compare_with_rivals(pairs: Int64s, features: Features, absent: Bools) -> Features:
    """Return margins and ranks among all candidates of the source's concept, and the target's."""
    values = dict(features)
    values["evidence"] = features["score"] + sum(
        weight * (features[f"equal {form}"] > 0) * features[f"equal {form}"]
        for form, weight in zip(_FORMS, _LOOSENESS, strict=True)
    )
    compared = [name for name in values if name.startswith(("cosine", "score", "mean", "evid"))]
    rivals: Features = {}
    for name in [*compared, "equal letters", "equal bag"]:
        present = np.where(absent, _NOT_THERE, values[name]).astype(np.float32)
        for side, title in enumerate(("of source", "of target")):
            margins, ranks = measure_margins(pairs[:, side], present)
            rivals[f"{name}: margin {title}"] = margins
            rivals[f"{name}: rank {title}"] = ranks
    return rivals
