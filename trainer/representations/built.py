"""Representations that build on others, which may lie beneath several parts of one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

from termexplorer.trainer.representations.base import Float32s, Representation, texts_of

Made = dict[int, Float32s]  # vectors of the names of one call, by the ``id`` of what made them


class BuiltNames(ABC):
    """Encodes with each thing beneath it once a call, however many of its parts stand on that."""

    def encode(self, names: Iterable[str]) -> Float32s:
        """Return (n, d) float32; see ``encode_sharing`` of the class."""
        return self.encode_sharing(texts_of(names), {})

    @abstractmethod
    def encode_sharing(self, names: Sequence[str], cache: Made) -> Float32s:
        """Return the vectors of n names, (n, d) float32.

        Args:
            names: texts.
            cache: their vectors by what has encoded them; what it lacks is added.
        """


def encoded(beneath: Representation, names: Sequence[str], cache: Made) -> Float32s:
    """Return the vectors of names, (n, d) float32, not to be written to.

    Args:
        beneath: what encodes them, unless it has.
        names: n texts.
        cache: as of ``BuiltNames.encode_sharing``.
    """
    key = id(beneath)
    if key not in cache:
        if isinstance(beneath, BuiltNames):
            cache[key] = beneath.encode_sharing(names, cache)
        else:
            cache[key] = beneath.encode(names)
    return cache[key]
