"""Exact matches that contradict both hierarchies, and which of them to take back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.mapping.sides import MappingSide, binary_matrix

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Int64s = NDArray[np.int64]
Float32s = NDArray[np.float32]
Bools = NDArray[np.bool_]


def find_contradictions(source: MappingSide, target: MappingSide, pairs: Int64s) -> Int64s:
    """Return the pairs of matches of which one is above the other here, and below it there.

    Args:
        source: of the first concepts.
        target: of the second ones.
        pairs: (p, 2) int64 exact matches.

    Returns:
        (k, 2) int64 indices of matches; the first is above the second in the source.
    """
    matches = np.arange(len(pairs))
    ours = _link_matches(source, binary_matrix(matches, pairs[:, 0], (len(pairs), source.count)))
    theirs = _link_matches(target, binary_matrix(matches, pairs[:, 1], (len(pairs), target.count)))
    below, above = ours.multiply(theirs.T).tocoo().coords
    return np.stack([above, below], axis=1).astype(np.int64)


def _link_matches(side: MappingSide, concept_of: csr_array) -> csr_array:
    """Return the (p, p) matrix of matches whose concept has that of another as an ancestor."""
    linked: csr_array = concept_of @ side.ancestors @ concept_of.T
    return linked


def repair_matches(
    source: MappingSide, target: MappingSide, pairs: Int64s, likelihoods: Float32s
) -> Bools:
    """Return which exact matches to keep so that none contradicts another, (p,) bool.

    The match in the most contradictions goes first, of equals the less likely one.
    """
    keeps = np.ones(len(pairs), np.bool_)
    conflicts = find_contradictions(source, target, pairs)
    while len(conflicts):
        counts = np.bincount(conflicts.ravel(), minlength=len(pairs))
        worst = int(np.lexsort((likelihoods, -counts))[0])
        keeps[worst] = False
        conflicts = conflicts[(conflicts != worst).all(axis=1)]
    return keeps
