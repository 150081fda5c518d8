"""A BiLSTM whose word vectors are trained too, from the pretrained ones on ([BNE] 4.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self
from weakref import WeakKeyDictionary

import numpy as np
import torch
from torch import Tensor
from torch.nn import Parameter

from termexplorer.trainer.data.words import NameWords
from termexplorer.trainer.encoders.recurrent import RecurrentEncoder, Sizes
from termexplorer.trainer.tensors.objectives import taken
from termexplorer.trainer.tensors.random_state import RandomState


class OwnWordsEncoder(RecurrentEncoder):
    """Words seen in training have vectors of its own; others those that come with the names.

    Attributes:
        vocabulary: the u words with vectors of its own.
        vectors: (u, d), trained.
    """

    kind: ClassVar[str] = "own-words"

    def __init__(self, sizes: Sizes, vocabulary: Sequence[str]) -> None:
        super().__init__(sizes, "")
        self.vocabulary = tuple(vocabulary)
        self.vectors = Parameter(torch.zeros(len(self.vocabulary), sizes.words))
        self._rows: WeakKeyDictionary[NameWords, Tensor] = WeakKeyDictionary()

    @classmethod
    def of_words(cls, sizes: Sizes, words: NameWords, noise: RandomState) -> Self:
        """Return an encoder with random layers and the words' pretrained vectors."""
        encoder = cls(sizes, words.spellings).to(noise.device)
        encoder.randomise(noise)
        with torch.no_grad():
            encoder.vectors.copy_(words.vectors)
        return encoder

    def word_vectors(self, names: NameWords, used: Tensor) -> Tensor:
        """Return the vectors of the words of some names, (v, d)."""
        row = self._own_rows(names)[used]
        own_vectors = taken(self.vectors, row.clamp(min=0))
        return torch.where(row[:, None] >= 0, own_vectors, names.vectors[used])

    def _own_rows(self, names: NameWords) -> Tensor:
        """Return the row of each of the names' words among its own, -1 for others, (u,) int64."""
        if names not in self._rows:
            rows = {word: row for row, word in enumerate(self.vocabulary)}
            own_rows = np.fromiter((rows.get(word, -1) for word in names.spellings), np.int64)
            self._rows[names] = torch.from_numpy(own_rows).to(self.device)
        return self._rows[names]

    def layers(self) -> list[Tensor]:
        """Return the weights of all layers, without the word vectors."""
        return [weight for name, weight in self.named_parameters() if name != "vectors"]

    def described(self) -> dict[str, Any]:
        """Return its shape, as ``meta.json`` keeps it."""
        return {**super().described(), "vocabulary": self.vocabulary}

    @classmethod
    def of_description(cls, meta: dict[str, Any]) -> Self:
        """Return an encoder of the described shape, with weights that are to be loaded."""
        return cls(Sizes(**meta["sizes"]), [str(word) for word in meta["vocabulary"]])
