"""One hidden layer over a name's vector and a vector of its words and letters, trained with it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import embedding_bag, linear, relu

from termexplorer.trainer.data.spelling import Bags, Spelled, Speller
from termexplorer.trainer.encoders.cca import CCA
from termexplorer.trainer.encoders.files import weights_of, write_weights
from termexplorer.trainer.encoders.network import read_projection
from termexplorer.trainer.encoders.whitening import Whitening
from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.tensors.objectives import unit, unit_of_any_length
from termexplorer.trainer.tensors.random_state import RandomState
from termexplorer.trainer.tensors.ranks import Ranks
from termexplorer.trainer.tensors.shared_outputs import SharedOutputs

if TYPE_CHECKING:
    from termexplorer.trainer.data.training_data import TrainingData

_IDF = "idf"
_ROWS = 2048  # names encoded at a time
_LENGTH = 0.5  # of the vector of words and letters before training, beside one of length 1
_SPREAD = 4  # times that a piece's first vector is shorter than 1: the shorter, the faster it turns


class SpelledEncoder:
    """``(W2 dropout(relu(W1 [u; s] + b1)) + b2 + u) / 2``, [FSL] eq. 1 with more to see.

    u is the name's pretrained vector at unit length; s the sum of the vectors of its words and
    letters, weighted by how few names have them, at a length that is trained too.

    Attributes:
        speller: takes names to pieces.
        tensors: ``table`` (f, e) the vectors of pieces, ``length`` (1,), ``w1`` (h, d + e),
            ``b1`` (h,), ``w2`` (d, h), ``b2`` (d,).
        projection: maps names at unit length before they are seen; None where nothing does.
        bfloat16: multiply in bfloat16 while training.
        ranks: the processes that train it together; None where this one does alone.
    """

    kind: ClassVar[str] = "spelled"
    alphabet: ClassVar[str] = ""  # a name of which nothing is known beneath stays a zero row
    reads: ClassVar[str] = "names"

    def __init__(
        self,
        speller: Speller,
        tensors: dict[str, Tensor],
        projection: CCA | Whitening | None = None,
    ) -> None:
        self.speller, self.tensors, self.projection = speller, tensors, projection
        self.bfloat16 = False
        self.ranks: Ranks | None = None

    @classmethod
    def initial(
        cls,
        speller: Speller,
        dimension: int,
        width: int,
        hidden: int,
        noise: RandomState,
        projection: CCA | Whitening | None = None,
    ) -> SpelledEncoder:
        """Return an encoder with random weights, uniform within 1 / sqrt(inputs)."""

        def uniform(bound: float, *shape: int) -> Tensor:
            return ((noise.uniform(*shape) * 2 - 1) * bound).float()

        seen, ahead = 1 / math.sqrt(dimension + width), 1 / math.sqrt(hidden)
        first = math.sqrt(3 / width) / _SPREAD
        tensors = {
            "table": uniform(first, len(speller.pieces), width),
            "length": torch.full((1,), _LENGTH, device=noise.device),
            "w1": uniform(seen, hidden, dimension + width),
            "b1": uniform(seen, hidden),
            "w2": uniform(ahead, dimension, hidden),
            "b2": uniform(ahead, dimension),
        }
        return cls(speller, tensors, projection)

    @property
    def dimension(self) -> int:
        """The width d of input and output."""
        return len(self.tensors["b2"])

    def weights(self) -> dict[str, Tensor]:
        """Return what is trained."""
        return self.tensors

    def input_weights(self) -> dict[str, Tensor]:
        """Return the weights by which a name stays where it is, for those that have to change."""
        return {name: torch.zeros_like(self.tensors[name]) for name in ("w2", "b2")}

    def multiply_in(self, precision: str) -> None:
        """Take ``float32`` or ``bfloat16`` for the matrix products of training."""
        self.bfloat16 = precision == "bfloat16"

    def step(self, data: TrainingData, noise: RandomState, dropout: float) -> _SpelledStep:
        """Return a training step over numbers of training names."""
        return _SpelledStep(self, data, noise, dropout)

    def encode_names(
        self, names: Sequence[str], source: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Encode n names, of which ``source`` has the (n, d) vectors; zero vectors stay zero.

        Raises:
            ValueError: for vectors of another number or width.
        """
        if source.shape != (len(names), self.dimension):
            wanted = (len(names), self.dimension)
            raise TrainerError(
                "the encoder takes {wanted} vectors, not {shape}", wanted=wanted, shape=source.shape
            )
        units = torch.from_numpy(np.array(source, dtype=np.float32)).to(self._device)
        units = unit_of_any_length(units)
        units = self.projection.names(units) if self.projection else units
        return np.asarray(self.encode_units(units, self.speller.bags(names)).cpu().numpy())

    @torch.no_grad()
    def encode_units(
        self, units: Tensor, bags: Bags, tick: Callable[[], None] = lambda: None
    ) -> Tensor:
        """Encode (n, d) names at unit length, no dropout; ``tick`` is called between batches."""
        outputs = torch.empty_like(units)
        for start in range(0, len(units), _ROWS):
            tick()
            chosen = torch.arange(start, min(start + _ROWS, len(units)), device=units.device)
            batch = units[chosen]
            outputs[chosen] = self.joined(batch, bags.of(chosen)) * batch.any(dim=1, keepdim=True)
        return outputs

    def joined(
        self, units: Tensor, bags: Bags, drop: Callable[[Tensor], Tensor] = lambda hidden: hidden
    ) -> Tensor:
        """Return the mean of the network's output and the input, (n, d).

        Args:
            units: (n, d) at unit length.
            bags: the pieces of the same names.
            drop: what becomes of the (n, h) hidden units.
        """
        of = self.tensors
        summed = embedding_bag(
            bags.pieces,
            of["table"],
            bags.starts,
            mode="sum",
            per_sample_weights=bags.weights,
            include_last_offset=True,
        )
        seen = torch.cat((units, unit(summed) * of["length"]), dim=1)
        hidden = drop(relu(linear(seen, of["w1"], of["b1"])))
        return (linear(hidden, of["w2"], of["b2"]).float() + units) / 2

    @property
    def _device(self) -> torch.device:
        return self.tensors["b2"].device

    def save(self, folder: Path) -> None:
        """Write pieces and weights as safetensors and JSON with hashes."""
        meta: dict[str, Any] = {"kind": self.kind, "dimension": self.dimension}
        meta["pieces"] = self.speller.pieces
        tensors = {_IDF: self.speller.weights, **self.tensors}
        if self.projection:
            meta[self.projection.kind] = self.projection.facts()
            tensors |= self.projection.tensors()
        write_weights(folder, meta, tensors)

    @classmethod
    def load(cls, folder: Path, device: str = "cpu", *, verify: bool = True) -> SpelledEncoder:
        """Open a saved encoder of this kind.

        Raises:
            ValueError: for one of another kind, or a missing or changed file.
        """
        with weights_of(folder, cls.kind, device, verify=verify) as (meta, tensors):
            pieces = [str(piece) for piece in meta["pieces"]]
            projection = read_projection(tensors, meta)
            for name in projection.tensors() if projection else ():
                del tensors[name]
            return cls(Speller(pieces, tensors.pop(_IDF)), tensors, projection)


def spelled(data: TrainingData) -> Spelled:
    """Return the names as they are written."""
    assert data.spelled is not None  # noqa: S101 - whoever trains such an encoder prepared them
    return data.spelled


class _SpelledStep:
    """Automatic differentiation; pieces and hidden units are left out at random."""

    def __init__(
        self, encoder: SpelledEncoder, data: TrainingData, noise: RandomState, dropout: float
    ) -> None:
        self._encoder, self._data, self._noise, self._dropout = encoder, data, noise, dropout
        for weight in encoder.tensors.values():
            weight.requires_grad_().grad = None
        self._shared = SharedOutputs(encoder.ranks, list(encoder.tensors.values()))

    def __call__(self, inputs: Tensor) -> Tensor:
        """Return (m, d) for (m,) numbers of training names."""
        encoder, data = self._encoder, self._data
        bags = spelled(data).names.of(inputs)
        is_kept = self._noise.uniform(len(bags.weights)) >= self._dropout
        thinned = Bags(bags.pieces, bags.weights * is_kept, bags.starts)
        keep = self._noise.keep(len(inputs), len(encoder.tensors["b1"]), self._dropout)
        share_kept = self._noise.share_kept(self._dropout)

        def encode(rows: slice) -> Tensor:
            units = data.names[inputs[rows]]
            return encoder.joined(units, thinned.cut(rows), lambda h: h * keep[rows] / share_kept)

        half = torch.autocast(data.names.device.type, torch.bfloat16, enabled=encoder.bfloat16)
        with half:
            return self._shared.take(encode, len(inputs), encoder.dimension)

    def backward(self) -> None:
        """Complete the gradients."""
        self._shared.backward()
