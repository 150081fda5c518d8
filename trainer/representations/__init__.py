"""Pretrained representations: names to vectors, each saved as a folder with hashes."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trainer.folders import read_meta

if TYPE_CHECKING:
    from trainer.representations.base import Representation
    from trainer.representations.tfidf import TfidfNames

# kind: its module and class; imported when one is opened
_KINDS = {
    "fasttext": ("fasttext_matrices", "FastTextVectors"),
    "tfidf": ("tfidf", "TfidfNames"),
    "transformer": ("transformer", "TransformerNames"),
    "words": ("word_vectors", "WordVectors"),
}
_ON_DEVICE = ("transformer",)


def load(folder: Path, device: str = "cpu", *, verify: bool = True) -> Representation | TfidfNames:
    """Open any saved representation.

    Args:
        folder: what one of the modules of this package has written.
        device: where the weights of transformers and trained encoders go, as torch names it.
        verify: compare the SHA-256 of each file; false where the caller has done so.

    Raises:
        ValueError: for an unknown kind, or a missing or changed file.
    """
    kind = read_meta(folder, verify=False).get("kind")
    if kind not in _KINDS:
        raise ValueError(f"{folder} holds vectors of an unknown kind, {kind!r}")
    module, name = _KINDS[kind]
    opener: Any = getattr(import_module(f"{__name__}.{module}"), name)
    more = {"device": device} if kind in _ON_DEVICE else {}
    opened: Representation | TfidfNames = opener.load(folder, verify=verify, **more)
    return opened
