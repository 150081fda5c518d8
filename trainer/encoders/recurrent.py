"""A BiLSTM over the words of a name, each spelled by a BiLSTM over its characters ([BNE] 3.2)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import LSTM, Embedding, Linear, Module
from torch.nn.utils import clip_grad_norm_
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from termexplorer.trainer.data.words import NameWords, WordBatch
from termexplorer.trainer.encoders.files import weights_of, write_weights
from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.measures.base import TokenVectors
from termexplorer.trainer.tensors.objectives import taken
from termexplorer.trainer.tensors.random_state import RandomState
from termexplorer.trainer.tensors.ranks import Ranks
from termexplorer.trainer.tensors.shared_outputs import SharedOutputs
from termexplorer.trainer.tensors.single_precision import unrounded

if TYPE_CHECKING:
    from termexplorer.trainer.data.training_data import TrainingData

_NAMES_AT_A_TIME = 512
_CLIP = 5.0  # the largest norm of a step's gradients


@dataclass(frozen=True)
class Sizes:
    """The widths of the layers.

    Attributes:
        words: of the pretrained word vectors.
        hidden: of the states of the word BiLSTM, in each direction.
        output: of the encoded names.
        characters: of the vectors of characters; 0 leaves the spelling out.
        spelling: of the states of the character BiLSTM, in each direction.
    """

    words: int
    hidden: int
    output: int
    characters: int = 0
    spelling: int = 0


@dataclass(frozen=True, slots=True)
class KeptInputs:
    """Which inputs of the layers are not left out in a step.

    Attributes:
        words: (v, d) of the word BiLSTM, for the v words of the names.
        names: (b, 2 h) of the last layer.
        share: of the inputs that is kept, on average.
    """

    words: Tensor
    names: Tensor
    share: float

    def cut(self, words: Tensor, names: slice) -> Self:
        """Return those of some names, whose words are at such positions."""
        return type(self)(self.words[words], self.names[names], self.share)


class RecurrentEncoder(Module):
    """``f(s) = W max(BiLSTM(h_1 ... h_n)) + b``, ``h`` a word's vector and its spelling.

    Attributes:
        sizes: the widths of its layers.
        alphabet: the characters that it can read.
        ranks: the processes that train it together; None where this one does alone.
    """

    kind: ClassVar[str] = "recurrent"
    reads: ClassVar[str] = "words"

    def __init__(self, sizes: Sizes, alphabet: str) -> None:
        super().__init__()
        self.sizes, self.alphabet = sizes, alphabet if sizes.characters else ""
        self.ranks: Ranks | None = None
        self.characters = Embedding(len(self.alphabet) + 2, max(sizes.characters, 1))
        self.spelling = LSTM(max(sizes.characters, 1), max(sizes.spelling, 1), bidirectional=True)
        if not sizes.characters:
            del self.characters, self.spelling
        width = sizes.words + (2 * sizes.spelling if sizes.characters else 0)
        self.sequence = LSTM(width, sizes.hidden, bidirectional=True)
        self.linear = Linear(2 * sizes.hidden, sizes.output)

    @classmethod
    def initial(cls, sizes: Sizes, alphabet: str, noise: RandomState) -> Self:
        """Return an encoder with random weights."""
        encoder = cls(sizes, alphabet).to(noise.device)
        encoder.randomise(noise)
        return encoder

    @torch.no_grad()
    def randomise(self, noise: RandomState) -> None:
        """Draw all weights, uniform within 1 / sqrt(width); characters with variance 1."""
        for name, weight in self.named_parameters():
            width = self.sizes.spelling if name.startswith("spelling") else self.sizes.hidden
            bound = math.sqrt(3) if name.startswith("characters") else 1 / math.sqrt(width)
            weight.copy_((noise.uniform(*weight.shape) * 2 - 1) * bound)

    def weights(self) -> dict[str, Tensor]:
        """Return the weights by their names."""
        return dict(self.named_parameters())

    def multiply_in(self, precision: str) -> None:
        """Keep to float32, the only format offered."""

    def step(self, data: TrainingData, noise: RandomState, dropout: float) -> _RecurrentStep:
        """Return a training step over numbers of training names."""
        assert data.words is not None  # noqa: S101 - the recipe asked for them
        return _RecurrentStep(self, data.words[0], noise, dropout)

    @property
    def dimension(self) -> int:
        """The width of the encoded names."""
        return self.sizes.output

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.linear.weight.device

    def forward(
        self,
        names: NameWords,
        batch: WordBatch,
        kept_inputs: KeptInputs | None = None,
    ) -> Tensor:
        """Encode a batch of names, (b, output); of both layers' inputs, some may be zero."""
        words = self._words(names, batch.used)
        if kept_inputs is not None:
            words = words * kept_inputs.words / kept_inputs.share
        padded = taken(words, batch.words)
        packed = pack_padded_sequence(padded, batch.lengths, batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(
            self.sequence(packed)[0], batch_first=True, padding_value=-math.inf
        )
        largest = states.amax(dim=1)
        if kept_inputs is not None:
            largest = largest * kept_inputs.names / kept_inputs.share
        output: Tensor = self.linear(largest)
        return output

    def word_vectors(self, names: NameWords, used: Tensor) -> Tensor:
        """Return the vectors of the words of some names, (v, d)."""
        return names.vectors[used]

    def _words(self, names: NameWords, used: Tensor) -> Tensor:
        """Return the vectors of words, joined to the last states of their spelling."""
        vectors = self.word_vectors(names, used)
        if not self.sizes.characters:
            return vectors
        spelled = names.spelled[used.cpu()]
        characters = self.characters(names.characters[used, : int(spelled.max())])
        packed = pack_padded_sequence(characters, spelled, batch_first=True, enforce_sorted=False)
        _, (last, _) = self.spelling(packed)
        return torch.cat((vectors, last[0], last[1]), dim=1)

    @unrounded()
    @torch.no_grad()
    def encode_words(self, names: NameWords, tick: Callable[[], None] = lambda: None) -> Tensor:
        """Encode all names, (n, output), those of about one length together.

        ``tick`` is called between batches.
        """
        order = torch.argsort(names.starts[1:] - names.starts[:-1], stable=True)
        encoded = torch.empty((len(names), self.dimension), device=self.device)
        for chosen in torch.split(order, _NAMES_AT_A_TIME):
            tick()
            encoded[chosen] = self(names, names.batch(chosen))
        return encoded

    def encode_names(self, names: Sequence[str], source: TokenVectors) -> NDArray[np.float32]:
        """Encode names by the word vectors of a source, (n, output) float32.

        Raises:
            ValueError: the source's vectors are of another width.
        """
        if not names:
            return np.zeros((0, self.dimension), dtype=np.float32)
        words = NameWords.of_names(names, source, self.alphabet, self.device)
        if words.vectors.shape[1] != self.sizes.words:
            raise TrainerError(
                "the encoder takes words of {words}, not {shape}",
                words=self.sizes.words,
                shape=words.vectors.shape[1],
            )
        return np.asarray(self.encode_words(words).cpu().numpy())

    def described(self) -> dict[str, Any]:
        """Return its shape, as ``meta.json`` keeps it."""
        return {
            "kind": self.kind,
            "dimension": self.dimension,
            "sizes": asdict(self.sizes),
            "alphabet": self.alphabet,
        }

    @classmethod
    def of_description(cls, meta: dict[str, Any]) -> Self:
        """Return an encoder of the described shape, with weights that are to be loaded."""
        return cls(Sizes(**meta["sizes"]), str(meta["alphabet"]))

    def save(self, folder: Path) -> None:
        """Write the encoder as safetensors and JSON with hashes."""
        write_weights(folder, self.described(), self.state_dict())

    @classmethod
    def load(cls, folder: Path, device: str = "cpu", *, verify: bool = True) -> Self:
        """Open a saved encoder of this kind.

        Raises:
            ValueError: for one of another kind, or a missing or changed file.
        """
        with weights_of(folder, cls.kind, device, verify=verify) as (meta, tensors):
            encoder = cls.of_description(meta)
            encoder.load_state_dict(tensors)
        return encoder.to(device)


class _RecurrentStep:
    """Automatic differentiation, and gradients that are clipped ([BNE] 4)."""

    def __init__(
        self, encoder: RecurrentEncoder, names: NameWords, noise: RandomState, dropout: float
    ) -> None:
        self.encoder = encoder
        self._names, self._noise, self._dropout = names, noise, dropout
        encoder.zero_grad(set_to_none=True)
        self._shared = SharedOutputs(encoder.ranks, list(encoder.parameters()))

    def __call__(self, inputs: Tensor) -> Tensor:
        """Return (m, output) for (m,) numbers of training names; each of them is encoded once."""
        distinct, inverse = torch.unique(inputs, return_inverse=True)
        whole = self._names.batch(distinct)
        kept_inputs = self._draw_kept(len(whole.used), len(distinct))

        def encode(rows: slice) -> Tensor:
            if rows.stop - rows.start == len(distinct):
                return self.encoder(self._names, whole, kept_inputs)  # type: ignore[no-any-return]
            batch = self._names.batch(distinct[rows])
            used = torch.searchsorted(whole.used, batch.used)
            part = kept_inputs and kept_inputs.cut(used, rows)
            return self.encoder(self._names, batch, part)  # type: ignore[no-any-return]

        encoded = self._shared.take(encode, len(distinct), self.encoder.dimension)
        return taken(encoded, inverse)

    def _draw_kept(self, words: int, names: int) -> KeptInputs | None:
        if not self._dropout:
            return None
        return KeptInputs(
            self._noise.keep(words, self.encoder.sequence.input_size, self._dropout),
            self._noise.keep(names, self.encoder.linear.in_features, self._dropout),
            self._noise.share_kept(self._dropout),
        )

    def backward(self) -> None:
        """Complete the gradients, and clip them."""
        self._shared.backward()
        clip_grad_norm_(self.encoder.parameters(), _CLIP)
