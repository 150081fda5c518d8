"""The newest row of each component, of any number of rows in any order."""

import numpy as np

from termexplorer.importers.files.block import Integers

_FEWEST = 1 << 18  # rows that are gathered before older ones are looked for


class Newest:
    """Rows of numbers, of which only the newest of each key stays in memory.

    Args:
        width: How many columns there are: the key, the effective time, whether active, and more.
        keys: How many of the first columns are the key.
    """

    def __init__(self, width: int, keys: int = 1) -> None:
        self._keys = keys
        self._newest: Integers = np.empty((width, 0), np.int64)
        self._waiting: list[list[Integers]] = []
        self._count = 0

    def add(self, *columns: Integers) -> None:
        """Take rows, given by their columns."""
        if len(columns[0]):
            self._waiting.append(list(columns))
            self._count += len(columns[0])
        if self._count > max(_FEWEST, self._newest.shape[1]):
            self._fold()

    def table(self) -> Integers:
        """The newest rows, (width, n), in the order of their keys."""
        self._fold()
        return self._newest

    def _fold(self) -> None:
        if not self._waiting:
            return
        rows = self._joined()
        # Of rows as old as each other an active one stays, whatever their order.
        order = np.lexsort(rows[self._keys + 1 :: -1])
        for column in rows:  # one at a time: a second copy of them all is not needed
            column[:] = column[order]
        last = np.ones(len(order), bool)
        last[:-1] = (rows[: self._keys, 1:] != rows[: self._keys, :-1]).any(axis=0)
        self._newest = rows if last.all() else rows[:, last]

    def _joined(self) -> Integers:
        stored_count = self._newest.shape[1]
        rows = np.empty((len(self._newest), stored_count + self._count), np.int64)
        rows[:, :stored_count] = self._newest
        for columns in self._waiting:
            rows[:, stored_count : stored_count + len(columns[0])] = columns
            stored_count += len(columns[0])
        self._newest, self._waiting, self._count = rows[:, :0], [], 0
        return rows
