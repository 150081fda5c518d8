"""The last layers of a transformer, trained further: its own weights in the place of theirs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import torch
from torch import Tensor
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.utils import clip_grad_norm_

from trainer.encoders.files import weights_of, write_weights
from trainer.pieces import NamePieces, PieceReader
from trainer.representations.base import Float32s

if TYPE_CHECKING:
    from trainer.data import TrainingData
    from trainer.noise import Noise

_CLIP = 1.0  # the largest norm of a step's gradients
_PARTS = 4  # batches that the names of a step are read in


class TunedTransformer:
    """Weights for some layers of a transformer, which lies beneath and keeps its own.

    Attributes:
        dimension: the width of the vectors.
        tensors: the weights by their names in the transformer.
        bfloat16: multiply in bfloat16 while training.
    """

    kind: ClassVar[str] = "tuned"
    alphabet: ClassVar[str] = ""  # it reads pieces of words and spells nothing else
    reads: ClassVar[str] = "pieces"

    def __init__(self, dimension: int, tensors: dict[str, Tensor]):
        self.dimension, self.tensors = dimension, tensors
        self.bfloat16 = False

    @classmethod
    def initial(cls, reader: PieceReader, layers: int) -> TunedTransformer:
        """Return the last layers as they are."""
        copies = {name: weight.clone() for name, weight in reader.layers(layers).items()}
        return cls(reader.dimension, copies)

    def weights(self) -> dict[str, Tensor]:
        """Return what is trained."""
        return self.tensors

    def multiply_in(self, precision: str) -> None:
        """Take ``float32`` or ``bfloat16`` for the matrix products of training."""
        self.bfloat16 = precision == "bfloat16"

    def step(self, data: TrainingData, noise: Noise, dropout: float) -> _Step:
        """Return a training step over numbers of training names; nothing is left out in it."""
        return _Step(self, training_pieces(data))

    def encode_names(self, names: Sequence[str], source: PieceReader) -> Float32s:
        """Encode names by the transformer with these weights, (n, d) float32.

        Raises:
            ValueError: it is another transformer than the weights are of.
        """
        if source.dimension != self.dimension:
            raise ValueError(f"the encoder is of width {self.dimension}, not {source.dimension}")
        return source.encode_with(self.tensors, names)

    def save(self, folder: Path) -> None:
        """Write the weights as safetensors, and JSON with hashes."""
        write_weights(folder, {"kind": self.kind, "dimension": self.dimension}, self.tensors)

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


class _Step:
    """Automatic differentiation, and gradients that are clipped."""

    def __init__(self, encoder: TunedTransformer, names: NamePieces) -> None:
        self.encoder, self._names = encoder, names
        for weight in encoder.tensors.values():
            weight.requires_grad_().grad = None

    def __call__(self, inputs: Tensor, longest: int) -> Tensor:
        """Return (m, d) for (m,) numbers of training names, cut at so many pieces."""
        device = self._names.reader.device.type
        half = torch.autocast(device, dtype=torch.bfloat16, enabled=self.encoder.bfloat16)
        # the fused attention is many times slower to go back through, for texts as short as names
        with half, sdpa_kernel(SDPBackend.MATH):
            return self._names.encode(inputs, self.encoder.tensors, longest, _PARTS)

    def backward(self) -> None:
        """Clip the gradients."""
        clip_grad_norm_(self.encoder.tensors.values(), _CLIP)
