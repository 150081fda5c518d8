"""Edit distance of names: the Levenshtein distance in lower case, by the longer name's length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from termexplorer.trainer.representations.base import Float32s
from termexplorer.trainer.representations.lexical_names import LexicalNames
from termexplorer.trainer.text.names import composed


class EditDistanceNames(LexicalNames):
    """Similarities of any text to a list of names: 1 less the share of edited characters.

    Attributes:
        count: the number n of names.
    """

    def __init__(self, lowered: Sequence[str]):
        self.count = len(lowered)
        self._lowered = lowered

    @classmethod
    def fit(cls, names: Sequence[str]) -> Self:
        """Take names, in lower case."""
        return cls(_lower_names(names))

    def scores(self, query: str) -> Float32s:
        """Return the similarity of each name to a text, (n,) float32, 0 to 1."""
        from rapidfuzz.distance.Levenshtein import normalized_similarity
        from rapidfuzz.process import cdist

        table = cdist(
            _lower_names([query]), self._lowered, scorer=normalized_similarity, dtype=np.float32
        )
        return np.asarray(table[0])

    def pair_scores(self, left: Sequence[str], right: Sequence[str]) -> Float32s:
        """Return the similarity of each left text and the right one, (p,) float32."""
        from rapidfuzz.distance.Levenshtein import normalized_similarity
        from rapidfuzz.process import cpdist

        return np.asarray(
            cpdist(
                _lower_names(left),
                _lower_names(right),
                scorer=normalized_similarity,
                dtype=np.float32,
            )
        )


def _lower_names(names: Sequence[str]) -> list[str]:
    return [composed(name).lower() for name in names]
