"""Pretrained representations: names to vectors, each saved as a folder with hashes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from trainer.folders import read_meta

if TYPE_CHECKING:
    from trainer.representations.fasttext_matrices import FastTextVectors
    from trainer.representations.tfidf import TfidfNames
    from trainer.representations.word_vectors import WordVectors


def load(folder: Path, *, verify: bool = True) -> FastTextVectors | WordVectors | TfidfNames:
    """Open any saved representation.

    Args:
        folder: what one of the modules of this package has written.
        verify: compare the SHA-256 of each file; false where the caller has done so.

    Raises:
        ValueError: for an unknown kind, or a missing or changed file.
    """
    from trainer.representations.fasttext_matrices import KIND as FASTTEXT
    from trainer.representations.fasttext_matrices import FastTextVectors
    from trainer.representations.tfidf import KIND as TFIDF
    from trainer.representations.tfidf import TfidfNames
    from trainer.representations.word_vectors import KIND as WORDS
    from trainer.representations.word_vectors import WordVectors

    kinds: dict[str, type[FastTextVectors] | type[WordVectors] | type[TfidfNames]] = {
        FASTTEXT: FastTextVectors,
        WORDS: WordVectors,
        TFIDF: TfidfNames,
    }
    kind = read_meta(folder, verify=False).get("kind")
    if kind not in kinds:
        raise ValueError(f"{folder} holds vectors of an unknown kind, {kind!r}")
    return kinds[kind].load(folder, verify=verify)
