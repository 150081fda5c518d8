"""Few-shot learning from a few names of a few classes ([FSL])."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from termexplorer.trainer.data.negatives import draw_negatives
from termexplorer.trainer.data.sampling import all_positives
from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.encoders.network import FeedForwardEncoder, ResidualEncoder
from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.recipes.base import Forward, Plan, RecipeDefaults, Tick, setting
from termexplorer.trainer.recipes.common import (
    check_settings,
    hinge_setting,
    negatives_of_training_names,
    negatives_setting,
    precision_setting,
    triplet_loss,
)
from termexplorer.trainer.recipes.ranges import AT_LEAST_ONE, POSITIVE, SHARE
from termexplorer.trainer.tensors.objectives import (
    grounding_targets,
    masked_mean,
    semantic_loss,
    taken,
    unit,
    unit_distances,
)
from termexplorer.trainer.tensors.random_state import RandomState

_LOOK_BACK = 9  # epochs, as in the published code


@dataclass(frozen=True)
class FewShot(RecipeDefaults):
    """The hyper-parameters of [FSL]; see ``paper`` and ``quick``."""

    name: ClassVar[str] = "few-shot"
    metric: ClassVar[str] = "validation loss"
    higher_is_better: ClassVar[bool] = False
    evened: ClassVar[bool] = True

    hidden: int = setting(9600, "Units of the hidden layer", within=AT_LEAST_ONE)
    dropout: float = setting(
        0.5, "Share of hidden units left out at random in each step", within=SHARE
    )
    learning_rate: float = setting(0.001, "Step size of Adam", within=POSITIVE)
    margin: float = setting(
        0.1, "How much nearer a name of the same class must be than one of another class"
    )
    batch: int = setting(
        16, "Anchors in a step, each with every other name of its class; 0 takes all names at once"
    )
    steps: int = setting(
        1,
        "Times that the names are gone through in an epoch, new dropout each",
        within=AT_LEAST_ONE,
    )
    hinge: str = hinge_setting()
    negatives: str = negatives_setting()
    nearest: int = setting(
        1000, "Negatives are drawn from this many nearest names", within=AT_LEAST_ONE
    )
    semantic_weight: float = setting(1.0, "Weight of the loss that brings a class together")
    grounding_weight: float = setting(
        1.0, "Weight of the loss that keeps names near their pretrained vector and their class's"
    )
    noisy_validation: bool = setting(True, "Leave dropout on for the validation loss")
    minimum_epochs: int = setting(11, "No run is shorter, unless it is stopped")
    maximum_epochs: int = setting(1000, "No run is longer", within=AT_LEAST_ONE)
    precision: str = precision_setting()

    def __post_init__(self) -> None:
        check_settings(self, ("semantic_weight", "grounding_weight"))

    @classmethod
    def paper(cls) -> FewShot:
        """Return the settings of the paper, with the rule of its code to draw negatives by."""
        return cls()

    @classmethod
    def quick(cls) -> FewShot:
        """Return settings for two cores: all names in a step, losses from one similarity matrix.

        Its few large steps get nearer to the paper's many small ones at half their size. On level 2
        of HPO over the built-in encoder (two seeds), 1200 units had a MRR for hypernyms of .847 and
        .862 and a mAP of .846 and .867, 9600 units .851 and .863, .850 and .874 (intervals of
        .03 either way) in four times the time of training; with 300 units all are .01 to .03 lower.
        """
        return cls(
            hidden=1200, batch=0, steps=4, learning_rate=0.0005,
            noisy_validation=False, precision="auto",
        )  # fmt: skip

    def prepared(self, data: TrainingData) -> TrainingData:
        """Return the data, if each name is of one class.

        Raises:
            ValueError: where it is not.
        """
        for members in (data.of_names, data.of_validation):
            if (members.counts != 1).any():
                raise TrainerError(
                    "few-shot trains on names of one class; leave names of several unused"
                )
        return data

    def encoder(self, data: TrainingData, noise: RandomState) -> FeedForwardEncoder:
        """Return the encoder of [FSL] eq. 1 before training."""
        return ResidualEncoder.initial(data.names.shape[1], self.hidden, noise, data.projection)

    def plan(
        self, data: TrainingData, encoder: FeedForwardEncoder, noise: RandomState, tick: Tick
    ) -> Plan:
        """Draw a negative for each anchor, which all its positives share, and shuffle."""
        columns = {}
        if self.semantic_weight:
            negative, has_negative = negatives_of_training_names(
                self, data, lambda: encoder.encode_units(data.names, tick), noise, tick
            )
            columns = {"negative": negative, "found": has_negative.long()}
        anchor = noise.permutation(len(data.names)) if self.batch else _in_order(data.names)
        plan = {"anchor": anchor, **{key: column[anchor] for key, column in columns.items()}}
        return {key: column.repeat(self.steps) for key, column in plan.items()}

    def batch_size(self, plan: Plan) -> int:
        """Return the anchors of a step."""
        return self.batch or len(plan["anchor"]) // self.steps

    def losses(
        self, data: TrainingData, batch: Plan, forward: Forward, noise: RandomState
    ) -> dict[str, Tensor]:
        """Return ``L_sem`` and ``L_ground`` ([FSL] eq. 2 to 4)."""
        losses = self._pair_by_pair if self.batch else self._from_one_matrix
        return losses(data, batch, forward)

    def _pair_by_pair(self, data: TrainingData, batch: Plan, forward: Forward) -> dict[str, Tensor]:
        """Each anchor with every other name of its class; a name is encoded once in a step."""
        item, positive = all_positives(data, data.of_names.starts[batch["anchor"]])
        anchor, losses = batch["anchor"][item], {}
        if self.semantic_weight:
            triplets = torch.cat((anchor, positive, batch["negative"][item]))
            distinct, inverse = torch.unique(triplets, return_inverse=True)
            encoded = taken(unit(forward(data.names[distinct])), inverse)
            losses["semantic"] = triplet_loss(self, encoded, batch["found"][item])
        else:
            encoded = taken(unit(forward(data.names[batch["anchor"]])), item)
        if self.grounding_weight:
            grounding = unit_distances(encoded[: len(anchor)], _grounding_targets(data, anchor))
            losses["grounding"] = self.grounding_weight * grounding.sum() / max(len(anchor), 1)
        return losses

    def _from_one_matrix(
        self, data: TrainingData, batch: Plan, forward: Forward
    ) -> dict[str, Tensor]:
        """The same pairs, with each name encoded once: (t, t) similarities hold all distances."""
        units, losses = unit(forward(data.names)), {}
        everyone = _in_order(units)
        if self.semantic_weight:
            distances = 1 - units @ units.T
            numbers = data.of_names.classes
            same = (numbers[:, None] == numbers[None, :]).fill_diagonal_(False)
            negative = distances.gather(1, batch["negative"][:, None])
            pairs = same & batch["found"][:, None].bool()
            losses["semantic"] = self.semantic_weight * self._semantic(distances, negative, pairs)
        if self.grounding_weight:
            other_count = data.class_sizes[data.of_names.classes] - 1
            grounding = unit_distances(units, _grounding_targets(data, everyone))
            losses["grounding"] = self.grounding_weight * masked_mean(grounding, other_count)
        return losses

    def _semantic(self, positive: Tensor, negative: Tensor, weights: Tensor) -> Tensor:
        return semantic_loss(positive, negative, weights, self.margin, self.hinge)

    def validate(
        self, data: TrainingData, encoder: FeedForwardEncoder, noise: RandomState, tick: Tick
    ) -> float:
        """Return the loss of the validation names, each against all training names of its class."""
        names = unit(encoder.encode_units(data.names, tick))
        mentions = unit(encoder.encode_units(data.validation, tick))
        members, total = data.of_validation, 0.0
        if self.semantic_weight:
            negative, has_negative = draw_negatives(
                self.negatives, data, members, mentions, names, self.nearest, noise, tick
            )
        if self.noisy_validation:
            names = unit(encoder.encode_noisily(data.names, noise, self.dropout))
            mentions = unit(encoder.encode_noisily(data.validation, noise, self.dropout))
        same = data.of_names.classes[None, :] == members.classes[:, None]
        if self.semantic_weight:
            distances = 1 - mentions @ names.T
            to_negatives = distances.gather(1, negative[:, None])
            semantic = self._semantic(distances, to_negatives, same & has_negative[:, None])
            total += self.semantic_weight * float(semantic)
        if self.grounding_weight:
            targets = grounding_targets(data.validation, data.prototypes[members.classes])
            grounding = masked_mean(unit_distances(mentions, unit(targets)), same.sum(1))
            total += self.grounding_weight * float(grounding)
        return total

    def stops(self, history: Sequence[float]) -> bool:
        """Stop, after at least 11 epochs, once the loss is no lower than 9 epochs before."""
        if len(history) < max(self.minimum_epochs, _LOOK_BACK + 1):
            return False
        return history[-1] >= history[-1 - _LOOK_BACK]

    def epochs_left(self, history: Sequence[float]) -> int | None:
        """Return the epochs up to the least number; nothing can be said after those."""
        return self.minimum_epochs - len(history) if len(history) < self.minimum_epochs else None


def _in_order(rows: Tensor) -> Tensor:
    return torch.arange(len(rows), device=rows.device)


def _grounding_targets(data: TrainingData, names: Tensor) -> Tensor:
    """Return the grounding targets of training names at unit length ([FSL] eq. 3)."""
    classes = data.of_names.classes[names]
    return unit(grounding_targets(data.names[names], data.prototypes[classes]))
