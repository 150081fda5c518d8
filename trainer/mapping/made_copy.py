"""A part of an ontology as an ontology of its own, to be mapped to what it is a part of."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.mapping.sides import MappingSide

Int64s = NDArray[np.int64]


def copy_part(side: MappingSide, most: int, seed: int) -> tuple[MappingSide, Int64s]:
    """Return some concepts that have synonyms, with their parents, as an ontology of their own.

    Args:
        side: what is copied from.
        most: concepts with synonyms that are drawn.
        seed: of the draw.

    Returns:
        The copy; and (a, 2) int64, each concept with synonyms in the copy and in ``side``.
    """
    several = np.flatnonzero(np.diff(side.starts) > 1)
    drawn = np.random.default_rng(seed).permutation(several)[:most]
    concepts = np.union1d(drawn, side.up[drawn].indices).astype(np.int64)
    new_index = np.full(side.count, -1, np.int64)
    new_index[concepts] = np.arange(len(concepts))
    names = np.flatnonzero(new_index[side.concepts] >= 0)
    links = (new_index[side.children] >= 0) & (new_index[side.parents] >= 0)
    copy = MappingSide(
        [side.names[name] for name in names.tolist()],
        new_index[side.concepts[names]],
        side.kinds[names],
        new_index[side.children[links]],
        new_index[side.parents[links]],
    )
    known = np.sort(drawn)
    return copy, np.stack([new_index[known], known], axis=1)
