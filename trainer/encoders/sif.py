"""Means of words in which frequent ones count less, without the part that all words share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import embedding_bag

from termexplorer.trainer.data.words import NameWords
from termexplorer.trainer.encoders.batches import less
from termexplorer.trainer.encoders.files import weights_of, write_weights
from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.measures.base import TokenVectors
from termexplorer.trainer.tensors.objectives import unit

_FREQUENT = 10_000  # words
_TINY = 1e-12


class SmoothInverseFrequency:
    """Means of words, less what all share, weighted by ``a / (a + p(w))`` (Arora et al. 2017).

    ``p(w)`` is the share of a word among all words of the training names; words that are not there
    have the weight 1. Where the paper takes away the first principal component of the sentences at
    hand, this takes the mean of frequent words (Mu and Viswanath 2018), which stays the same
    whatever the names are of: the mean of diseases is no part of all that is not one. It goes from
    each word, which is then brought to unit length, so that a name is the shorter the less its
    words agree, and counts the less where it is joined with a part that reads it as a whole.

    Attributes:
        weights: of the words of the training names, between 0 and 1.
        common: (d,), the mean of frequent words at unit length.
        own_length: the length of a name's vector, up to 1, says how much its words agree. False for
            encoders of earlier versions: sums of words as they are, brought to unit length, less
            the common vector.
    """

    kind: ClassVar[str] = "sif"
    reads: ClassVar[str] = "words"
    alphabet: ClassVar[str] = ""

    def __init__(
        self, weights: dict[str, float], common: Tensor, *, own_length: bool = True
    ) -> None:
        self.weights, self.common, self.own_length = weights, common, own_length

    @property
    def dimension(self) -> int:
        """The width d of words and names."""
        return len(self.common)

    def encode_words(self, names: NameWords) -> Tensor:
        """Encode all names, (n, d), up to unit length; zero rows where nothing is known."""
        weights = torch.tensor([self.weights.get(word, 1.0) for word in names.spellings])
        weights = weights[:, None].to(self.common.device)
        if not self.own_length:
            return less(unit(_sum_words(names, names.vectors * weights)), self.common)
        words = without(names.vectors, self.common)
        known = weights * words.any(dim=1, keepdim=True)
        return _sum_words(names, words * known) / _sum_words(names, known).clamp(min=_TINY)

    def encode_names(self, names: Sequence[str], source: TokenVectors) -> NDArray[np.float32]:
        """Encode names by the word vectors of a source, (n, d) float32.

        Raises:
            ValueError: the source's vectors are of another width.
        """
        if not names:
            return np.zeros((0, self.dimension), dtype=np.float32)
        words = NameWords.of_names(names, source, "", self.common.device)
        if words.vectors.shape[1] != self.dimension:
            raise TrainerError(
                "the encoder takes words of {dimension}, not {shape}",
                dimension=self.dimension,
                shape=words.vectors.shape[1],
            )
        return np.asarray(self.encode_words(words).cpu().numpy())

    def save(self, folder: Path) -> None:
        """Write words and weights as safetensors and JSON with hashes."""
        vocabulary, weights = list(self.weights), torch.tensor(list(self.weights.values()))
        meta = {
            "kind": self.kind,
            "dimension": self.dimension,
            "vocabulary": vocabulary,
            "own_length": self.own_length,
        }
        write_weights(folder, meta, {"weights": weights, "common": self.common})

    @classmethod
    def load(
        cls, folder: Path, device: str = "cpu", *, verify: bool = True
    ) -> SmoothInverseFrequency:
        """Open a saved encoder.

        Raises:
            ValueError: for one of another kind, or a missing or changed file.
        """
        with weights_of(folder, cls.kind, device, verify=verify) as (meta, tensors):
            words = (str(word) for word in meta["vocabulary"])
            weights = dict(zip(words, tensors["weights"].tolist(), strict=True))
            return cls(weights, tensors["common"], own_length=bool(meta.get("own_length")))


def without(vectors: Tensor, common: Tensor) -> Tensor:
    """Return rows at unit length, (n, d), after what they have of a direction is taken away.

    Args:
        vectors: (n, d) of any length; a row of zeros stays one.
        common: (d,) the direction.
    """
    units, direction = unit(vectors), unit(common[None, :])
    return unit(units - (units @ direction.T) * direction)


def _sum_words(names: NameWords, of_words: Tensor) -> Tensor:
    """Sum (u, k) of words up over each name, (n, k)."""
    return embedding_bag(names.words, of_words, names.starts, mode="sum", include_last_offset=True)


def fit(names: NameWords, smoothing: float) -> SmoothInverseFrequency:
    """Count the words of names, and take the mean of frequent words.

    These are the first ones of the source, as files of word vectors have them in the order of their
    frequency; where a source does not list its words, those of the names.

    Args:
        names: the training names.
        smoothing: a, above 0; the larger, the less it matters how frequent a word is.

    Raises:
        ValueError: for a smoothing out of range.
    """
    if not smoothing > 0:
        raise TrainerError(
            "smoothing is {smoothing}; choose one above 0, such as 0.001", smoothing=smoothing
        )
    counts = torch.bincount(names.words, minlength=len(names.spellings)).double()
    weights = smoothing / (smoothing + counts / counts.sum())
    listed: Sequence[str] = getattr(names.source, "words", names.spellings)
    vectors, known = names.source.token_vectors(list(listed[:_FREQUENT]))
    frequent = torch.from_numpy(np.asarray(vectors[known], dtype=np.float32))
    common = unit(frequent.to(names.vectors.device)).mean(dim=0)
    return SmoothInverseFrequency(dict(zip(names.spellings, weights.tolist(), strict=True)), common)
