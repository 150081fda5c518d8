"""Synonym sets, learned with a linear constraint and prototypical grounding ([CG])."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

import torch
from torch import Tensor

from termexplorer.trainer.data.sampling import some_members
from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.encoders.cca import fit_to
from termexplorer.trainer.encoders.network import DAN, FeedForwardEncoder
from termexplorer.trainer.recipes.base import Forward, Plan, RecipeDefaults, Tick, setting
from termexplorer.trainer.recipes.common import (
    check_settings,
    hinge_setting,
    negatives_setting,
    precision_setting,
    triplet_loss,
    validation_map,
)
from termexplorer.trainer.recipes.ranges import AT_LEAST_ONE, POSITIVE, SHARE
from termexplorer.trainer.recipes.synonym_pairs import synonym_pairs
from termexplorer.trainer.tensors.objectives import cosine_distances, means_of_groups, taken, unit
from termexplorer.trainer.tensors.random_state import RandomState


@dataclass(frozen=True)
class ConceptualGrounding(RecipeDefaults):
    """The hyper-parameters of [CG]; see ``paper`` and ``quick``."""

    name: ClassVar[str] = "conceptual-grounding"
    metric: ClassVar[str] = "validation mAP"
    higher_is_better: ClassVar[bool] = True

    cca: bool = setting(
        True, "First project names to where they correlate most with their concepts"
    )
    cca_power: float = setting(
        0.0, "Each projected dimension is weighted by its canonical correlation to this power"
    )
    hidden: int = setting(38_400, "Units of the hidden layer", within=AT_LEAST_ONE)
    dropout: float = setting(
        0.5, "Share of hidden units left out at random in each step", within=SHARE
    )
    learning_rate: float = setting(0.001, "Step size of Adam", within=POSITIVE)
    margin: float = setting(0.1, "How much nearer a synonym must be than a name of another concept")
    batch: int = setting(64, "Pairs of synonyms in a step", within=AT_LEAST_ONE)
    pairs: int = setting(0, "Synonym pairs per epoch, resampled from all; 0 takes all")
    hinge: str = hinge_setting()
    negatives: str = negatives_setting()
    nearest: int = setting(
        200, "Negatives are drawn from this many nearest names", within=AT_LEAST_ONE
    )
    semantic_weight: float = setting(1.0, "Weight of the loss that brings synonyms together")
    prototype_weight: float = setting(
        1.0, "Weight of the loss that draws the mean of a concept's names to its pretrained vector"
    )
    synonym_dropout: float = setting(
        0.5,
        "Share of a concept's names left out at random of their mean, anew for each pair",
        within=SHARE,
    )
    maximum_epochs: int = setting(1000, "No run is longer", within=AT_LEAST_ONE)
    precision: str = precision_setting()

    def __post_init__(self) -> None:
        check_settings(self, ("semantic_weight", "prototype_weight"))

    @classmethod
    def paper(cls) -> ConceptualGrounding:
        """Return the settings of the paper, with the rule of its code to draw negatives by."""
        return cls()

    @classmethod
    def quick(cls) -> ConceptualGrounding:
        """Return settings for two cores: a smaller layer, larger batches, epochs of some pairs.

        Large sets give far more pairs than names; an epoch over all of them comes to hours.
        """
        return cls(hidden=9600, batch=256, pairs=64_000, precision="auto")

    @property
    def evened(self) -> bool:
        """Return whether nothing else centres the names: the linear constraint does."""
        return not self.cca

    def prepared(self, data: TrainingData) -> TrainingData:
        """Return the data, names and prototypes projected if so wished ([CG] 5.3)."""
        if not self.cca:
            return data
        cca = fit_to(data, self.cca_power)
        return replace(
            data,
            names=cca.names(data.names),
            validation=cca.names(data.validation),
            prototypes=cca.concepts(data.prototypes),
            projection=cca,
        )

    def encoder(self, data: TrainingData, noise: RandomState) -> FeedForwardEncoder:
        """Return the encoder of [CG] eq. 1 before training."""
        return DAN.initial(data.names.shape[1], self.hidden, noise, data.projection)

    def plan(
        self, data: TrainingData, encoder: FeedForwardEncoder, noise: RandomState, tick: Tick
    ) -> Plan:
        """List ordered pairs of synonyms, all or some, with a negative for each name, shuffled."""
        units = partial(encoder.encode_units, data.names, tick)
        return synonym_pairs(self, data, units, noise, tick)

    def batch_size(self, plan: Plan) -> int:
        """Return the pairs of a step."""
        return self.batch

    def losses(
        self, data: TrainingData, batch: Plan, forward: Forward, noise: RandomState
    ) -> dict[str, Tensor]:
        """Return ``L_syn`` and ``L_proto`` ([CG] eq. 3 to 5); each name is encoded once."""
        number, losses = batch["class"], {}
        triplets = sampled = number[:0]
        if self.semantic_weight:
            triplets = torch.cat((batch["anchor"], batch["positive"], batch["negative"]))
        if self.prototype_weight:
            pair, sampled = some_members(data, number, self.synonym_dropout, noise)
        used, inverse = torch.unique(torch.cat((triplets, sampled)), return_inverse=True)
        encoded = forward(data.names[used])
        if self.semantic_weight:
            units = taken(unit(encoded), inverse[: len(triplets)])
            losses["semantic"] = triplet_loss(self, units, batch["found"])
        if self.prototype_weight:
            members = inverse[len(triplets) :]
            prototypes = means_of_groups(encoded, pair, len(number), members)
            distances = cosine_distances(prototypes, data.prototypes[number])
            losses["prototype"] = self.prototype_weight * distances.mean()
        return losses

    def validate(
        self, data: TrainingData, encoder: FeedForwardEncoder, noise: RandomState, tick: Tick
    ) -> float:
        """Return the mAP of ranking all training names for each validation name."""
        return validation_map(data, encoder, tick)

    def stops(self, history: Sequence[float]) -> bool:
        """Stop at the first epoch whose validation mAP is worse than the one before."""
        return len(history) > 1 and history[-1] < history[-2]

    def epochs_left(self, history: Sequence[float]) -> int | None:
        """Return the one epoch that must come to be worse."""
        return 1
