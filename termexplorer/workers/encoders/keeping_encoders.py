"""Encoders that encode many names block by block, and such as encode a name once."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from termexplorer.store.database.engine import Store
from termexplorer.workers.encoders.encoding import Encoders, Float32s, scale_to_unit
from termexplorer.workers.process.devices import AUTO

if TYPE_CHECKING:
    from termexplorer.trainer.search.all_pairs import RoundedRows

Name = TypeVar("Name", str, int)

_AT_ONCE = 1024  # names; a transformer on two cores takes some seconds for them
_KEPT = 3  # encoders: one, what it stands on, and what that stands on


class BlockEncoders(Encoders):
    """Encoders that encode many names block by block, and keep nothing of them.

    Args:
        folder: of the workspace.
        store: its store.
        encoding: called before each block of many names, with how many are encoded and of how
            many; may raise to stop.
        device: as of `Encoders`.
    """

    def __init__(
        self,
        folder: Path,
        store: Store,
        encoding: Callable[[int, int], None],
        device: str = AUTO,
    ) -> None:
        super().__init__(folder, store, device)
        self._encoding = encoding

    def encode(self, encoder_id: int, names: Sequence[str]) -> Float32s:
        """The vectors of names, (n, d); zero rows for names of which nothing is known.

        Raises:
            UserError: the encoder has no vectors, or its files are not there.
        """
        if len(names) <= _AT_ONCE:  # those beneath are asked for a block at a time
            return super().encode(encoder_id, names)
        matrix = np.empty((0, 0), np.float32)
        for block, vectors in self._encode_blocks(encoder_id, names):
            if not len(matrix):
                matrix = np.empty((len(names), vectors.shape[1]), np.float32)
            matrix[block] = vectors
        return matrix

    def encode_rounded(self, encoder_id: int, names: Sequence[str]) -> "RoundedRows":
        """The vectors of names in 8 bits, of which a block is in 32 bits at a time."""
        from termexplorer.trainer.search.all_pairs import RoundedRows
        from termexplorer.trainer.search.eight_bit import quantize

        width = self.info(encoder_id).dimension
        rows, inverse = np.zeros((len(names), width), np.int8), np.zeros(len(names), np.float32)
        for block, vectors in self._encode_blocks(encoder_id, names):
            rows[block], inverse[block] = quantize(scale_to_unit(vectors))
        return RoundedRows(rows, inverse)

    def _encode_blocks(
        self, encoder_id: int, names: Sequence[str]
    ) -> Iterator[tuple[Sequence[int], Float32s]]:
        """Yield numbers of names, short ones first, and their vectors, which are not kept."""
        order = sorted(range(len(names)), key=lambda index: _by_length(names[index]))
        for block in self._blocks(order):
            yield block, super().encode(encoder_id, [names[index] for index in block])

    def _blocks(self, names: Sequence[Name]) -> Iterator[Sequence[Name]]:
        for start in range(0, len(names), _AT_ONCE):
            if len(names) > _AT_ONCE:
                self._encoding(start, len(names))
            yield names[start : start + _AT_ONCE]


class CachedEncoders(BlockEncoders):
    """Encoders that keep what they have made of names; ask one for all there is, then the next."""

    @cached_property
    def _known(self) -> "Callable[[int], _NamesWithVectors]":
        """The names of each encoder."""
        return lru_cache(maxsize=_KEPT)(_new_names)

    def encode(self, encoder_id: int, names: Sequence[str]) -> Float32s:
        """The vectors of names, as of `BlockEncoders`."""
        known = self._known(encoder_id)
        for block in self._blocks(known.missing(names)):
            known.add(block, super().encode(encoder_id, block))
        return known.vectors(names) if len(known) else super().encode(encoder_id, names)

    def encode_rounded(self, encoder_id: int, names: Sequence[str]) -> "RoundedRows":
        """The vectors of names in 8 bits; nothing that was made of them is kept beside."""
        return self._forgetful.encode_rounded(encoder_id, names)

    @cached_property
    def _forgetful(self) -> BlockEncoders:
        return BlockEncoders(self._folder, self._store, self._encoding, self._device)


class _NamesWithVectors:
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
        rows: Float32s = self._matrix[[self._places[name] for name in names]]
        return rows


def _new_names(_encoder_id: int) -> _NamesWithVectors:
    return _NamesWithVectors()


def _by_length(name: str) -> tuple[int, str]:
    return len(name), name
