"""Synonym sets by contrast: a name's synonym told from all other names of the batch.

Not one of the papers': their grounding ([HLS] eq. 5, [FSL] eq. 3) under the loss that sentence
encoders are trained by today.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from torch import Tensor

from termexplorer.trainer.data.sampling import apart, random_classes, random_positives
from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.encoders.network import FeedForwardEncoder, ResidualEncoder
from termexplorer.trainer.recipes.base import Forward, Plan, Tick, setting
from termexplorer.trainer.recipes.common import (
    Patient,
    check_settings,
    losses_to_targets,
    precision_setting,
    validation_map,
)
from termexplorer.trainer.recipes.ranges import AT_LEAST_ONE, POSITIVE, SHARE
from termexplorer.trainer.tensors.objectives import contrastive_loss, taken, unit
from termexplorer.trainer.tensors.random_state import RandomState


class TellsSynonyms(Patient):
    """What does not differ between recipes of this loss: pairs, losses, and data as they are."""

    metric: ClassVar[str] = "validation mAP"
    higher_is_better: ClassVar[bool] = True

    batch: int
    pairs: int
    temperature: float
    contrast_weight: float
    name_weight: float
    prototype_weight: float

    def __post_init__(self) -> None:
        check_settings(self, ("contrast_weight", "name_weight", "prototype_weight"))

    def prepared(self, data: TrainingData) -> TrainingData:
        """Return the data as they are."""
        return data

    def plan(self, data: TrainingData, encoder: Any, noise: RandomState, tick: Tick) -> Plan:
        """Draw for names that have synonyms one of their concepts, and a synonym in it."""
        drawn = random_classes(data.of_names, noise)
        positive, has_other = random_positives(data, drawn, noise)
        order = noise.permutation(len(positive))
        anchor = order[has_other[order]][: self.pairs or None]
        number = data.of_names.classes[drawn]
        return {"anchor": anchor, "positive": positive[anchor], "class": number[anchor]}

    def batch_size(self, plan: Plan) -> int:
        """Return the pairs of a step."""
        return self.batch

    def encoded(self, data: TrainingData, used: Tensor, forward: Any) -> Tensor:
        """Encode the training names of some numbers."""
        raise NotImplementedError

    def losses(
        self, data: TrainingData, batch: Plan, forward: Any, noise: RandomState
    ) -> dict[str, Tensor]:
        """Return the contrast of the pairs, and what keeps the anchors in their place."""
        anchor, positive = batch["anchor"], batch["positive"]
        used, inverse = torch.unique(torch.cat((anchor, positive)), return_inverse=True)
        anchors, positives = taken(unit(self.encoded(data, used, forward)), inverse).chunk(2)
        losses = {}
        if self.contrast_weight:
            is_negative = apart(data, anchor, positive)
            contrast = contrastive_loss(anchors @ positives.T, is_negative, self.temperature)
            losses["contrast"] = self.contrast_weight * contrast
        targets = {
            "name": (self.name_weight, data.names[anchor]),
            "prototype": (self.prototype_weight, data.prototypes[batch["class"]]),
        }
        return losses | losses_to_targets(anchors, targets)


@dataclass(frozen=True)
class Contrastive(TellsSynonyms):
    """The hyper-parameters; see ``paper`` and ``quick``."""

    name: ClassVar[str] = "contrastive"
    evened: ClassVar[bool] = True

    hidden: int = setting(9600, "Units of the hidden layer", within=AT_LEAST_ONE)
    dropout: float = setting(
        0.2, "Share of hidden units left out at random in each step", within=SHARE
    )
    learning_rate: float = setting(0.0005, "Step size of Adam", within=POSITIVE)
    batch: int = setting(
        512, "Pairs of synonyms in a step; each pushes away all the others", within=AT_LEAST_ONE
    )
    pairs: int = setting(
        0, "Pairs of synonyms in an epoch, drawn anew; 0: one of each name that has synonyms"
    )
    definitions: bool = setting(
        False, "Learn the definitions of an ontology's concepts as if they were names of them"
    )
    temperature: float = setting(
        0.05, "The lower, the more the nearest of the others count", within=POSITIVE
    )
    contrast_weight: float = setting(1.0, "Weight of the loss that tells synonyms from others")
    name_weight: float = setting(
        0.5, "Weight of the loss that keeps names near their pretrained vector"
    )
    prototype_weight: float = setting(
        0.0, "Weight of the loss that draws names to the mean of their concept's pretrained vectors"
    )
    patience: int = setting(
        2, "Epochs without a better validation mAP before it stops", within=AT_LEAST_ONE
    )
    maximum_epochs: int = setting(20, "No run is longer", within=AT_LEAST_ONE)
    precision: str = precision_setting()

    @classmethod
    def paper(cls) -> Contrastive:
        """Return settings for a large machine: the hidden layer of [FSL]."""
        return cls()

    @classmethod
    def quick(cls) -> Contrastive:
        """Return settings for two cores: a smaller layer."""
        return cls(hidden=2048, maximum_epochs=30, precision="auto")

    def encoder(self, data: TrainingData, noise: RandomState) -> FeedForwardEncoder:
        """Return the encoder of [FSL] eq. 1 before training."""
        return ResidualEncoder.initial(data.names.shape[1], self.hidden, noise, data.projection)

    def encoded(self, data: TrainingData, used: Tensor, forward: Forward) -> Tensor:
        """Encode training names from their vectors."""
        return forward(data.names[used])

    def validate(
        self, data: TrainingData, encoder: FeedForwardEncoder, noise: RandomState, tick: Tick
    ) -> float:
        """Return the mAP of ranking all training names for each validation name."""
        return validation_map(data, encoder, tick)
