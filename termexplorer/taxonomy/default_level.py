"""Which level to begin with, by the sizes of its classes."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, log

import numpy as np

from termexplorer.taxonomy.lens import LevelSummary

FEWEST_CLASSES, MOST_CLASSES = 10, 100
LARGEST_SHARE = 0.5
LEAST_COVERAGE = 0.5
_WEIGHT = 5.0  # a share twice too large counts as 2⁵ times too few classes


@dataclass(frozen=True, slots=True)
class LevelShape:
    """The classes of a level in short.

    Attributes:
        level: Which, 1 the highest.
        classes: Those that have names.
        share: Of the distinct names of the level, those of its largest class; 0 without names.
        coverage: Of all names, those of the level; deep levels are often a corner of a hierarchy.
    """

    level: int
    classes: int
    share: float
    coverage: float = 1.0

    @classmethod
    def of(cls, summary: LevelSummary) -> "LevelShape":
        """Return the shape of a level whose classes are counted."""
        classes = int(np.count_nonzero(summary.sizes))
        if not summary.names:
            return cls(summary.level, classes, 0.0, 0.0)
        every = summary.names + sum(count for _reason, count in summary.names_left_out)
        return cls(summary.level, classes, summary.max / summary.names, summary.names / every)

    @property
    def one_sided(self) -> bool:
        """Whether one class has more than half of the names."""
        return self.share > LARGEST_SHARE

    @property
    def distance(self) -> float:
        """How far it is from a level to begin with; 0 where it is one.

        That has 10 to 100 classes, together of at least half of all names, and none of them of
        more than half of theirs.
        """
        if self.classes < 2:  # nothing to tell apart
            return inf
        too_few, too_many = FEWEST_CLASSES / self.classes, self.classes / MOST_CLASSES
        lopsided = log(max(self.share / LARGEST_SHARE, 1))
        narrow = log(max(LEAST_COVERAGE / self.coverage, 1))
        return log(max(too_few, too_many, 1)) + _WEIGHT * (lopsided + narrow)


def choose_default_level(shapes: Iterable[LevelShape]) -> LevelShape | None:
    """Return the first level with 10 to 100 classes, none of them of more than half of the names.

    One that covers less than half of all names is passed over. Where none is left, the nearest to
    it is returned, of equals the highest; None without levels. Shapes are looked at one by one,
    only as far as needed.
    """
    best: LevelShape | None = None
    for shape in shapes:
        if best is None or shape.distance < best.distance:
            best = shape
        if not shape.distance:
            break
    return best
