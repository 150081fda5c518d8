"""Names as sequences of words, and words as sequences of characters, ready for a BiLSTM."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import embedding_bag

from termexplorer.trainer.measures.base import TokenVectors
from termexplorer.trainer.text.names import composed
from termexplorer.trainer.text.tokenizer import tokenize_all

UNKNOWN = 1  # the number of characters that are not in the alphabet; 0 fills up
_FIRST = 2  # the number of the alphabet's first character
_LONGEST = 32  # characters of a word that are read


@dataclass(frozen=True, eq=False)
class WordBatch:
    """Some names, filled up to the longest one.

    Attributes:
        words: (b, w) int64, places in ``used``, in rows that may end in zeros.
        lengths: (b,) int64 on the processor, words of each name, at least 1.
        used: (v,) int64, the distinct words of these names.
    """

    words: Tensor
    lengths: Tensor
    used: Tensor


@dataclass(frozen=True, eq=False)
class NameWords:
    """The words of n names; a name without any has one of which nothing is known.

    Attributes:
        spellings: the u distinct words.
        vectors: (u, d) float32, their vectors; zero where nothing is known.
        characters: (u, l) int64, their characters, filled up with zeros.
        spelled: (u,) int64 on the processor, characters of each word, at least 1.
        words: (t,) int64, the words of all names one after the other.
        starts: (n + 1,) int64, where each name starts in ``words``.
        alphabet: what ``characters`` are numbers of.
        source: where the vectors are from.
    """

    spellings: tuple[str, ...]
    vectors: Tensor
    characters: Tensor
    spelled: Tensor
    words: Tensor
    starts: Tensor
    alphabet: str
    source: TokenVectors

    @classmethod
    def of_names(
        cls, names: Sequence[str], source: TokenVectors, alphabet: str, device: torch.device
    ) -> Self:
        """Look up the words of names, and spell them in an alphabet; "" where nobody reads it."""
        table = tokenize_all([name if name.strip() else "?" for name in names])
        raw_vectors, known = source.token_vectors(table.tokens)
        vectors = np.where(known[:, None], raw_vectors, np.float32(0))
        characters, spelled = _spell_words(table.tokens, alphabet)
        return cls(
            tuple(table.tokens),
            torch.from_numpy(np.ascontiguousarray(vectors, dtype=np.float32)).to(device),
            torch.from_numpy(characters).to(device),
            torch.from_numpy(spelled),
            torch.from_numpy(table.token_index).to(device),
            torch.from_numpy(table.starts).to(device),
            alphabet,
            source,
        )

    def means(self) -> Tensor:
        """Return the mean of each name's known words, (n, d) ([BNE] 3.2, option 2); 0 without any.

        The paper does not speak of words without a vector.
        """

        def sums(table: Tensor) -> Tensor:
            return embedding_bag(
                self.words, table, self.starts, mode="sum", include_last_offset=True
            )

        known = self.vectors.any(dim=1, keepdim=True).to(self.vectors.dtype)
        return sums(self.vectors) / sums(known).clamp(min=1)

    def __len__(self) -> int:
        """Return the number of names."""
        return len(self.starts) - 1

    def batch(self, chosen: Tensor) -> WordBatch:
        """Return the names of some numbers, (b,) int64; a number may come more than once."""
        starts = self.starts[chosen]
        lengths = self.starts[chosen + 1] - starts
        offset = torch.arange(int(lengths.max()), device=starts.device)
        is_word = offset < lengths[:, None]
        words = self.words[torch.where(is_word, starts[:, None] + offset, starts[:, None])]
        used, compact = torch.unique(words, return_inverse=True)
        return WordBatch(torch.where(is_word, compact, 0), lengths.cpu(), used)


def alphabet_of(names: Sequence[str]) -> str:
    """Return the characters that stand in words of names, in lower case, each once, in order."""
    characters = {character for name in names for character in composed(name).lower()}
    return "".join(sorted(characters - {" "}))


def _spell_words(
    words: Sequence[str], alphabet: str
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return (u, l) int64 characters, filled up with zeros, and (u,) int64 lengths."""
    numbers = {character: number for number, character in enumerate(alphabet, start=_FIRST)}
    lengths = np.fromiter((min(len(word), _LONGEST) for word in words), np.int64, len(words))
    table = np.zeros((len(words), int(lengths.max(initial=1))), dtype=np.int64)
    for row, word in enumerate(words):
        spelling = word[:_LONGEST]
        table[row, : len(spelling)] = [numbers.get(character, UNKNOWN) for character in spelling]
    return table, lengths
