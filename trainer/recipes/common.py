"""What several recipes have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any, ClassVar, Protocol

import numpy as np
import torch
from torch import Tensor

from termexplorer.trainer.data.negatives import RULES, draw_negatives
from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.encoders.network import FeedForwardEncoder
from termexplorer.trainer.errors import Message, TrainerError
from termexplorer.trainer.recipes.base import (
    RecipeDefaults,
    Tick,
    best_epoch,
    choices,
    ranges,
    setting,
)
from termexplorer.trainer.recipes.ranges import RANGES
from termexplorer.trainer.search.retrieval import average_precisions, rows_at_a_time
from termexplorer.trainer.tensors.objectives import HINGES, semantic_loss, unit, unit_distances
from termexplorer.trainer.tensors.random_state import RandomState

_KINDS: Mapping[type, tuple[Any, str]] = {
    bool: (bool, Message("True or False")),
    int: (int, Message("a whole number")),
    float: (int | float, Message("a number")),
    str: (str, Message("a text")),
}  # of the default of a setting: what its value may be


def negatives_setting() -> Any:
    """How negatives are drawn."""
    return setting(
        "nearest",
        "Which names of other classes are pushed away: drawn from the nearest ones, from all by"
        " the density of distances, at random, or always the hardest",
        RULES,
    )


def hinge_setting() -> Any:
    """Where the margin applies."""
    return setting(
        "triplet",
        "The margin is kept by each triplet, as in the paper, or by the batch's mean distances,"
        " as in the published code",
        HINGES,
    )


def precision_setting() -> Any:
    """The number format of matrix products."""
    return setting(
        "float32",
        "Matrix products in float32 or bfloat16; auto takes what is faster here",
        ("auto", "float32", "bfloat16"),
    )


def check_settings(recipe: Any, weights: Sequence[str]) -> None:
    """Refuse settings that nothing can be trained by.

    Args:
        recipe: its hyper-parameters.
        weights: the names of its losses' weights.

    Raises:
        ValueError: for a value that is none of the few, or when no loss has any weight.
    """
    check_values(recipe)
    if not any(getattr(recipe, name) for name in weights):
        raise TrainerError(
            "no loss is left: {weights} are all 0; raise one of them", weights=", ".join(weights)
        )


def check_values(recipe: Any) -> None:
    """Refuse a setting of another kind, none of the few it may be, or out of its range.

    Numbers of NumPy become Python's, which can be written down.

    Raises:
        ValueError: for one.
    """
    for field in fields(recipe):
        value = getattr(recipe, field.name)
        if isinstance(value, np.generic):
            value = value.item()
            object.__setattr__(recipe, field.name, value)
        kinds, description = _KINDS[type(field.default)]
        if not isinstance(value, kinds) or (isinstance(value, bool) and kinds is not bool):
            raise TrainerError(
                "{name} is {value!r}; give {told}", name=field.name, value=value, told=description
            )
    for name, values in choices(recipe).items():
        if getattr(recipe, name) not in values:
            raise TrainerError(
                "{name} is {value!r}; choose one of {values}",
                name=name,
                value=getattr(recipe, name),
                values=", ".join(values),
            )
    for name, within in ranges(recipe).items():
        if not RANGES[within](getattr(recipe, name)):
            raise TrainerError(
                "{name} is {value}; choose a number {within}",
                name=name,
                value=getattr(recipe, name),
                within=Message(within),
            )


class Patient(RecipeDefaults):
    """Stops once the validation figure has not improved for some epochs ([HLS] 5.2)."""

    higher_is_better: ClassVar[bool]
    patience: int

    def stops(self, history: Sequence[float]) -> bool:
        """Say whether the best epoch is so many epochs ago."""
        return self.epochs_left(history) <= 0

    def epochs_left(self, history: Sequence[float]) -> int:
        """Return the epochs that come even if none improves."""
        best = best_epoch(history, higher_is_better=self.higher_is_better)
        return best + self.patience - len(history)


class DrawsNegatives(Protocol):
    """The hyper-parameters that say how."""

    @property
    def negatives(self) -> str:
        """One of ``trainer.data.negatives.RULES``."""
        ...

    @property
    def nearest(self) -> int:
        """How many names the rule ``nearest`` draws from."""
        ...


def negatives_of_training_names(
    recipe: DrawsNegatives,
    data: TrainingData,
    encode: Callable[[], Tensor],
    noise: RandomState,
    tick: Tick,
) -> tuple[Tensor, Tensor]:
    """Draw a negative for each training name by the current encoder.

    Args:
        recipe: how.
        data: the names.
        encode: returns all (t, d) training names as the encoder has them; not called where
            nothing depends on them.
        noise: the random numbers.
        tick: called between blocks.

    Returns:
        (t,) int64, the negatives, and (t,) bool, false where there is none.
    """
    encoded = data.names
    if recipe.negatives != "random":
        encoded = unit(encode())
    return draw_negatives(
        recipe.negatives, data, data.of_names, encoded, encoded, recipe.nearest, noise, tick
    )


class MapsNames(Protocol):
    """A linear map."""

    def names(self, units: Tensor) -> Tensor:
        """Map (n, d) names at unit length to unit length."""
        ...


class TakesTriplets(Protocol):
    """The hyper-parameters of the loss that brings a class together."""

    @property
    def semantic_weight(self) -> float:
        """Its weight."""
        ...

    @property
    def margin(self) -> float:
        """How much nearer a positive must be than a negative."""
        ...

    @property
    def hinge(self) -> str:
        """One of ``trainer.tensors.objectives.HINGES``."""
        ...


def triplet_loss(recipe: TakesTriplets, encoded: Tensor, counted: Tensor) -> Tensor:
    """Return the weighted loss of triplets ([HLS] eq. 2, [CG] eq. 3, [FSL] eq. 2).

    Args:
        recipe: its weight, margin and hinge.
        encoded: (3 n, d) at unit length, the anchors, then their positives, then their negatives.
        counted: (n,), 0 where there is no such triplet.
    """
    anchor, positive, negative = encoded.chunk(3)
    distances = unit_distances(anchor, positive), unit_distances(anchor, negative)
    loss = semantic_loss(*distances, counted, recipe.margin, recipe.hinge)
    return recipe.semantic_weight * loss


def losses_to_targets(
    encoded: Tensor, terms: Mapping[str, tuple[float, Tensor]]
) -> dict[str, Tensor]:
    """Return the mean cosine distances of names to what they are drawn to ([HLS] eq. 3 and 5).

    Args:
        encoded: (n, d) at unit length.
        terms: weight and (n, d) targets of each loss; one of weight 0 is left out.
    """
    return {
        name: weight * unit_distances(encoded, unit(targets)).mean()
        for name, (weight, targets) in terms.items()
        if weight
    }


class LinearMap(RecipeDefaults):
    """What does not differ between recipes of a linear map in closed form."""

    metric: ClassVar[str] = "validation mAP"
    higher_is_better: ClassVar[bool] = True
    precision: ClassVar[str] = "float64"

    def __post_init__(self) -> None:
        check_values(self)

    def validate(self, data: TrainingData, encoder: MapsNames, tick: Tick) -> float:
        """Return the mAP of ranking all training names for each validation name."""
        names, mentions = encoder.names(data.names), encoder.names(data.validation)
        return mean_average_precision(data, names, mentions, tick)


def validation_map(data: TrainingData, encoder: FeedForwardEncoder, tick: Tick) -> float:
    """Return the mAP of ranking all training names for each validation name ([HLS], [CG])."""
    names = encoder.encode_units(data.names, tick)
    return mean_average_precision(data, names, encoder.encode_units(data.validation, tick), tick)


def mean_average_precision(
    data: TrainingData,
    encoded: Tensor,
    validation: Tensor,
    tick: Tick,
    among: Tensor | None = None,
) -> float:
    """Return the mAP of ranking encoded names for each of (v, d) validation names.

    Args:
        data: the names.
        encoded: (t, d), the training names; or (b, d), those of ``among``.
        validation: (v, d).
        tick: called between blocks.
        among: (b,) int64, the training names that are ranked; None: all.
    """
    names, mentions = unit(encoded), unit(validation)
    everyone = torch.arange(len(mentions), device=mentions.device)
    precisions = []
    size = max(1, rows_at_a_time(len(names), names.device.type) // 2)  # for a tick within a second
    for start in range(0, len(everyone), size):
        tick()
        block = everyone[start : start + size]
        relevant = data.sharing(data.of_validation, block)
        relevant = relevant if among is None else relevant[:, among]
        precisions.append(average_precisions(mentions[block] @ names.T, relevant))
    return float(torch.cat(precisions).nanmean())
