"""The random numbers of a run: explicit generators whose state can be saved and set."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor


class RandomState:
    """All randomness of a run, on one device.

    On processors dropout takes its bits from NumPy: torch fills masks there one number at a time.

    Attributes:
        seed: that they began with.
        device: where they are drawn.
    """

    def __init__(self, seed: int, device: torch.device):
        self.seed, self.device = seed, device
        self.torch = torch.Generator(device=device)
        self.torch.manual_seed(seed)
        self._bits = np.random.SFC64(seed)
        self._generator = np.random.Generator(self._bits)

    def keep(self, rows: int, width: int, rate: float) -> Tensor:
        """Return a (rows, width) bool mask, false at a share ``rate`` of places.

        On processors the rate is rounded, see ``share_kept``.
        """
        if self.device.type != "cpu":
            mask = torch.empty((rows, width), dtype=torch.bool, device=self.device)
            return mask.bernoulli_(1 - rate, generator=self.torch)
        threshold = _drop_threshold(rate)
        if threshold == 128:
            bits = np.frombuffer(self._generator.bytes(-(-rows * width // 8)), dtype=np.uint8)
            flat = np.unpackbits(bits, count=rows * width)
            return torch.from_numpy(flat.view(np.bool_)).view(rows, width)
        drawn = self._generator.integers(0, 256, size=(rows, width), dtype=np.uint8)
        return torch.from_numpy(drawn >= threshold)

    def share_kept(self, rate: float) -> float:
        """Return the share of places at which ``keep`` is true: on processors a whole 1/256."""
        return 1 - rate if self.device.type != "cpu" else 1 - _drop_threshold(rate) / 256

    def uniform(self, *shape: int) -> Tensor:
        """Return float64 numbers from 0 up to 1."""
        return torch.rand(shape, generator=self.torch, device=self.device, dtype=torch.float64)

    def below(self, limits: Tensor) -> Tensor:
        """Return for each limit a whole number from 0 to below it, int64; 0 for a limit of 0."""
        return (self.uniform(*limits.shape) * limits).long()

    def permutation(self, count: int) -> Tensor:
        """Return the numbers below ``count`` in random order, (count,) int64."""
        return torch.randperm(count, generator=self.torch, device=self.device)

    def state(self) -> tuple[Tensor, dict[str, Any]]:
        """Return what ``restore`` takes: a uint8 tensor, and what JSON can hold."""
        bits: Any = self._bits.state
        words = [int(word) for word in bits["state"]["state"]]
        numpy_state = {"words": words, "has": bits["has_uint32"], "uinteger": bits["uinteger"]}
        return self.torch.get_state().clone(), numpy_state

    def restore(self, torch_state: Tensor, numpy_state: dict[str, Any]) -> None:
        """Go on from a state."""
        self.torch.set_state(torch_state.cpu())
        self._bits.state = {
            "bit_generator": "SFC64",
            "state": {"state": np.array(numpy_state["words"], dtype=np.uint64)},
            "has_uint32": numpy_state["has"],
            "uinteger": numpy_state["uinteger"],
        }


def _drop_threshold(rate: float) -> int:
    """Return how many of 256 random bytes are left out, never all of them."""
    return min(round(rate * 256), 255)
