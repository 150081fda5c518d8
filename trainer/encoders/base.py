"""What ``trainer.training.run`` asks of an encoder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from torch import Tensor

if TYPE_CHECKING:
    from termexplorer.trainer.data.training_data import TrainingData
    from termexplorer.trainer.tensors.random_state import RandomState
    from termexplorer.trainer.tensors.ranks import Ranks


class TrainingStep(Protocol):
    """One step's forward pass, to be called once, and what follows on the losses' backward."""

    def __call__(self, inputs: Tensor) -> Tensor:
        """Return (m, d) outputs to take losses of, for what the encoder takes."""
        ...

    def backward(self) -> None:
        """Complete the gradients of the weights, once those of the outputs are there."""
        ...


class Trainable(Protocol):
    """An encoder in training.

    Attributes:
        ranks: the processes that train it together; None where this one does alone.
    """

    ranks: Ranks | None

    @property
    def dimension(self) -> int:
        """The width of its outputs."""
        ...

    def weights(self) -> dict[str, Tensor]:
        """Return what Adam changes, by names that a file can hold."""
        ...

    def multiply_in(self, precision: str) -> None:
        """Take ``float32`` or ``bfloat16`` for the matrix products of training."""
        ...

    def step(self, data: TrainingData, noise: RandomState, dropout: float) -> Any:
        """Return a ``TrainingStep`` for names of ``data``."""
        ...

    def save(self, folder: Path) -> None:
        """Write the encoder to a folder."""
        ...
