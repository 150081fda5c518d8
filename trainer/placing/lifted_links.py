"""Copies of a hierarchy in which some concepts stand a parent too high, so that the truth is known.

A concept is lifted from one of its parents to a parent of that, or further up, as errors are made:
whoever adds a concept finds the branch that it belongs to, and not the end of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from termexplorer.trainer.errors import TrainerError

Int64s = NDArray[np.int64]

_FURTHER = 0.5  # how often a lifted concept is lifted to the next parent up as well


@dataclass(frozen=True, eq=False)
class LiftedCopy:
    """The links of a copy.

    Attributes:
        child: (e,) int64, of each link.
        parent: (e,) int64, likewise.
        former: (n,) int64, the parent that each concept was lifted from, -1 of all others.
    """

    child: Int64s
    parent: Int64s
    former: Int64s

    @property
    def lifted(self) -> Int64s:
        """The concepts that were lifted."""
        return np.flatnonzero(self.former >= 0)


def lift_concepts(to_parents: csr_array, share: float, seed: int) -> LiftedCopy:
    """Lift some concepts from one of their parents to a concept above it.

    Args:
        to_parents: (n, n), 1 where the column is a parent of the row.
        share: of the n concepts, rounded; at least one is lifted.
        seed: of the draw.

    Raises:
        ValueError: no concept has a parent with a parent.
    """
    random = np.random.default_rng(seed)
    children, parents = (side.astype(np.int64) for side in to_parents.nonzero())
    starts, lifted_parents = to_parents.indptr, parents.copy()
    has_parent = np.diff(starts) > 0
    liftable = np.unique(children[has_parent[parents]])
    if not len(liftable):
        raise TrainerError(
            "no concept has a parent with a parent: none can stand too high; give a deeper "
            "hierarchy, or a root further up"
        )
    count = to_parents.shape[0]
    former = np.full(count, -1)
    for concept in random.permutation(liftable)[: max(round(share * count), 1)].tolist():
        links = np.arange(starts[concept], starts[concept + 1])
        link = random.choice(links[has_parent[parents[links]]])
        former[concept] = above = parents[link]
        while has_parent[above]:
            above = random.choice(parents[starts[above] : starts[above + 1]])
            if random.random() >= _FURTHER:
                break
        lifted_parents[link] = above
    return LiftedCopy(children, lifted_parents, former)
