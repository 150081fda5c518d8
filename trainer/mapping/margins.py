"""How far a candidate is ahead of the others of its concept."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Int64s = NDArray[np.int64]
Float32s = NDArray[np.float32]

_LAST = 10  # ranks after it are not told apart
_NOTHING = -1.0  # in the place of a rival that is not there


def measure_margins(groups: Int64s, values: Float32s) -> tuple[Float32s, Float32s]:
    """Return how much larger each value is than the largest other of its group, and its rank.

    Args:
        groups: (n,) int64.
        values: (n,) float32.

    Returns:
        (n,) float32 margins, of the only one of a group as if another were -1; (n,) float32, how
        many of the group are larger, 10 at most.
    """
    if not len(values):
        return np.zeros(0, np.float32), np.zeros(0, np.float32)
    order = np.lexsort((-values, groups))
    group, value = groups[order], values[order]
    is_first = np.append(True, group[1:] != group[:-1])
    first = np.flatnonzero(is_first)[np.cumsum(is_first) - 1]
    second = np.minimum(first + 1, len(order) - 1)
    has_second = (second > first) & (group[second] == group)
    rival = np.where(has_second, value[second], _NOTHING)
    rival = np.where(is_first, rival, value[first])
    is_smaller = is_first | np.append(True, value[1:] != value[:-1])
    rank = np.flatnonzero(is_smaller)[np.cumsum(is_smaller) - 1] - first
    margins, ranks = np.empty(len(values), np.float32), np.empty(len(values), np.float32)
    margins[order], ranks[order] = value - rival, np.minimum(rank, _LAST)
    return margins, ranks
