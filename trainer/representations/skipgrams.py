"""Vectors of words, of names, and of concepts ([BNE] 3.1); ``skipgram_training`` makes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.representations.base import Float32s, texts_of
from termexplorer.trainer.representations.fasttext_matrices import FastTextVectors
from termexplorer.trainer.text.tokenizer import tokenize

KIND = "skipgrams"


class SkipGramNames(FastTextVectors):
    """A name's own vector where it was marked in the text, else the mean of its known words.

    Of SGW, which marks no names, it is always the mean ([BNE] 4).
    """

    kind: ClassVar[str] = KIND

    def encode(self, names: Iterable[str]) -> Float32s:
        """Return (n, d) float32; zero for a name of which no word is known."""
        names = texts_of(names)
        vectors = super().encode(names)
        name_rows, known = self.name_vectors(names)
        vectors[known] = name_rows[known]
        return vectors

    def name_vectors(self, names: Sequence[str]) -> tuple[Float32s, NDArray[np.bool_]]:
        """Return the names' own vectors (u_s of [BNE] 3), (n, d), and which there are, (n,)."""
        return self.token_vectors([name_token(tokenize(name)) for name in names])

    def concept_vectors(self, concepts: Sequence[str]) -> tuple[Float32s, NDArray[np.bool_]]:
        """Return the vectors of concepts (u_c of [BNE] 3), (c, d), and which there are, (c,)."""
        return self.token_vectors([concept_token(concept) for concept in concepts])


def name_token(tokens: Sequence[str]) -> str:
    """Return the token that stands for a name; no word has one like it."""
    return "s_" + "_".join(tokens)


def concept_token(concept: str) -> str:
    """Return the token that stands for the id of a concept."""
    return "c_" + "_".join(concept.split())
