"""Rows brought to the concepts that they tell of."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from termexplorer.importers.files.block import Integers


@dataclass(frozen=True, slots=True)
class Grouped:
    """Rows in the order of the concepts that they belong to.

    Attributes:
        starts: Where each concept's rows begin, and the end, (concepts + 1,).
        columns: What is wanted of them, (n,) each.
    """

    starts: Integers
    columns: tuple[NDArray[np.integer[Any]], ...]

    @classmethod
    def of_sorted(
        cls, count: int, concept: Integers, *columns: NDArray[np.integer[Any]]
    ) -> "Grouped":
        """Rows that are in the order of their concepts, of which there are `count`."""
        return cls(np.searchsorted(concept, np.arange(count + 1)), columns)

    def of(self, first: int, end: int) -> list[list[list[int]]]:
        """Return of each column the rows of each of some concepts."""
        low, high = int(self.starts[first]), int(self.starts[end])
        starts: list[int] = (self.starts[first : end + 1] - low).tolist()
        spans = list(map(slice, starts, starts[1:]))
        return [list(map(column[low:high].tolist().__getitem__, spans)) for column in self.columns]


def distinct(values: Integers) -> Integers:
    """The different values, ascending; some ten times faster than `numpy.unique`."""
    ordered = np.sort(values)
    new = np.ones(len(ordered), bool)
    new[1:] = ordered[1:] != ordered[:-1]
    return ordered[new]
