"""Names as the pieces of words that a transformer reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import torch
from torch import Tensor

from termexplorer.trainer.representations.base import Float32s

_AT_A_TIME = 2048  # names


@runtime_checkable
class PieceReader(Protocol):
    """A transformer."""

    @property
    def device(self) -> torch.device:
        """Where its weights are."""
        ...

    @property
    def dimension(self) -> int:
        """The width of its vectors."""
        ...

    def to(self, device: torch.device) -> None:
        """Take its weights to a device."""
        ...

    def layers(self, count: int) -> dict[str, Tensor]:
        """Return the weights of its last layers by their names."""
        ...

    def encode_with(self, weights: Mapping[str, Tensor], names: Sequence[str]) -> Float32s:
        """Return (n, d) float32 for names, by weights in the place of its own."""
        ...

    def pieces(self, names: Sequence[str], longest: int = 0) -> list[list[int]]:
        """Return the numbers of the pieces of each name."""
        ...

    def pooled(self, tokens: Sequence[Sequence[int]], weights: Mapping[str, Tensor]) -> Tensor:
        """Return (b, d) for the pieces of some names, by such weights."""
        ...


@dataclass(frozen=True, eq=False)
class NamePieces:
    """The names of a run, and the transformer that reads them.

    Attributes:
        names: n names.
        reader: reads them.
    """

    names: tuple[str, ...]
    reader: PieceReader

    def __len__(self) -> int:
        """Return the number of names."""
        return len(self.names)

    def encode_all(
        self, chosen: Tensor, weights: Mapping[str, Tensor], tick: Callable[[], None]
    ) -> Tensor:
        """Return (b, d) for names of some numbers; ``tick`` is called between batches."""
        blocks = []
        for part in torch.split(chosen, _AT_A_TIME):
            tick()
            names = [self.names[index] for index in part.tolist()]
            blocks.append(torch.from_numpy(self.reader.encode_with(weights, names)))
        return torch.cat(blocks).to(self.reader.device)

    def encode(
        self, chosen: Tensor, weights: Mapping[str, Tensor], longest: int, parts: int
    ) -> Tensor:
        """Return (b, d) for the names of some numbers, those of about one length together.

        Args:
            chosen: (b,) int64.
            weights: in the place of the transformer's own.
            longest: pieces of a name that are read.
            parts: how many batches they are read in; more of them are filled up less.
        """
        tokens = self.reader.pieces([self.names[index] for index in chosen.tolist()], longest)
        order = sorted(range(len(tokens)), key=lambda index: len(tokens[index]))
        blocks = [
            self.reader.pooled([tokens[index] for index in part], weights)
            for part in _split_order(order, parts)
        ]
        back = torch.empty(len(order), dtype=torch.int64)
        back[torch.tensor(order)] = torch.arange(len(order))
        return torch.cat(blocks)[back.to(self.reader.device)].float()


def _split_order(order: Sequence[int], parts: int) -> Iterator[Sequence[int]]:
    size = -(-len(order) // parts)
    for start in range(0, len(order), size):
        yield order[start : start + size]
