"""Classes on a chosen level, learned by a deep averaging network ([HLS])."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from termexplorer.trainer.data.sampling import random_classes, random_positives
from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.encoders.network import DAN, FeedForwardEncoder
from termexplorer.trainer.recipes.base import Forward, Plan, Tick, setting
from termexplorer.trainer.recipes.common import (
    Patient,
    check_settings,
    hinge_setting,
    losses_to_targets,
    negatives_of_training_names,
    negatives_setting,
    precision_setting,
    triplet_loss,
    validation_map,
)
from termexplorer.trainer.recipes.ranges import AT_LEAST_ONE, POSITIVE, SHARE
from termexplorer.trainer.tensors.objectives import grounding_targets, unit
from termexplorer.trainer.tensors.random_state import RandomState


@dataclass(frozen=True)
class DeepAveraging(Patient):
    """The hyper-parameters of [HLS]; see ``paper`` and ``quick``."""

    name: ClassVar[str] = "dan"
    metric: ClassVar[str] = "validation mAP"
    higher_is_better: ClassVar[bool] = True
    recordable: ClassVar[bool] = True
    evened: ClassVar[bool] = True

    hidden: int = setting(76_800, "Units of the hidden layer", within=AT_LEAST_ONE)
    dropout: float = setting(
        0.5, "Share of hidden units left out at random in each step", within=SHARE
    )
    learning_rate: float = setting(0.001, "Step size of Adam", within=POSITIVE)
    margin: float = setting(
        0.1, "How much nearer a name of the same class must be than one of another class"
    )
    batch: int = setting(64, "Triplets in a step", within=AT_LEAST_ONE)
    hinge: str = hinge_setting()
    negatives: str = negatives_setting()
    nearest: int = setting(
        200, "Negatives are drawn from this many nearest names", within=AT_LEAST_ONE
    )
    semantic_weight: float = setting(1.0, "Weight (alpha) of the loss that brings a class together")
    context_weight: float = setting(
        1.0, "Weight (beta) of the loss that keeps names near their pretrained vector"
    )
    grounding_weight: float = setting(
        1.0, "Weight (gamma) of the loss that draws names towards their class's pretrained vector"
    )
    patience: int = setting(
        10, "Stop after this many epochs without a better validation mAP", within=AT_LEAST_ONE
    )
    maximum_epochs: int = setting(1000, "No run is longer", within=AT_LEAST_ONE)
    precision: str = precision_setting()

    def __post_init__(self) -> None:
        check_settings(self, ("semantic_weight", "context_weight", "grounding_weight"))

    @classmethod
    def paper(cls) -> DeepAveraging:
        """Return the settings of the paper, with the rule of its code to draw negatives by."""
        return cls()

    @classmethod
    def quick(cls) -> DeepAveraging:
        """Return settings for two cores: a smaller hidden layer and larger batches.

        On the cell ontology over the built-in encoder, 1024 units had a mAP of .858 and a MRR of
        .546 for hypernyms after half a minute, 9600 units .846 and .492 after two.
        """
        return cls(hidden=1024, batch=256, patience=3, precision="auto")

    def prepared(self, data: TrainingData) -> TrainingData:
        """Return the data as they are."""
        return data

    def encoder(self, data: TrainingData, noise: RandomState) -> FeedForwardEncoder:
        """Return the encoder of [HLS] eq. 1 before training."""
        return DAN.initial(data.names.shape[1], self.hidden, noise, data.projection)

    def plan(
        self, data: TrainingData, encoder: FeedForwardEncoder, noise: RandomState, tick: Tick
    ) -> Plan:
        """Draw one triplet for each name, whatever the size of its class, and shuffle."""
        drawn = random_classes(data.of_names, noise)
        columns = {"class": data.of_names.classes[drawn]}
        if self.semantic_weight:
            negative, has_negative = negatives_of_training_names(
                self, data, lambda: encoder.encode_units(data.names, tick), noise, tick
            )
            positive, has_other = random_positives(data, drawn, noise)
            complete = (has_negative & has_other).long()
            columns |= {"positive": positive, "negative": negative, "complete": complete}
        anchor = noise.permutation(len(data.names))
        return {"anchor": anchor, **{key: column[anchor] for key, column in columns.items()}}

    def batch_size(self, plan: Plan) -> int:
        """Return the triplets of a step."""
        return self.batch

    def losses(
        self, data: TrainingData, batch: Plan, forward: Forward, noise: RandomState
    ) -> dict[str, Tensor]:
        """Return ``L_sem``, ``L_cont`` and ``L_ground`` ([HLS] eq. 2 to 6)."""
        anchor = batch["anchor"]
        names, losses = data.names[anchor], {}
        if self.semantic_weight:
            triplets = torch.cat((anchor, batch["positive"], batch["negative"]))
            encoded = unit(forward(data.names[triplets]))
            losses["semantic"] = triplet_loss(self, encoded, batch["complete"])
        else:
            encoded = unit(forward(names))
        targets = grounding_targets(names, data.prototypes[batch["class"]])
        terms = {
            "context": (self.context_weight, names),
            "grounding": (self.grounding_weight, targets),
        }
        return losses | losses_to_targets(encoded[: len(names)], terms)

    def validate(
        self, data: TrainingData, encoder: FeedForwardEncoder, noise: RandomState, tick: Tick
    ) -> float:
        """Return the mAP of ranking all training names for each validation name."""
        return validation_map(data, encoder, tick)
