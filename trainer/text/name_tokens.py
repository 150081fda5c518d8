"""Names and concepts that were marked in a text, and so have vectors of their own ([BNE] 3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from termexplorer.trainer.errors import TrainerError

Vectors = tuple[NDArray[np.float32], NDArray[np.bool_]]


@runtime_checkable
class MarkedVectors(Protocol):
    """A source of vectors of names and of concepts, beside those of words."""

    def name_vectors(self, names: Sequence[str]) -> Vectors:
        """Return (n, d) float32 and (n,) bool, false for names that were not marked."""
        ...

    def concept_vectors(self, concepts: Sequence[str]) -> Vectors:
        """Return (c, d) float32 and (c,) bool, false for concepts that were not marked."""
        ...


@dataclass(frozen=True, eq=False)
class Marked:
    """Names and concepts, and where the vectors of those that were marked are.

    Attributes:
        names: n names.
        concepts: the ids of c concepts.
        source: of their vectors.
    """

    names: tuple[str, ...]
    concepts: tuple[str, ...]
    source: MarkedVectors

    def names_or(self, fallback: Tensor) -> Tensor:
        """Return the names' own vectors, and (n, d) others in the place of those there are not."""
        return _fill_unknown(self.source.name_vectors(self.names), fallback)

    def concepts_or(self, fallback: Tensor) -> Tensor:
        """Return the concepts' own vectors, and (c, d) others where there are none.

        Raises:
            ValueError: no concept has one.
        """
        vectors, known = self.source.concept_vectors(self.concepts)
        if not known.any():
            raise TrainerError(
                "none of the {concepts} concepts was marked in the text that these "
                "vectors are of; take skip-grams of a text where concepts go by "
                "the same ids as here ({example}), or the means of words as targets",
                concepts=len(self.concepts),
                example=self.concepts[0],
            )
        return _fill_unknown((vectors, known), fallback)


def _fill_unknown(source_vectors: Vectors, fallback: Tensor) -> Tensor:
    vectors, known = (torch.from_numpy(array).to(fallback.device) for array in source_vectors)
    return torch.where(known[:, None], vectors, fallback)
