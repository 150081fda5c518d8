"""A step by automatic differentiation whose names are shared out among processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from termexplorer.trainer.tensors.ranks import Ranks


class SharedOutputs:
    """The outputs of a step, of which this process computes its share.

    Losses are taken of all names' outputs in every process; each goes back through its own share,
    and the gradients of the weights are added up.

    Args:
        ranks: the processes; None where this one computes all.
        weights: whose gradients are wanted.
    """

    def __init__(self, ranks: Ranks | None, weights: Sequence[Tensor]) -> None:
        self._ranks, self._weights = ranks, weights
        self._rows = slice(0, 0)
        self._computed = self._gathered = torch.empty(0)

    def take(self, encode: Callable[[slice], Tensor], rows: int, width: int) -> Tensor:
        """Return all outputs, (rows, width), to take losses of.

        Args:
            encode: computes the outputs of some rows.
            rows: of the step.
            width: of the outputs.
        """
        if self._ranks is None:
            return encode(slice(0, rows))
        self._rows = self._ranks.share(rows)
        is_empty = self._rows.start == self._rows.stop
        empty = torch.zeros((0, width), device=self._weights[0].device)
        self._computed = empty if is_empty else encode(self._rows)
        self._gathered = self._ranks.gather(self._computed.detach(), rows).requires_grad_()
        return self._gathered

    def backward(self) -> None:
        """Complete the gradients of the weights, once those of the outputs are there."""
        if self._ranks is None:
            return
        for weight in self._weights:  # what losses took of weights themselves, all processes did
            if weight.grad is not None:
                weight.grad /= self._ranks.count
        if len(self._computed):
            assert self._gathered.grad is not None  # noqa: S101  (the losses' backward has run)
            torch.autograd.backward(self._computed, self._gathered.grad[self._rows])
        for weight in self._weights:
            if weight.grad is None:
                weight.grad = torch.zeros_like(weight)
        self._ranks.add_up([weight.grad for weight in self._weights if weight.grad is not None])
