"""The newest row of each component, of any number of rows in any order."""

import numpy as np

from termexplorer.importers.rf2_block import Integers

_FEWEST = 1 << 18  # rows that are gathered before older ones are looked for


class Newest:
    """Rows of numbers, of which only the newest of each key stays in memory.

    Args:
        width: How many columns there are: the key, the effective time, whether active, and more.
        keys: How many of the first columns are the key.
    """

    def __init__(self, width: int, keys: int = 1) -> None:
        self._keys = keys
        self._kept: Integers = np.empty((0, width), np.int64)
        self._waiting: list[Integers] = []
        self._count = 0

    def add(self, *columns: Integers) -> None:
        """Take rows, given by their columns."""
        if len(columns[0]):
            self._waiting.append(np.column_stack(columns))
            self._count += len(columns[0])
        if self._count > max(_FEWEST, len(self._kept)):
            self._fold()

    def rows(self) -> Integers:
        """The newest rows, (n, width), in the order of their keys."""
        self._fold()
        return self._kept

    def _fold(self) -> None:
        if not self._waiting:
            return
        rows = np.concatenate([self._kept, *self._waiting])
        self._waiting, self._count = [], 0
        self._kept = rows[:0]
        # Of rows as old as each other an active one stays, whatever their order.
        order = np.lexsort([rows[:, n] for n in range(self._keys + 1, -1, -1)])
        keys = rows[order, : self._keys]
        last = np.ones(len(rows), bool)
        last[:-1] = (keys[1:] != keys[:-1]).any(axis=1)
        self._kept = rows[order[last]]
