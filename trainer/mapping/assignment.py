"""One target for each source, and one source for each target, as likely as can be together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Int64s = NDArray[np.int64]
Float32s = NDArray[np.float32]
Bools = NDArray[np.bool_]

_LEAST = 0.01  # likelihoods below are not assigned


def assign_pairs(pairs: Int64s, likelihoods: Float32s) -> Bools:
    """Return which pairs to take so that no concept is in two, and the sum is largest, (p,) bool.

    Args:
        pairs: (p, 2) int64, none twice.
        likelihoods: (p,) float32 from 0 to 1; those below 0.01 are never taken.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    rows = np.flatnonzero(likelihoods >= _LEAST)
    taken = np.zeros(len(pairs), np.bool_)
    if not len(rows):
        return taken
    sources, source = np.unique(pairs[rows, 0], return_inverse=True)
    targets, target = np.unique(pairs[rows, 1], return_inverse=True)
    # each source may also stay alone, at the cost of a likelihood of 0
    alone = np.arange(len(sources))
    costs = np.concatenate([2.0 - likelihoods[rows], np.full(len(sources), 2.0)])
    cells = np.concatenate([source, alone]), np.concatenate([target, len(targets) + alone])
    shape = (len(sources), len(targets) + len(sources))
    chosen = min_weight_full_bipartite_matching(csr_array((costs, cells), shape=shape))
    keys = chosen[0].astype(np.int64) * shape[1] + chosen[1]
    taken[rows] = np.isin(source * shape[1] + target, keys)
    return taken
