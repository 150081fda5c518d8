"""Similarities of names made similarities of concepts: each is as similar as its best name."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from termexplorer.trainer.text.names import LabelledNames

Int64s = NDArray[np.int64]


class ConceptRanking:
    """Similarities of names made similarities of concepts."""

    def __init__(self, names: LabelledNames):
        order = np.argsort(names.class_index, kind="stable")
        self._name, self._concept = names.name_index[order], names.class_index[order]
        self._count = len(names.classes)

    def names_of(self, concepts: Int64s) -> tuple[Int64s, Int64s]:
        """Return for (r,) concepts the row and the name of each of their names."""
        first = np.searchsorted(self._concept, concepts)
        count = np.searchsorted(self._concept, concepts, side="right") - first
        row = np.repeat(np.arange(len(concepts)), count)
        within = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count)
        return row, self._name[np.repeat(first, count) + within]

    def tables(
        self, similarities: Tensor | NDArray[np.float32], answer: Int64s
    ) -> tuple[Tensor, Tensor]:
        """Return the similarities of names and of concepts, answers above all others.

        Args:
            similarities: (r, n).
            answer: (r,) concepts of the exact-match rule, or -1.
        """
        of_names = torch.as_tensor(similarities)
        names, concepts = as_tensors(of_names, self._name, self._concept)
        of_concepts = of_names.new_full((len(answer), self._count), -torch.inf)
        of_pairs = of_names[:, names]
        of_concepts.scatter_reduce_(1, concepts.expand_as(of_pairs), of_pairs, "amax")
        given = np.flatnonzero(answer >= 0)
        if not len(given):
            return of_names, of_concepts
        above = of_names.amax(1) + 1
        rows, concepts = as_tensors(of_names, given, answer[given])
        of_concepts[rows, concepts] = above[rows]
        row, name = self.names_of(answer[given])
        rows, names = as_tensors(of_names, given[row], name)
        of_names = of_names.clone()
        of_names[rows, names] = above[rows]
        return of_names, of_concepts


def as_tensors(like: Tensor, *arrays: Int64s) -> tuple[Tensor, ...]:
    """Return arrays of indices on the device of a tensor."""
    return tuple(torch.from_numpy(np.ascontiguousarray(array)).to(like.device) for array in arrays)
