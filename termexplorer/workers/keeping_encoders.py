"""Encoders that encode a name once, block by block."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from termexplorer.store.engine import Store
from termexplorer.workers.encoding import Encoders, Float32s

_AT_ONCE = 1024  # names; a transformer on two cores takes some seconds for them
_KEPT = 3  # encoders: one, what it stands on, and what that stands on


class KeepingEncoders(Encoders):
    """Encoders that keep what they have made of names; ask one for all there is, then the next.

    Args:
        folder: of the workspace.
        store: its store.
        encoding: called before each block of many names, with how many are encoded and of how
            many; may raise to stop.
    """

    def __init__(self, folder: Path, store: Store, encoding: Callable[[int, int], None]) -> None:
        super().__init__(folder, store)
        self._encoding = encoding
        self._known = lru_cache(maxsize=_KEPT)(_new_names)

    def encode(self, encoder_id: int, names: Sequence[str]) -> Float32s:
        """The vectors of names, (n, d); zero rows for names of which nothing is known.

        Raises:
            UserError: the encoder has no vectors, or its files are not there.
        """
        known = self._known(encoder_id)
        missing = known.missing(names)
        for start in range(0, len(missing), _AT_ONCE):
            if len(missing) > _AT_ONCE:  # those beneath are asked for a block at a time
                self._encoding(start, len(missing))
            block = missing[start : start + _AT_ONCE]
            known.add(block, super().encode(encoder_id, block))
        return known.vectors(names) if len(known) else super().encode(encoder_id, names)


class _Names:
    """Names with their vectors."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self._matrix = np.empty((0, 0), np.float32)  # (m, d), with room for more names

    def __len__(self) -> int:
        return len(self._places)

    def missing(self, names: Sequence[str]) -> list[str]:
        """Those that are not there, short ones first: equal lengths encode faster together."""
        return sorted((name for name in {*names} if name not in self._places), key=_by_length)

    def add(self, names: Sequence[str], vectors: Float32s) -> None:
        start, end = len(self), len(self) + len(names)
        if not start:
            self._matrix = vectors
        elif end > len(self._matrix):
            grown = np.empty((max(2 * start, end), vectors.shape[1]), np.float32)
            grown[:start] = self._matrix[:start]
            self._matrix = grown
        self._matrix[start:end] = vectors
        self._places |= {name: start + n for n, name in enumerate(names)}

    def vectors(self, names: Sequence[str]) -> Float32s:
        found: Float32s = self._matrix[[self._places[name] for name in names]]
        return found


def _new_names(_encoder_id: int) -> _Names:
    return _Names()


def _by_length(name: str) -> tuple[int, str]:
    return len(name), name
