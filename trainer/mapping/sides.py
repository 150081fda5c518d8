"""One of the two ontologies of a mapping, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.mapping.name_forms import NameForms, make_forms

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Int64s = NDArray[np.int64]

PREFERRED, EXACT, INEXACT = range(3)
"""Kinds of names: preferred, exact synonyms, and synonyms that are broader, narrower or related."""


@dataclass(frozen=True, eq=False)
class MappingSide:
    """The concepts of an ontology with their names and is-a links.

    Attributes:
        names: the n names, those of a concept one after the other, by rising ``concepts``.
        concepts: (n,) int64, the concept of each name, from 0 to c - 1, each with one at least.
        kinds: (n,) int64, `PREFERRED`, `EXACT` or `INEXACT`.
        children: (e,) int64 concepts, with ``parents`` the is-a links as pairs.
        parents: (e,) int64.

    Raises:
        ValueError: names out of order, or a concept without one.
    """

    names: Sequence[str]
    concepts: Int64s
    kinds: Int64s
    children: Int64s
    parents: Int64s

    def __post_init__(self) -> None:
        if not len(self.concepts):
            raise TrainerError("there is no concept with a name to map")
        if set(np.unique(np.diff(self.concepts, prepend=0)).tolist()) - {0, 1}:
            raise TrainerError("names are not in the order of their concepts, or one has none")

    @property
    def count(self) -> int:
        """Return how many concepts there are."""
        return int(self.concepts[-1]) + 1

    @property
    def is_list(self) -> bool:
        """Return whether there are no links; rows of a list may well match the same concept."""
        return not len(self.children)

    @cached_property
    def starts(self) -> Int64s:
        """Return where the names of each concept start, and the last ones end, (c + 1,)."""
        return np.searchsorted(self.concepts, np.arange(self.count + 1)).astype(np.int64)

    @cached_property
    def forms(self) -> NameForms:
        """Return the names without what does not tell concepts apart."""
        return make_forms(self.names)

    @cached_property
    def up(self) -> csr_array:
        """Return the (c, c) float32 matrix that is 1 from each concept to each of its parents."""
        return binary_matrix(self.children, self.parents, (self.count, self.count))

    @cached_property
    def ancestors(self) -> csr_array:
        """Return the (c, c) float32 matrix that is 1 from each concept to each of its ancestors."""
        return close_upwards(self.up)

    @cached_property
    def descendants(self) -> csr_array:
        """Return the (c, c) float32 matrix that is 1 from each concept to each one below it."""
        return self.ancestors.T.tocsr()

    @cached_property
    def down(self) -> csr_array:
        """Return the (c, c) float32 matrix that is 1 from each concept to each of its children."""
        return self.up.T.tocsr()

    @cached_property
    def twins(self) -> csr_array:
        """Return the (c, c) float32 matrix that is 1 between concepts called the same.

        One is above the other, and their names differ by words such as "unspecified" at the most,
        as in ICD-10-CM *Asthma* and, below it, *Unspecified asthma, uncomplicated*.
        """
        upper, lower = self._find_namesakes("cores")
        rows, columns = np.concatenate([upper, lower]), np.concatenate([lower, upper])
        return binary_matrix(rows, columns, (self.count, self.count))

    @cached_property
    def repeated(self) -> Int64s:
        """Return the concepts that have one below them with the very same preferred name, rising.

        In ICD-10-CM *Pneumonia, unspecified organism* is J18, and J18.9 too.
        """
        return np.unique(self._find_namesakes("letters")[0])

    def _find_namesakes(self, form: str) -> tuple[Int64s, Int64s]:
        """Return concepts, and those below them whose preferred name has the same form, (p,)."""
        labels = np.flatnonzero(self.kinds == PREFERRED)
        texts = getattr(self.forms, form)
        _, numbers = np.unique([texts[row] for row in labels.tolist()], return_inverse=True)
        numbers = numbers.astype(np.int64)
        shape = (self.count, int(numbers.max(initial=0)) + 1)
        called = binary_matrix(self.concepts[labels], numbers, shape)
        lower, upper = self.ancestors.tocoo().coords
        same = np.asarray(called[upper].multiply(called[lower]).sum(axis=1)).ravel() > 0
        return upper[same].astype(np.int64), lower[same].astype(np.int64)

    def list_children(self, concept: int) -> list[int]:
        """Return the children of a concept."""
        return list_links(self.down, concept)

    @cached_property
    def child_counts(self) -> Int64s:
        """Return how many children each concept has, (c,)."""
        return np.bincount(self.up.indices, minlength=self.count).astype(np.int64)

    @cached_property
    def depths(self) -> Int64s:
        """Return the number of ancestors of each concept, (c,)."""
        return np.diff(self.ancestors.indptr).astype(np.int64)


def list_links(matrix: csr_array, concept: int) -> list[int]:
    """Return what a row of a matrix of links leads to, as of `MappingSide.ancestors`."""
    linked: list[int] = matrix.indices[matrix.indptr[concept] : matrix.indptr[concept + 1]].tolist()
    return linked


def binary_matrix(rows: Int64s, columns: Int64s, shape: tuple[int, int]) -> csr_array:
    """Return the sparse float32 matrix that is 1 at some cells, which may be given twice."""
    from scipy.sparse import csr_array

    matrix = csr_array((np.ones(len(rows), np.float32), (rows, columns)), shape=shape)
    matrix.sum_duplicates()
    matrix.data[:] = 1
    return matrix


def close_upwards(to_parents: csr_array) -> csr_array:
    """Return the (c, c) float32 matrix that is 1 from each concept to each of its ancestors.

    Args:
        to_parents: (c, c) float32, 1 from each concept to each of its parents.
    """
    closure = to_parents
    while True:
        longer = closure + closure @ to_parents
        longer.data[:] = 1
        if longer.nnz == closure.nnz:
            return closure
        closure = longer


def look_up(matrix: csr_array, rows: Int64s, columns: Int64s) -> NDArray[np.float32]:
    """Return the values of a sparse matrix at some cells, 0 where it has none."""
    from scipy.sparse import csr_array

    matrix = csr_array(matrix)
    matrix.sum_duplicates()
    width = matrix.shape[1]
    row_of_cell = np.repeat(np.arange(matrix.shape[0], dtype=np.int64), np.diff(matrix.indptr))
    keys, wanted = row_of_cell * width + matrix.indices, rows * width + columns
    if not len(keys):
        return np.zeros(len(rows), np.float32)
    index = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[index] == wanted, matrix.data[index], 0).astype(np.float32)
