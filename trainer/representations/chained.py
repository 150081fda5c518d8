"""The output of a trained encoder, as a representation for the next one ([FSL] 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

import numpy as np
import torch

from trainer import encoders
from trainer.encoders import Encoder
from trainer.folders import read_meta, replacing
from trainer.objectives import unit
from trainer.representations.base import Float32s, Representation, meta_of
from trainer.representations.beneath import follow, refer

KIND = "chained"


class ChainedNames:
    """A representation and the encoder that was trained on it.

    Attributes:
        dimension: the width of the encoder's vectors.
        beneath: the representation, which may be a chain itself.
        encoder: what transforms its vectors.
    """

    def __init__(self, beneath: Representation, encoder: Encoder):
        self.beneath, self.encoder = beneath, encoder
        self.dimension = encoder.dimension

    @classmethod
    def load(cls, folder: Path, device: str = "cpu", *, verify: bool = True) -> Self:
        """Open a folder that ``write`` has written, and those that it refers to.

        Raises:
            ValueError: for a folder of another kind, or where one has changed or gone.
        """
        from trainer.representations import load_dense

        meta = meta_of(folder, KIND, verify=verify)
        beneath = load_dense(follow(folder, meta.get("beneath")), device, verify=verify)
        encoder = follow(folder, meta.get("encoder"))
        return cls(beneath, encoders.load(encoder, device, verify=verify))

    def encode(self, names: Sequence[str]) -> Float32s:
        """Return the encoder's vectors at unit length, (n, d) float32.

        How a second encoder sees the output of the first is not published; every encoder brings
        its input to unit length, and so do prototypes of a chain's names rest on such vectors. A
        name of which nothing is known beneath stays a zero row.
        """
        vectors = self.beneath.encode(names)
        encoded = unit(torch.from_numpy(self.encoder.encode(vectors))).numpy()
        encoded[~vectors.any(axis=1)] = 0
        return np.asarray(encoded)


def write(folder: Path, beneath: Path, encoder: Path) -> None:
    """Write down which encoder was trained on which representation, both saved folders.

    Raises:
        ValueError: where one of them is no saved folder.
    """
    dimension = read_meta(encoder, verify=False).get("dimension")
    meta = {"beneath": refer(folder, beneath), "encoder": refer(folder, encoder)}
    with replacing(folder, {"kind": KIND, "dimension": dimension, **meta}):
        pass
