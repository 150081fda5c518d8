"""What a newer release made of suggestions on the one before."""

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from termexplorer.services.ontologies import Ontology
from trainer.evaluation.likelihood import FIRST

_Subject = TypeVar("_Subject", bound=Hashable)


@dataclass(frozen=True, slots=True)
class NewerCheck:
    """What a newer release did with what is most likely misplaced.

    Attributes:
        newer: the release.
        looked: how many of those that were looked at can be followed there.
        changed: k -> the share of the first k doubts that are elsewhere there.
        changed_chance: that share of all.
        carried_out: k -> the share of them that are where was suggested.
        carried_out_chance: of all, those that are at the best other place.
    """

    newer: Ontology
    looked: int
    changed: dict[int, float]
    changed_chance: float
    carried_out: dict[int, float]
    carried_out_chance: float


def newer_check(
    newer: Ontology,
    doubts: Sequence[_Subject],
    looked: Collection[_Subject],
    changed: Collection[_Subject],
    carried_out: Collection[_Subject],
) -> NewerCheck:
    """Counts over the first doubts, and over all.

    Args:
        newer: the release.
        doubts: the most likely first; those that cannot be followed are passed over.
        looked: all that can be followed.
        changed: those of them that are elsewhere.
        carried_out: those that are at the best other place.
    """
    there = [each for each in doubts if each in looked]
    return NewerCheck(
        newer,
        len(looked),
        {k: _share([each in changed for each in there[:k]]) for k in FIRST},
        len(changed) / max(len(looked), 1),
        {k: _share([each in carried_out for each in there[:k]]) for k in FIRST},
        len(carried_out) / max(len(looked), 1),
    )


def _share(flags: Sequence[bool]) -> float:
    return sum(flags) / len(flags) if flags else float("nan")
