"""All pair sets of a terminology: by source, easy or hard, and how dissimilar pairs are found."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from termexplorer.trainer.term_pairs.kinds import EASY, HARD, THRESHOLD
from termexplorer.trainer.term_pairs.positives import Positives


@dataclass(frozen=True, slots=True)
class Group:
    """The similar pairs of a source that are as difficult.

    Attributes:
        source: where they come from.
        difficulty: ``easy`` or ``hard``.
        pairs: them.
    """

    source: str
    difficulty: str
    pairs: Positives

    def seed(self, seed: int) -> tuple[int, int]:
        """Return the seed of what is drawn for it; other groups have others."""
        return seed, zlib.crc32(f"{self.source}-{self.difficulty}".encode())


def groups(by_source: Mapping[str, Positives], threshold: int = THRESHOLD) -> Iterator[Group]:
    """Part the pairs of each source into easy and hard ones; groups without a pair are left out.

    Args:
        by_source: the similar pairs of each.
        threshold: the edit distance up to which a pair is easy; [MTS] takes 5.
    """
    for source, pairs in by_source.items():
        easy = pairs.distances <= threshold
        for difficulty, which in ((EASY, easy), (HARD, ~easy)):
            if which.any():
                yield Group(source, difficulty, pairs.only(which))
