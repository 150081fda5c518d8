"""The epoch of [CG]: every ordered pair of synonyms, with a negative for each name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import torch
from torch import Tensor

from termexplorer.trainer.data.sampling import all_positives
from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.recipes.base import Plan, Tick
from termexplorer.trainer.recipes.common import DrawsNegatives, negatives_of_training_names
from termexplorer.trainer.tensors.random_state import RandomState

_MOST_PAIRS = 20_000_000  # of an epoch, to be kept in memory


class TakesPairs(DrawsNegatives, Protocol):
    """The hyper-parameters that say which pairs."""

    @property
    def pairs(self) -> int:
        """How many are drawn for an epoch; 0 takes all."""
        ...

    @property
    def semantic_weight(self) -> float:
        """Of the loss that needs a positive and a negative; 0 leaves both out."""
        ...


def synonym_pairs(
    recipe: TakesPairs,
    data: TrainingData,
    encode: Callable[[], Tensor],
    noise: RandomState,
    tick: Tick,
) -> Plan:
    """List ordered pairs of synonyms, all or some, with a negative for each name, shuffled.

    Args:
        recipe: which, and how negatives are drawn.
        data: of a run.
        encode: gives the training names as they are encoded now, for the negatives.
        noise: the randomness.
        tick: called between blocks; may raise to stop.

    Returns:
        ``anchor`` and ``class``, and where there is a loss of triplets ``positive``, ``negative``
        and ``found``, 0 for a name without a negative.

    Raises:
        ValueError: for more pairs than memory can hold.
    """
    _check_few_enough(data)
    members = data.of_names
    memberships = torch.arange(len(members.classes), device=members.classes.device)
    item, positive = all_positives(data, memberships)
    anchor = torch.repeat_interleave(members.counts)[item]
    columns = {"anchor": anchor, "class": members.classes[item]}
    if recipe.semantic_weight:
        negative, has_negative = negatives_of_training_names(recipe, data, encode, noise, tick)
        columns |= {
            "positive": positive,
            "negative": negative[anchor],
            "found": has_negative[anchor].long(),
        }
    order = noise.permutation(len(item))[: recipe.pairs or None]
    return {key: column[order] for key, column in columns.items()}


def _check_few_enough(data: TrainingData) -> None:
    pairs = int((data.class_sizes * (data.class_sizes - 1)).sum())
    if pairs > _MOST_PAIRS:
        raise TrainerError(
            "these classes give {pairs:,} pairs of names, and every pair is "
            "trained on; choose synonym sets or smaller classes, or the recipe dan",
            pairs=pairs,
        )
