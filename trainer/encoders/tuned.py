"""The last layers of a transformer, trained further: its own weights in the place of theirs.

They end between where they were and where training took them, which keeps what the transformer
knows of names unlike those learned from (M. Wortsman et al. 2022, *Robust Fine-Tuning of Zero-Shot
Models*).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import torch
from torch import Tensor
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.utils import clip_grad_norm_

from termexplorer.trainer.encoders.files import weights_of, write_weights
from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.representations.base import Float32s
from termexplorer.trainer.representations.pieces import NamePieces, PieceReader
from termexplorer.trainer.tensors.shared_outputs import SharedOutputs

if TYPE_CHECKING:
    from termexplorer.trainer.data.training_data import TrainingData
    from termexplorer.trainer.tensors.random_state import RandomState
    from termexplorer.trainer.tensors.ranks import Ranks

_CLIP = 1.0  # the largest norm of a step's gradients
_PARTS = 4  # batches that the names of a step are read in


class TunedTransformer:
    """Weights for some layers of a transformer, which lies beneath and keeps its own.

    Attributes:
        dimension: the width of the vectors.
        tensors: the weights by their names in the transformer, as far as training took them.
        bfloat16: multiply in bfloat16 while training.
        ranks: the processes that train it together; None where this one does alone.
    """

    kind: ClassVar[str] = "tuned"
    alphabet: ClassVar[str] = ""  # it reads pieces of words and spells nothing else
    reads: ClassVar[str] = "pieces"

    def __init__(
        self,
        dimension: int,
        tensors: dict[str, Tensor],
        start: dict[str, Tensor] | None = None,
        share: float = 1.0,
    ):
        self.dimension, self.tensors = dimension, tensors
        self._start, self._share = start or tensors, share
        self.bfloat16 = False
        self.ranks: Ranks | None = None

    @classmethod
    def initial(cls, reader: PieceReader, layers: int, share: float = 1.0) -> TunedTransformer:
        """Return the last layers as they are.

        Args:
            reader: the transformer.
            layers: how many of the last ones.
            share: of the way that training goes, how much is taken; 1: all.
        """
        start = dict(reader.layers(layers))
        return cls(reader.dimension, {name: w.clone() for name, w in start.items()}, start, share)

    def weights(self) -> dict[str, Tensor]:
        """Return what is trained."""
        return self.tensors

    @torch.no_grad()
    def taken(self) -> dict[str, Tensor]:
        """Return the weights that names are encoded by: the share of the way that is taken."""
        if self._share == 1:
            return self.tensors
        return {
            name: torch.lerp(w, self.tensors[name], self._share) for name, w in self._start.items()
        }

    def multiply_in(self, precision: str) -> None:
        """Take ``float32`` or ``bfloat16`` for the matrix products of training."""
        self.bfloat16 = precision == "bfloat16"

    def step(self, data: TrainingData, noise: RandomState, dropout: float) -> _TunedStep:
        """Return a training step over numbers of training names; nothing is left out in it."""
        return _TunedStep(self, training_pieces(data))

    def encode_names(self, names: Sequence[str], source: PieceReader) -> Float32s:
        """Encode names by the transformer with these weights, (n, d) float32.

        Raises:
            ValueError: it is another transformer than the weights are of.
        """
        if source.dimension != self.dimension:
            raise TrainerError(
                "the encoder is of width {dimension}, not {width}",
                dimension=self.dimension,
                width=source.dimension,
            )
        weights = {name: weight.to(source.device) for name, weight in self.taken().items()}
        return source.encode_with(weights, names)

    def save(self, folder: Path) -> None:
        """Write the weights as safetensors, and JSON with hashes."""
        write_weights(folder, {"kind": self.kind, "dimension": self.dimension}, self.taken())

    @classmethod
    def load(cls, folder: Path, device: str = "cpu", *, verify: bool = True) -> TunedTransformer:
        """Open a saved encoder of this kind.

        Raises:
            ValueError: for one of another kind, or a missing or changed file.
        """
        with weights_of(folder, cls.kind, device, verify=verify) as (meta, tensors):
            return cls(int(meta["dimension"]), tensors)


def training_pieces(data: TrainingData) -> NamePieces:
    """Return the training names as a transformer reads them."""
    assert data.pieces is not None  # noqa: S101 - whoever trains such an encoder has them
    return data.pieces[0]


class _TunedStep:
    """Automatic differentiation, and gradients that are clipped."""

    def __init__(self, encoder: TunedTransformer, names: NamePieces) -> None:
        self.encoder, self._names = encoder, names
        for weight in encoder.tensors.values():
            weight.requires_grad_().grad = None
        self._shared = SharedOutputs(encoder.ranks, list(encoder.tensors.values()))

    def __call__(self, inputs: Tensor, longest: int) -> Tensor:
        """Return (m, d) for (m,) numbers of training names, cut at so many pieces."""
        device = self._names.reader.device.type
        half = torch.autocast(device, dtype=torch.bfloat16, enabled=self.encoder.bfloat16)
        # the fused attention is many times slower to go back through, for texts as short as names
        with half, sdpa_kernel(SDPBackend.MATH):
            return self._shared.take(
                lambda rows: self._names.encode(
                    inputs[rows], self.encoder.tensors, longest, _PARTS
                ),
                len(inputs),
                self.encoder.dimension,
            )

    def backward(self) -> None:
        """Complete the gradients, and clip them."""
        self._shared.backward()
        clip_grad_norm_(self.encoder.tensors.values(), _CLIP)
