"""The output of a trained encoder, as a representation for the next one ([FSL] 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

import numpy as np
import torch

from termexplorer.trainer import encoders
from termexplorer.trainer.encoders import Encoder, WordEncoder
from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.files.folders import read_meta, replacing
from termexplorer.trainer.representations.base import Float32s, Opened, Representation, meta_of
from termexplorer.trainer.representations.beneath import follow, refer
from termexplorer.trainer.representations.built import BuiltNames, Made, encoded
from termexplorer.trainer.representations.pieces import PieceReader
from termexplorer.trainer.tensors.objectives import unit_of_any_length

KIND = "chained"
PIECES, NAMES = "pieces", "names"


class ChainedNames(BuiltNames):
    """A representation and the encoder that was trained on it.

    Attributes:
        dimension: the width of the encoder's vectors.
        own_length: whether their length, up to 1, says something; else they are at unit length.
        beneath: the representation, which may be a chain itself.
        encoder: what transforms its vectors, or those of words.

    Raises:
        ValueError: for an encoder that reads words over a representation that has none, or that
            reads by a transformer over anything else.
    """

    def __init__(self, beneath: Representation, encoder: Encoder | WordEncoder):
        if isinstance(encoder, WordEncoder):
            check_source(encoder.reads, beneath)
        self.beneath, self.encoder = beneath, encoder
        self.dimension = encoder.dimension
        self.own_length = has_own_length(encoder)

    @classmethod
    def load(
        cls, folder: Path, device: str = "cpu", *, verify: bool = True, opened: Opened | None = None
    ) -> Self:
        """Open a folder that ``write`` has written, and those that it refers to.

        Raises:
            ValueError: for a folder of another kind, or where one has changed or gone.
        """
        from termexplorer.trainer.representations import load_dense

        meta = meta_of(folder, KIND, verify=verify)
        below = follow(folder, meta.get("beneath"))
        beneath = load_dense(below, device, verify=verify, opened=opened)
        encoder = follow(folder, meta.get("encoder"))
        return cls(beneath, encoders.load_any(encoder, device, verify=verify))

    def encode_sharing(self, names: Sequence[str], cache: Made) -> Float32s:
        """Return the encoder's vectors at unit length, or their own, (n, d) float32.

        How a second encoder sees the output of the first is not published; every encoder brings
        its input to unit length, and so do prototypes of a chain's names rest on such vectors. A
        name of which nothing is known beneath stays a zero row, unless the encoder can spell it.
        """
        if isinstance(self.encoder, WordEncoder) and self.encoder.reads == PIECES:
            return unit_rows(self.encoder.encode_names(names, self.beneath))
        vectors = encoded(self.beneath, names, cache)
        known = np.asarray(vectors.any(axis=1))
        if isinstance(self.encoder, WordEncoder):
            read_by = vectors if self.encoder.reads == NAMES else self.beneath
            rows = self.encoder.encode_names(names, read_by)
            if self.encoder.alphabet:
                known |= np.array([bool(name.strip()) for name in names], dtype=np.bool_)
        else:
            rows = self.encoder.encode(vectors)
        units = rows if self.own_length else unit_rows(rows)
        units[~known] = 0
        return units


def has_own_length(part: object) -> bool:
    """Say whether the length of the vectors, up to 1, says something, and is kept in joining."""
    return bool(getattr(part, "own_length", False))


def unit_rows(vectors: Float32s) -> Float32s:
    """Return (n, d) rows at unit length; zero rows stay zero."""
    return np.asarray(unit_of_any_length(torch.from_numpy(vectors)).numpy())


def check_source(reads: str, source: object) -> None:
    """Refuse what an encoder, or a recipe, cannot read names by.

    Args:
        reads: ``words``, ``pieces`` or ``names``.
        source: word vectors for the first, a transformer for the second, anything for the third.

    Raises:
        ValueError: it is something else.
    """
    if reads == PIECES and not isinstance(source, PieceReader):
        raise TrainerError(
            "the encoder reads names by a transformer, which {kind} is not; put it "
            "on a transformer itself",
            kind=type(source).__name__,
        )
    if reads not in (PIECES, NAMES) and not hasattr(source, "token_vectors"):
        raise TrainerError(
            "the encoder reads words, of which {kind} has no vectors; put it on "
            "word vectors or fastText",
            kind=type(source).__name__,
        )


def write(folder: Path, beneath: Path, encoder: Path) -> None:
    """Write down which encoder was trained on which representation, both saved folders.

    Raises:
        ValueError: where one of them is no saved folder.
    """
    dimension = read_meta(encoder, verify=False).get("dimension")
    meta = {"beneath": refer(folder, beneath), "encoder": refer(folder, encoder)}
    with replacing(folder, {"kind": KIND, "dimension": dimension, **meta}):
        pass
