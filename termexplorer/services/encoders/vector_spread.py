"""Whether vectors tell names apart at all, and what to do where they do not."""

from collections.abc import Mapping
from typing import Any

from termexplorer.texts import number, tr
from termexplorer.trainer.representations.spread import VectorSpread

MEAN_COSINE, EFFECTIVE_RANK = "mean_cosine", "effective_rank"  # on the card of an encoder


def read_spread(facts: Mapping[str, Any]) -> VectorSpread | None:
    """Return how much names differ by vectors, as a card keeps it; None where it does not."""
    try:
        return VectorSpread(float(facts[MEAN_COSINE]), float(facts[EFFECTIVE_RANK]))
    except (KeyError, TypeError, ValueError):
        return None


def warn_of_spread(facts: Mapping[str, Any]) -> str:
    """Return a sentence on vectors that hardly tell names apart; empty for all others."""
    spread = read_spread(facts)
    if spread is None or not spread.collapsed:
        return ""
    return tr(
        "These vectors hardly tell names apart (mean cosine {cosine}, {rank} directions): train "
        "them with more epochs, a lower minimum count or more text, or whiten them",
        cosine=number(spread.mean_cosine, ".2f"),
        rank=number(spread.effective_rank, ".0f"),
    )
