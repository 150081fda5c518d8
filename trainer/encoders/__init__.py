"""Trained encoders: vectors in, (n, d) float32 vectors out; some read the names themselves."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.files.damage import damage_named
from termexplorer.trainer.files.folders import read_meta

# kind: its module and class; imported when one is opened
_KINDS = {
    "cca": ("termexplorer.trainer.encoders.cca", "CCA"),
    "dan": ("termexplorer.trainer.encoders.network", "DAN"),
    "own-words": ("termexplorer.trainer.encoders.own_words", "OwnWordsEncoder"),
    "recurrent": ("termexplorer.trainer.encoders.recurrent", "RecurrentEncoder"),
    "residual": ("termexplorer.trainer.encoders.network", "ResidualEncoder"),
    "sif": ("termexplorer.trainer.encoders.sif", "SmoothInverseFrequency"),
    "spelled": ("termexplorer.trainer.encoders.spelled", "SpelledEncoder"),
    "tuned": ("termexplorer.trainer.encoders.tuned", "TunedTransformer"),
    "whitening": ("termexplorer.trainer.encoders.whitening", "Whitening"),
}


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


@runtime_checkable
class WordEncoder(Protocol):
    """Anything that reads names: words by their vectors, by a transformer, or as written."""

    @property
    def reads(self) -> str:
        """What of a name: ``words``, the ``pieces`` of a transformer, or whole ``names``."""
        ...

    @property
    def dimension(self) -> int:
        """The width of the encoded names."""
        ...

    @property
    def alphabet(self) -> str:
        """The characters by which it spells words; none where it does not."""
        ...

    def encode_names(self, names: Sequence[str], source: Any) -> NDArray[np.float32]:
        """Return (n, d) float32, by word vectors, a transformer, or the names' own vectors."""
        ...

    def save(self, folder: Path) -> None:
        """Write the encoder to a folder."""
        ...


def is_encoder(folder: str | Path) -> bool:
    """Whether a folder holds no more than an encoder, what it stands on being elsewhere.

    Raises:
        ValueError: for one that is not saved.
    """
    kind = read_meta(Path(folder), verify=False).get("kind")
    return isinstance(kind, str) and kind in _KINDS


def load(folder: str | Path, device: str = "cpu", *, verify: bool = True) -> Encoder:
    """Open a saved encoder of vectors; see ``load_any``.

    Raises:
        ValueError: as ``load_any``, and for an encoder that reads names.
    """
    encoder = load_any(folder, device, verify=verify)
    if isinstance(encoder, WordEncoder):
        raise TrainerError(
            "{folder} holds an encoder that reads {reads}, not vectors of names",
            folder=folder,
            reads=encoder.reads,
        )
    return encoder


def load_any(
    folder: str | Path, device: str = "cpu", *, verify: bool = True
) -> Encoder | WordEncoder:
    """Open any saved encoder.

    Args:
        folder: what ``save`` has written.
        device: where its weights go, as torch names it.
        verify: compare the SHA-256 of each file; false where the caller has done so.

    Raises:
        ValueError: for an unknown kind, or a missing or changed file.
    """
    folder = Path(folder)
    kind = read_meta(folder, verify=False).get("kind")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise TrainerError(
            "{folder} holds an encoder of an unknown kind, {kind!r}", folder=folder, kind=kind
        )
    module, name = _KINDS[kind]
    opener: Any = getattr(import_module(module), name)
    with damage_named(folder):
        encoder: Encoder | WordEncoder = opener.load(folder, device, verify=verify)
    return encoder
