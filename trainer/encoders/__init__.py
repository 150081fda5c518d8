"""Trained encoders: (n, d) float32 vectors in, (n, d) float32 vectors out."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from trainer.folders import read_meta


class Encoder(Protocol):
    """Anything that transforms pretrained name vectors."""

    @property
    def dimension(self) -> int:
        """The width d of the vectors."""
        ...

    def encode(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return (n, d) float32 for (n, d) float32."""
        ...

    def save(self, folder: Path) -> None:
        """Write the encoder to a folder."""
        ...


def load(folder: Path, device: str = "cpu", *, verify: bool = True) -> Encoder:
    """Open any saved encoder.

    Args:
        folder: what ``save`` has written.
        device: where its weights go, as torch names it.
        verify: compare the SHA-256 of each file; false where the caller has done so.

    Raises:
        ValueError: for an unknown kind, or a missing or changed file.
    """
    from trainer.encoders.network import DAN, ResidualEncoder

    kind = read_meta(folder, verify=False).get("kind")
    for encoder in (ResidualEncoder, DAN):
        if encoder.kind == kind:
            return encoder.load(folder, device, verify=verify)
    raise ValueError(f"{folder} holds an encoder of an unknown kind, {kind!r}")
