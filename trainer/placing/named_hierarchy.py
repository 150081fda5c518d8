"""A hierarchy whose concepts have names, as terms are placed in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from termexplorer.trainer.errors import TrainerError

Int64s = NDArray[np.int64]
Float32s = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class NamedHierarchy:
    """n concepts with m names.

    Attributes:
        names: the m names, those of a concept together, its label first.
        starts: (n + 1,) int64, where the names of each concept begin, and their end.
        child: (e,) int64, of each link.
        parent: (e,) int64, likewise.
    """

    names: tuple[str, ...]
    starts: Int64s
    child: Int64s
    parent: Int64s

    @classmethod
    def build(
        cls, names: Sequence[Sequence[str]], parents: Sequence[Sequence[int]]
    ) -> NamedHierarchy:
        """Join the names and parents of concepts.

        Args:
            names: of each concept, its label first.
            parents: of each concept, by their numbers.

        Raises:
            ValueError: a concept has no name, or a parent that is not there.
        """
        if not all(names):
            raise TrainerError("a concept has no name; leave out those without")
        links = [
            (child, parent) for child, of_child in enumerate(parents) for parent in set(of_child)
        ]
        child, parent = np.array(links, dtype=np.int64).reshape(-1, 2).T
        if len(parent) and not 0 <= parent.min() <= parent.max() < len(names):
            raise TrainerError("a parent is no concept of the hierarchy; leave out such links")
        starts = np.concatenate(([0], np.cumsum([len(of_concept) for of_concept in names])))
        joined = tuple(name for of_concept in names for name in of_concept)
        return cls(joined, starts.astype(np.int64), child, parent)

    @property
    def concepts(self) -> int:
        """The number n of concepts."""
        return len(self.starts) - 1

    @cached_property
    def labels(self) -> list[str]:
        """The label of each concept."""
        return [self.names[start] for start in self.starts[:-1]]

    @cached_property
    def to_parents(self) -> csr_array:
        """(n, n) float32: 1 where the column is a parent of the row."""
        links = (np.ones(len(self.child), np.float32), (self.child, self.parent))
        return csr_array(links, shape=(self.concepts, self.concepts))

    @cached_property
    def to_children(self) -> csr_array:
        """(n, n) float32: 1 where the column is a child of the row."""
        return self.to_parents.T.tocsr()

    @cached_property
    def depths(self) -> Float32s:
        """(n,) links on the shortest way from a root; those on no way have -1."""
        depths = np.full(self.concepts, -1, dtype=np.float32)
        reached = np.asarray(self.to_parents.sum(axis=1)).ravel() == 0
        depth = 0
        while reached.any():
            depths[reached] = depth
            depth += 1
            reached = (self.to_parents @ reached.astype(np.float32) > 0) & (depths < 0)
        return depths

    def without(self, hidden: Int64s) -> tuple[NamedHierarchy, Int64s]:
        """Return the hierarchy without some concepts and their links.

        Args:
            hidden: (h,) the concepts.

        Returns:
            What is left, and for each of the n concepts its new number, -1 for those hidden.
        """
        left = np.ones(self.concepts, dtype=np.bool_)
        left[hidden] = False
        numbers = np.where(left, np.cumsum(left) - 1, -1)
        names = [
            self.names[self.starts[concept] : self.starts[concept + 1]]
            for concept in np.flatnonzero(left)
        ]
        linked = left[self.child] & left[self.parent]
        parents: list[list[int]] = [[] for _ in names]
        for child, parent in zip(self.child[linked], self.parent[linked], strict=True):
            parents[numbers[child]].append(int(numbers[parent]))
        return NamedHierarchy.build(names, parents), numbers
