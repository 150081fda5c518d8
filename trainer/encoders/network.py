"""One hidden layer over pretrained name vectors, with its backward pass written by hand.

The pass goes through the hidden layer in blocks, so that a block stays in the processor's cache
between the matrix products that need it; automatic differentiation would write the whole layer to
memory and read it back several times.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from termexplorer.trainer.encoders.batches import encoded
from termexplorer.trainer.encoders.cca import CCA
from termexplorer.trainer.encoders.files import weights_of, write_weights
from termexplorer.trainer.encoders.whitening import Whitening
from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.tensors.random_state import RandomState

if TYPE_CHECKING:
    from termexplorer.trainer.data.training_data import TrainingData
    from termexplorer.trainer.tensors.ranks import Ranks

NAMES = ("w1", "b1", "w2", "b2")
_BATCH_VALUES = 40_000_000  # hidden values computed at a time when encoding
_through_relu = torch.ops.aten.threshold_backward.grad_input
#: hidden units, and their weights to the output, in the number format of the products; by blocks
Layers = list[tuple[Tensor, Tensor]]
_BLOCK = 1200  # hidden units at a time in float32, twice as many in bfloat16, on processors


class FeedForwardEncoder:
    """``W2 dropout(relu(W1 u + b1)) + b2`` over names at unit length; input and output d wide.

    Where it has a ``projection``, names are prepared for the network by that.

    Attributes:
        w1: (h, d).
        b1: (h,).
        w2: (h, d), transposed, so that blocks of hidden units are rows of it as well.
        b2: (d,).
        projection: maps names at unit length before they reach the network: CCA, or what evens
            collapsed vectors out; None where nothing does.
        bfloat16: multiply in bfloat16 while training.
        ranks: the processes that train it together; None where this one does alone.
    """

    kind: ClassVar[str]

    def __init__(
        self,
        w1: Tensor,
        b1: Tensor,
        w2: Tensor,
        b2: Tensor,
        projection: CCA | Whitening | None = None,
    ):
        if w1.ndim != 2 or w1.shape != w2.shape or b1.shape != w1.shape[:1]:
            raise TrainerError(
                "weights of {shape} and {other_shape} do not fit",
                shape=tuple(w1.shape),
                other_shape=tuple(w2.shape),
            )
        if b2.shape != w1.shape[1:]:
            raise TrainerError(
                "a bias of {shape} does not fit {other_shape}",
                shape=tuple(b2.shape),
                other_shape=tuple(w1.shape),
            )
        self.w1, self.b1, self.w2, self.b2, self.projection = w1, b1, w2, b2, projection
        self.bfloat16 = False
        self.ranks: Ranks | None = None

    @classmethod
    def initial(
        cls,
        dimension: int,
        hidden: int,
        noise: RandomState,
        projection: CCA | Whitening | None = None,
    ) -> Self:
        """Return an encoder with random weights, uniform within 1 / sqrt(inputs)."""

        def uniform(inputs: int, *shape: int) -> Tensor:
            bound = 1 / math.sqrt(inputs)
            return ((noise.uniform(*shape) * 2 - 1) * bound).float()

        return cls(
            uniform(dimension, hidden, dimension),
            uniform(dimension, hidden),
            uniform(hidden, hidden, dimension),
            uniform(hidden, dimension),
            projection,
        )

    @property
    def dimension(self) -> int:
        """The width d of input and output."""
        return int(self.w1.shape[1])

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.w1.device

    def parameters(self) -> list[Tensor]:
        """Return the weights in the order of ``NAMES``."""
        return [self.w1, self.b1, self.w2, self.b2]

    def weights(self) -> dict[str, Tensor]:
        """Return the weights by their names."""
        return dict(zip(NAMES, self.parameters(), strict=True))

    def multiply_in(self, precision: str) -> None:
        """Take ``float32`` or ``bfloat16`` for the matrix products of training."""
        self.bfloat16 = precision == "bfloat16"

    def step(self, _data: TrainingData, noise: RandomState, dropout: float) -> Tape:
        """Return a training step over prepared names at unit length."""
        return Tape(self, noise, dropout)

    def gradients(self) -> list[Tensor]:
        """Return the gradients of the weights, to be written over."""
        gradients = []
        for weight in self.parameters():
            if weight.grad is None:
                weight.grad = torch.empty_like(weight)
            gradients.append(weight.grad)
        return gradients

    def join(self, transformed: Tensor, inputs: Tensor) -> Tensor:
        """Return the output from the network's and from the input at unit length."""
        raise NotImplementedError

    #: the share of the gradient of ``join`` that goes to the network
    share: ClassVar[float]

    def encode(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Encode (n, d) float32 vectors of any length; zero vectors stay zero.

        Raises:
            ValueError: for vectors of another width.
        """
        return encoded(vectors, self.dimension, self.device, self._batch(), self._encode)

    def _encode(self, units: Tensor) -> Tensor:
        return self.encode_units(self.projection.names(units) if self.projection else units)

    def _batch(self) -> int:
        """Return how many rows are encoded in a fraction of a second."""
        return max(64, _BATCH_VALUES // len(self.w1))

    @torch.no_grad()
    def encode_units(self, inputs: Tensor, tick: Callable[[], None] = lambda: None) -> Tensor:
        """Encode (n, d) prepared names, no dropout; ``tick`` is called between batches."""
        outputs = torch.empty_like(inputs)
        size = self._batch()
        for start in range(0, len(inputs), size):
            tick()
            batch = inputs[start : start + size]
            output = self.join(self._transform(batch, None, 1.0, None), batch)
            outputs[start : start + size] = output * batch.any(dim=1, keepdim=True)
        return outputs

    @torch.no_grad()
    def encode_noisily(self, inputs: Tensor, noise: RandomState, dropout: float) -> Tensor:
        """Encode (n, d) prepared names with dropout on, as a validation loss may want it."""
        keep = noise.keep(len(inputs), len(self.w1), dropout)
        return self.join(self._transform(inputs, keep, 1 / noise.share_kept(dropout), None), inputs)

    def blocks(self) -> list[slice]:
        """Return the blocks of hidden units; one on a graphics processor."""
        hidden = len(self.w1)
        size = _BLOCK * (1 + self.bfloat16) if self.device.type == "cpu" else hidden
        return [slice(start, min(start + size, hidden)) for start in range(0, hidden, size)]

    def _transform(
        self, inputs: Tensor, keep: Tensor | None, scale: float, layers: Layers | None
    ) -> Tensor:
        """Return the network's output (n, d); ``layers`` keeps what its gradients need."""
        dtype = torch.bfloat16 if self.bfloat16 else torch.float32
        typed = inputs.to(dtype)
        output = self.b2.expand(len(inputs), -1).clone()
        for block in self.blocks():
            w1, b1, w2 = (w[block].to(dtype) for w in (self.w1, self.b1, self.w2))
            hidden = torch.addmm(b1, typed, w1.T).relu_()
            if keep is not None:
                hidden.mul_(keep[:, block].view(torch.uint8).to(dtype))  # slow from bool
            output.add_(hidden @ w2, alpha=scale)
            if layers is not None:
                layers.append((hidden, w2))
        return output

    def save(self, folder: Path) -> None:
        """Write the encoder as safetensors and JSON with hashes."""
        meta: dict[str, Any] = {"kind": self.kind, "dimension": self.dimension}
        meta["hidden"], tensors = len(self.w1), self.weights()
        if self.projection:
            meta[self.projection.kind] = self.projection.facts()
            tensors |= self.projection.tensors()
        write_weights(folder, meta, tensors)

    @classmethod
    def load(cls, folder: Path, device: str = "cpu", *, verify: bool = True) -> Self:
        """Open a saved encoder of this kind.

        Raises:
            ValueError: for one of another kind, or a missing or changed file.
        """
        with weights_of(folder, cls.kind, device, verify=verify) as (meta, tensors):
            projection = read_projection(tensors, meta)
            w1, b1, w2, b2 = (tensors[name] for name in NAMES)
            return cls(w1, b1, w2, b2, projection)


def read_projection(
    tensors: Mapping[str, Tensor], meta: Mapping[str, Any]
) -> CCA | Whitening | None:
    """Return what names are mapped by before an encoder, as it was saved with it; None: nothing.

    Raises:
        KeyError: where a part of it is missing.
    """
    for kind in (CCA, Whitening):
        if kind.kind in meta:
            return kind.from_tensors(tensors, meta[kind.kind])
    return None


class ResidualEncoder(FeedForwardEncoder):
    """The mean of the network's output and the input at unit length ([FSL] eq. 1)."""

    kind = "residual"
    share = 0.5

    def input_weights(self) -> dict[str, Tensor]:
        """Return the weights by which a name stays where it is, for those that have to change."""
        return {"w2": torch.zeros_like(self.w2), "b2": torch.zeros_like(self.b2)}

    def join(self, transformed: Tensor, inputs: Tensor) -> Tensor:
        """Return ``(enc(u) + u) / 2``."""
        return (transformed + inputs) / 2


class DAN(FeedForwardEncoder):
    """A deep averaging network: the network's output ([HLS] eq. 1)."""

    kind = "dan"
    share = 1.0

    def join(self, transformed: Tensor, inputs: Tensor) -> Tensor:
        """Return the network's output."""
        return transformed


class Tape:
    """One training step: forward with dropout, and the gradients of the weights by hand.

    Call it once with the inputs, take losses of what it returns, call ``backward`` on those, then
    ``Tape.backward``, which fills ``grad`` of the encoder's parameters.
    """

    def __init__(self, encoder: FeedForwardEncoder, noise: RandomState, dropout: float):
        self._encoder, self._noise, self._dropout = encoder, noise, dropout
        self._layers: Layers = []

    def __call__(self, inputs: Tensor) -> Tensor:
        """Return the outputs (n, d) for names at unit length, to take losses of."""
        encoder = self._encoder
        ranks = encoder.ranks
        self._rows = ranks.share(len(inputs)) if ranks else slice(None)
        # the numbers of all rows are drawn, so that each row has the same ones in any process
        keep = self._noise.keep(len(inputs), len(encoder.w1), self._dropout)[self._rows]
        self._scale = 1 / self._noise.share_kept(self._dropout)
        with torch.no_grad():
            self._inputs = inputs[self._rows]
            transformed = encoder._transform(self._inputs, keep, self._scale, self._layers)
            outputs = encoder.join(transformed, self._inputs)
            self._outputs = ranks.gather(outputs, len(inputs)) if ranks else outputs
        return self._outputs.requires_grad_()

    @torch.no_grad()
    def backward(self) -> None:
        """Write the gradients of the weights, over those of the step before."""
        encoder = self._encoder
        w1, b1, w2, b2 = encoder.gradients()
        assert self._outputs.grad is not None  # noqa: S101  (the losses' backward has run)
        gradient = self._outputs.grad[self._rows] * encoder.share
        torch.sum(gradient, 0, out=b2)
        dtype = self._layers[0][0].dtype
        inputs, scaled = self._inputs.to(dtype), (gradient * self._scale).to(dtype)
        for block, (hidden, outgoing) in zip(encoder.blocks(), self._layers, strict=True):
            _multiply_into(hidden.T, scaled, out=w2[block])
            inner = scaled @ outgoing.T
            _through_relu(inner, hidden, 0, grad_input=inner)
            _multiply_into(inner.T, inputs, out=w1[block])
            torch.sum(inner, 0, dtype=torch.float32, out=b1[block])
        if encoder.ranks:
            encoder.ranks.add_up((w1, b1, w2, b2))


def _multiply_into(left: Tensor, right: Tensor, out: Tensor) -> None:
    """Write ``left @ right`` to a float32 tensor."""
    if left.dtype == out.dtype:
        torch.mm(left, right, out=out)
    else:
        out.copy_(left @ right)
