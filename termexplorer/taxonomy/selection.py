"""Which classes and names of a level are asked for."""

from dataclasses import dataclass
from enum import Enum


class Examples(Enum):
    """Whose names are the examples of a class; never the names of the class itself.

    `BELOW_DEPTH`: those of concepts below level `depth`, whatever level is trained [HLS].
    `ALL_DESCENDANTS`: those of every concept below the class [FSL].
    """

    BELOW_DEPTH = "below depth"
    ALL_DESCENDANTS = "all descendants"


@dataclass(frozen=True, slots=True)
class ClassSelection:
    """Choices on top of the cleaned taxonomy, applied in the order of the attributes here.

    Attributes:
        left_out: Classes (concept indices) left out by hand.
        without_parents: Leave out classes that are direct parents of others on the level [FSL].
        without_ambiguous: Leave out names of several of the classes that are left.
        largest: Keep so many of the classes with most names by then, none without names; 0
            keeps all.
        cap: Keep at most so many names of a class, drawn at random; 0 keeps all. A name that is
            drawn for one of its classes stays in all of them, lest it pass for a stranger there.
        seed: Of the draw.
    """

    left_out: frozenset[int] = frozenset()
    without_parents: bool = False
    largest: int = 0
    without_ambiguous: bool = False
    cap: int = 0
    seed: int = 0
