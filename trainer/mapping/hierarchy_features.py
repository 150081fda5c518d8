"""What the neighbours of two concepts in both hierarchies tell, given which match each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.mapping.margins import measure_margins
from termexplorer.trainer.mapping.name_features import Features
from termexplorer.trainer.mapping.sides import MappingSide, binary_matrix, look_up

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Int64s = NDArray[np.int64]
Float32s = NDArray[np.float32]

_LEAST = 0.05  # of probabilities that neighbours are told
_LIKELY = 0.5


def describe_positions(source: MappingSide, target: MappingSide, pairs: Int64s) -> Features:
    """Return where the concepts of each pair are in their hierarchies, (p,) each."""
    features: Features = {}
    for title, side, column in (("source", source, 0), ("target", target, 1)):
        concepts = pairs[:, column]
        features[f"ancestors of {title}"] = np.log1p(side.depths[concepts]).astype(np.float32)
        features[f"children of {title}"] = np.log1p(side.child_counts[concepts]).astype(np.float32)
    return features


def describe_neighbours(
    source: MappingSide, target: MappingSide, pairs: Int64s, exact: Float32s
) -> Features:
    """Return how likely the neighbours of each pair are exact matches of each other, (p,) each.

    Args:
        source: of the first concepts.
        target: of the second ones.
        pairs: (p, 2) int64 concepts, none of them twice.
        exact: (p,) float32, how likely each pair is an exact match; 0 for pairs that are not there.
    """
    features = _sum_neighbours(source, target, pairs, exact)
    features |= _compare_ancestors(source, target, pairs, exact)
    for column, title in enumerate(("of source", "of target")):
        margins, ranks = measure_margins(pairs[:, column], exact)
        features |= {f"exact: margin {title}": margins, f"exact: rank {title}": ranks}
    return features | {"exact": exact}


def _sum_neighbours(
    source: MappingSide, target: MappingSide, pairs: Int64s, exact: Float32s
) -> Features:
    from scipy.sparse import csr_array

    rows = exact > _LEAST
    cells = exact[rows], (pairs[rows, 0], pairs[rows, 1])
    likely = csr_array(cells, shape=(source.count, target.count))
    up, target_up = source.up, target.up
    children = look_up(up.T @ likely @ target_up, *pairs.T)
    sums = {
        "parents match": up @ likely @ target_up.T,
        "source's parent matches": up @ likely,
        "target's parent matches": likely @ target_up.T,
        "target's child matches": likely @ target_up,
        "source's child matches": up.T @ likely,
    }
    counts = source.child_counts[pairs[:, 0]], target.child_counts[pairs[:, 1]]
    return {name: np.minimum(look_up(table, *pairs.T), 1) for name, table in sums.items()} | {
        "source's children match": (children / np.maximum(counts[0], 1)).astype(np.float32),
        "target's children match": (children / np.maximum(counts[1], 1)).astype(np.float32),
    }


def match_mutually(
    source: MappingSide, target: MappingSide, pairs: Int64s, exact: Float32s
) -> csr_array:
    """Return the pairs that are likelier than not, and the likeliest of both concepts, (c, d)."""
    rows = exact > _LIKELY
    for column in (0, 1):
        rows &= measure_margins(pairs[:, column], exact)[0] >= 0
    return binary_matrix(pairs[rows, 0], pairs[rows, 1], (source.count, target.count))


def _compare_ancestors(
    source: MappingSide, target: MappingSide, pairs: Int64s, exact: Float32s
) -> Features:
    from scipy.sparse import csr_array

    matched = match_mutually(source, target, pairs, exact)
    above, below = source.ancestors @ matched, source.ancestors.T @ matched
    above.data[:] = 1
    is_matched = (np.bincount(matched.indices, minlength=target.count) > 0).astype(np.float32)
    theirs = np.asarray(target.ancestors @ is_matched)[pairs[:, 1]]
    ours = np.diff(csr_array(above).indptr)[pairs[:, 0]]
    both = _count_common(csr_array(above), target.ancestors, pairs)
    either = ours + theirs - both
    shares = {
        "ancestors match": both / np.maximum(either, 1),
        "source's ancestors match": both / np.maximum(ours, 1),
        "target's ancestors match": both / np.maximum(theirs, 1),
        "matched ancestors": np.minimum(ours, theirs),
    }
    places = {
        "source's ancestor is target": above,
        "source's descendant is target": below,
        "target's ancestor is source": matched @ target.ancestors.T,
        "target's descendant is source": matched @ target.ancestors,
    }
    return {name: np.asarray(share, np.float32) for name, share in shares.items()} | {
        name: np.minimum(look_up(table, *pairs.T), 1) for name, table in places.items()
    }


def _count_common(table: csr_array, other: csr_array, pairs: Int64s) -> Float32s:
    counts = np.zeros(len(pairs), np.float32)
    for start in range(0, len(pairs), 100_000):
        some = pairs[start : start + 100_000]
        product = table[some[:, 0]].multiply(other[some[:, 1]])
        counts[start : start + len(some)] = np.asarray(product.sum(axis=1)).ravel()
    return counts
