"""What a newer release made of suggestions on the one before."""

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from termexplorer.errors import UserError
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.texts import tr
from termexplorer.trainer.evaluation.likelihood import list_lengths
from termexplorer.trainer.evaluation.shares import ShareFigure

__all__ = ["NewerCheck", "ShareFigure", "check_followed", "newer_check"]

_Subject = TypeVar("_Subject", bound=Hashable)


@dataclass(frozen=True, slots=True)
class NewerCheck:
    """What a newer release did with what is most likely misplaced.

    Attributes:
        newer: the release.
        looked: how many of those that were looked at can be followed there.
        changed: k -> the share of the first k doubts that are elsewhere there; for no k of which
            there are fewer doubts.
        changed_chance: that share of all.
        carried_out: k -> the share of them that are where was suggested.
        carried_out_chance: of all, those that are at the best other place.
    """

    newer: Ontology
    looked: int
    changed: dict[int, ShareFigure]
    changed_chance: ShareFigure
    carried_out: dict[int, ShareFigure]
    carried_out_chance: ShareFigure


def check_followed(looked: Collection[Hashable], older: Ontology, newer: Ontology) -> None:
    """Refuse a newer release in which nothing can be followed.

    Raises:
        UserError: none of the concepts is live there.
    """
    if not looked:
        raise UserError(
            tr(
                "{label} has none of these concepts; give a newer release of {ontology}",
                label=newer.label,
                ontology=older.label,
            )
        )


def newer_check(
    newer: Ontology,
    doubts: Sequence[_Subject],
    looked: Collection[_Subject],
    changed: Collection[_Subject],
    carried_out: Collection[_Subject],
) -> NewerCheck:
    """Count over the first doubts, and over all.

    Args:
        newer: the release.
        doubts: the most likely first; those that cannot be followed are passed over.
        looked: all that can be followed.
        changed: those of them that are elsewhere.
        carried_out: those that are at the best other place.
    """
    followed = [doubt for doubt in doubts if doubt in looked]
    lengths = list_lengths(len(followed))
    return NewerCheck(
        newer,
        len(looked),
        {k: _share_in(followed[:k], changed) for k in lengths},
        ShareFigure.of(len(changed), len(looked)),
        {k: _share_in(followed[:k], carried_out) for k in lengths},
        ShareFigure.of(len(carried_out), len(looked)),
    )


def _share_in(doubts: Sequence[_Subject], hits: Collection[_Subject]) -> ShareFigure:
    return ShareFigure.of(sum(doubt in hits for doubt in doubts), len(doubts))
