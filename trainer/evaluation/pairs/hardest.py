"""The pairs of a set that an encoder gets most wrong."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.evaluation.pairs.relatedness import Floats
from termexplorer.trainer.search.ties import order_shown

Int64s = NDArray[np.int64]


def hardest(labels: Floats, similarities: Floats, most: int) -> tuple[Int64s, Int64s]:
    """Return the places of the similar pairs that are least similar, and of the reverse.

    Args:
        labels: (p,), 1 for similar pairs and 0 for dissimilar ones.
        similarities: (p,), NaN for pairs that do not count.
        most: how many of each.

    Returns:
        similar pairs, the least similar one first, and dissimilar pairs, the most similar one
        first; at most ``most`` of each, equal ones in the order of the set.
    """
    positions = []
    for label, sign in ((1, 1.0), (0, -1.0)):
        places = np.flatnonzero((labels == label) & ~np.isnan(similarities))
        positions.append(places[order_shown(-sign * similarities[places], most)])
    return positions[0], positions[1]
