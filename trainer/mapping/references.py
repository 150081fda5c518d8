"""What cross-references add to the likelihoods of matches."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.mapping.made_pairs import EXACT_MATCH

Int64s = NDArray[np.int64]
Float32s = NDArray[np.float32]


def measure_trust(references: Int64s, anchors: Int64s) -> float:
    """Return how often the references of concepts that are called the same name each other.

    One right and one wrong reference are counted in addition.

    Args:
        references: (r, 2) int64 pairs of concepts.
        anchors: (a, 2) int64 pairs of concepts that are called the same.
    """
    partner = dict(anchors.tolist())
    named = [(concept, other) for concept, other in references.tolist() if concept in partner]
    right = sum(partner[concept] == other for concept, other in named)
    return float((right + 1) / (len(named) + 2))


def add_references(
    pairs: Int64s, likelihoods: Float32s, references: Int64s, anchors: Int64s
) -> Float32s:
    """Return likelihoods in which what references name is an exact match at least as often as that.

    A concept with several references has none that says which is exact; those count nothing.

    Args:
        pairs: (p, 2) int64.
        likelihoods: (p, 4) float32.
        references: (r, 2) int64, each of them among the pairs.
        anchors: (a, 2) int64.
    """
    if not len(references):
        return likelihoods
    single = np.ones(len(references), np.bool_)
    for column in (0, 1):
        _, inverse, counts = np.unique(
            references[:, column], return_inverse=True, return_counts=True
        )
        single &= counts[inverse] == 1
    width = int(max(pairs[:, 1].max(), references[:, 1].max())) + 1
    keys, named = (table[:, 0] * width + table[:, 1] for table in (pairs, references[single]))
    rows = np.isin(keys, named)
    trusted = likelihoods.copy()
    exact = np.maximum(trusted[rows, EXACT_MATCH], np.float32(measure_trust(references, anchors)))
    left_over = (1 - exact) / np.maximum(1 - trusted[rows, EXACT_MATCH], np.float32(1e-6))
    trusted[rows] *= left_over[:, None]
    trusted[rows, EXACT_MATCH] = exact
    return trusted
