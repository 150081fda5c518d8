"""The one thing that a terminology hands over to the trainer: names and the classes they are in."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import TrainerError

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Int64s = NDArray[np.int64]


def composed(text: str) -> str:
    """Return a text with letters and their accents as one sign each, however they were typed."""
    return unicodedata.normalize("NFC", text)


def plain(name: str) -> str:
    """Return a name in lower case, its words parted by single spaces, its accents composed."""
    return " ".join(composed(name).lower().split())


@dataclass(frozen=True, eq=False)
class LabelledNames:
    """Names with their classes; a name may be in several classes, or in none.

    Attributes:
        names: the n names.
        classes: the labels of the c classes.
        name_index: (m,) int64, with ``class_index`` the m memberships as pairs.
        class_index: (m,) int64.

    Raises:
        ValueError: for indices of another type or shape, out of range, or given twice.
    """

    names: tuple[str, ...]
    classes: tuple[str, ...]
    name_index: Int64s
    class_index: Int64s

    def __post_init__(self) -> None:
        if self.name_index.shape != self.class_index.shape:
            raise TrainerError(
                "indices of {shape} names and {other_shape} classes",
                shape=self.name_index.shape,
                other_shape=self.class_index.shape,
            )
        _check_index("name_index", self.name_index, len(self.names))
        _check_index("class_index", self.class_index, len(self.classes))
        pairs = self.name_index * max(len(self.classes), 1) + self.class_index
        if len(np.unique(pairs)) != len(pairs):
            raise TrainerError("a name is given twice as a member of the same class")

    def membership(self) -> csr_array:
        """Return the memberships as a boolean (n, c) sparse matrix."""
        from scipy.sparse import csr_array

        ones = np.ones(len(self.name_index), dtype=np.bool_)
        shape = (len(self.names), len(self.classes))
        return csr_array((ones, (self.name_index, self.class_index)), shape=shape)

    def class_counts(self) -> Int64s:
        """Return for each name the number of its classes, (n,) int64."""
        return np.bincount(self.name_index, minlength=len(self.names)).astype(np.int64)

    def only(self, name_indices: Int64s) -> LabelledNames:
        """Return some of the names, in the order given, with all classes.

        Args:
            name_indices: (k,) int64, which names; none of them twice.
        """
        new_index = np.full(len(self.names), -1, dtype=np.int64)
        new_index[name_indices] = np.arange(len(name_indices))
        is_kept = new_index[self.name_index] >= 0
        return LabelledNames(
            tuple(self.names[name] for name in name_indices.tolist()),
            self.classes,
            new_index[self.name_index[is_kept]],
            self.class_index[is_kept],
        )

    def members(self) -> list[Int64s]:
        """Return for each class the indices of its names, in rising order."""
        order = np.lexsort((self.name_index, self.class_index))
        starts = np.searchsorted(self.class_index[order], np.arange(1, len(self.classes)))
        if not self.classes:
            return []
        return [np.asarray(part) for part in np.split(self.name_index[order], starts)]


def _check_index(label: str, index: Int64s, count: int) -> None:
    """Refuse an index that is no (m,) int64 array of numbers below ``count``."""
    if index.dtype != np.int64 or index.ndim != 1:
        raise TrainerError(
            "{label} is a {ndim}-dimensional {dtype} array, not (m,) int64",
            label=label,
            ndim=index.ndim,
            dtype=index.dtype,
        )
    if len(index) and not 0 <= int(index.min()) <= int(index.max()) < count:
        raise TrainerError("{label} has values outside 0 ... {count}", label=label, count=count - 1)
