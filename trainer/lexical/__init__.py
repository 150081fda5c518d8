"""Rankings and scores of names by how they are written; one file a method."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, cast

from termexplorer.trainer.errors import TrainerError

if TYPE_CHECKING:
    from termexplorer.trainer.representations.lexical_names import LexicalNames

_CLASSES = {
    "tfidf": ("termexplorer.trainer.representations.tfidf", "TfidfNames"),
    "jaccard": ("termexplorer.trainer.lexical.jaccard", "JaccardNames"),
    "bm25": ("termexplorer.trainer.lexical.bm25", "Bm25Names"),
    "edit_distance": ("termexplorer.trainer.lexical.edit_distance", "EditDistanceNames"),
}
METHODS = tuple(_CLASSES)


def fit(method: str, names: Sequence[str]) -> LexicalNames:
    """Index names by one of `METHODS`; its libraries are imported only now.

    The word mover's distance needs word vectors too: ``trainer.lexical.word_movers``.

    Raises:
        ValueError: for a method that is not one of them, or names that cannot be indexed.
    """
    if method not in _CLASSES:
        raise TrainerError(
            "there is no lexical method {method!r}; choose {methods}",
            method=method,
            methods=", ".join(METHODS),
        )
    module, name = _CLASSES[method]
    return cast("LexicalNames", getattr(import_module(module), name).fit(names))
