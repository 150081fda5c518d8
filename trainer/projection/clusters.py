"""Clusters of the points of a map, and what their names have in common: words, and a name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.projection.base import Float32s

MOST = 20_000  # points that are clustered; of more a sample is, the others go where they are near
_FEWEST = 5  # points of a cluster, and those that make a place dense
_SHARE = 300  # a cluster has a point in so many, or more
_WORDS = 3
_TWICE, _IN_TWENTY = 2, 20  # a common word is there twice, and once for so many names, or more
_LETTERS = r"(?u)\b[^\W\d_]{2,}\b"

Int64s = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ClusterWords:
    """A cluster of names on a map.

    Attributes:
        point: the one of its points that is nearest to the median of all.
        size: how many points it has.
        words: that tell it from the others, the best first; none if its names share none.
        name: The shortest of its names that has most of these words, the better ones first.
    """

    point: int
    size: int
    words: tuple[str, ...]
    name: str = ""


def clusters(positions: Float32s, seed: int = 0) -> Int64s:
    """Return the cluster of each of (n, 2) points as (n,) numbers from 0; -1 for none.

    scikit-learn's HDBSCAN (Campello, Moulavi and Sander 2013), whose clusters are the leaves of its
    tree: those that do not fall apart further. Beyond `MOST` points it sees a sample, and each of
    the others is in the cluster of the nearest point of that.
    """
    count = len(positions)
    if count < 2 * _FEWEST or not np.ptp(positions, axis=0).any():
        return np.full(count, -1)
    seen = np.arange(count)
    if count > MOST:
        seen = np.sort(np.random.default_rng(seed).permutation(count)[:MOST])
    of_seen = _cluster_positions(positions[seen])
    if count <= MOST:
        return of_seen
    from scipy.spatial import cKDTree

    _, nearest = cKDTree(positions[seen]).query(positions)
    assigned: Int64s = of_seen[nearest]
    return assigned


def _cluster_positions(positions: Float32s) -> Int64s:
    from sklearn.cluster import HDBSCAN

    fewest = max(_FEWEST, len(positions) // _SHARE)
    model = HDBSCAN(fewest, min_samples=_FEWEST, cluster_selection_method="leaf", copy=True)
    return np.asarray(model.fit_predict(positions.astype(np.float64)), np.int64)


def describe(positions: Float32s, names: Sequence[str], seed: int = 0) -> list[ClusterWords]:
    """Return the clusters of n points that have words in common, the largest first.

    Words are weighed by class-based TF-IDF (Grootendorst 2022, *BERTopic*): how often a word is in
    a cluster, times log(1 + words of a cluster on average / how often it is in all). Names of no
    cluster count as one more. English stop words, numbers and single letters are no words, and a
    word has to be there once for twenty names, and twice, to be common.

    Args:
        positions: (n, 2) float32.
        names: n of them.
        seed: of the sample, if there is one.

    Raises:
        ValueError: there are not as many names as points.
    """
    if len(names) != len(positions):
        raise TrainerError(
            "{names} names are not those of {positions} points",
            names=len(names),
            positions=len(positions),
        )
    labels = clusters(positions, seed)
    common = _common_words(names, labels) if (labels >= 0).any() else []
    descriptions = [
        _describe_cluster(positions, names, np.flatnonzero(labels == number), int(size), words)
        for number, (size, words) in enumerate(
            zip(np.bincount(labels + 1)[1:], common, strict=True)
        )
        if words
    ]
    return sorted(descriptions, key=lambda cluster: (-cluster.size, cluster.point))


def _describe_cluster(
    positions: Float32s, names: Sequence[str], members: Int64s, size: int, words: tuple[str, ...]
) -> ClusterWords:
    name = _most_typical_name([names[member] for member in members.tolist()], words)
    return ClusterWords(_middle_member(positions, members), size, words, name)


def _most_typical_name(names: Sequence[str], words: tuple[str, ...]) -> str:
    """Return the name with most of some words; of equals with the better, then the shortest."""

    def rank(name: str) -> tuple[object, ...]:
        in_name = set(re.findall(_LETTERS, name.lower()))
        missing = [word not in in_name for word in words]
        return sum(missing), missing, len(name), name

    return min(names, key=rank)


def _common_words(names: Sequence[str], labels: Int64s) -> list[tuple[str, ...]]:
    """The words of each cluster from 0 on."""
    from scipy.sparse import csr_matrix
    from sklearn.feature_extraction.text import CountVectorizer

    vectorizer = CountVectorizer(stop_words="english", token_pattern=_LETTERS)
    try:
        counts = vectorizer.fit_transform(names)
    except ValueError:  # no word at all
        return [()] * int(labels.max() + 1)
    members = csr_matrix((np.ones(len(names)), (labels + 1, np.arange(len(names)))))
    in_cluster = (members @ counts).tocsr()
    overall = np.asarray(in_cluster.sum(axis=0)).ravel()
    words = np.asarray(vectorizer.get_feature_names_out())
    rarity = np.log1p(overall.sum() / in_cluster.shape[0] / overall)
    least = np.maximum(_TWICE, np.bincount(labels + 1) / _IN_TWENTY)
    rows = range(1, in_cluster.shape[0])
    return [_most_typical_words(in_cluster[row], rarity, words, least[row]) for row in rows]


def _most_typical_words(
    counts: object, rarity: NDArray[np.float64], words: NDArray[np.str_], least: float
) -> tuple[str, ...]:
    columns, often = counts.indices, counts.data  # type: ignore[attr-defined] # of a sparse row
    is_frequent = often >= least
    columns, weights = columns[is_frequent], often[is_frequent] * rarity[columns[is_frequent]]
    order = np.lexsort((words[columns], -weights))[:_WORDS]
    return tuple(str(word) for word in words[columns[order]])


def _middle_member(positions: Float32s, members: Int64s) -> int:
    member_positions = positions[members].astype(np.float64)
    squares = ((member_positions - np.median(member_positions, axis=0)) ** 2).sum(axis=1)
    return int(members[squares.argmin()])
