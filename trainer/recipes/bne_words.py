"""A BiLSTM over words alone, trained by triplets and grounding: [BNE] as [CG] 5.2 compares it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import torch
from torch import Tensor

from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.encoders.base import TrainingStep
from termexplorer.trainer.encoders.recurrent import RecurrentEncoder, Sizes
from termexplorer.trainer.recipes.base import Plan, Tick, setting
from termexplorer.trainer.recipes.common import (
    check_settings,
    hinge_setting,
    losses_to_targets,
    negatives_setting,
    triplet_loss,
)
from termexplorer.trainer.recipes.ranges import AT_LEAST_ONE, POSITIVE, SHARE
from termexplorer.trainer.recipes.recurrent import ReadsWords, training_words
from termexplorer.trainer.recipes.synonym_pairs import synonym_pairs
from termexplorer.trainer.tensors.objectives import unit
from termexplorer.trainer.tensors.random_state import RandomState


@dataclass(frozen=True)
class BiLSTMOverWords(ReadsWords):
    """The hyper-parameters of ``BNE, same data`` in [CG]; see ``paper`` and ``quick``.

    Its losses are those of the published code: the triplet hinge, and the distances to the
    pretrained vectors of the concept and of the name. An epoch is that of conceptual grounding, all
    ordered pairs of synonyms ([CG] 5.2, "exact same data"). It stops at the first epoch that is no
    better than the best before, where [CG] 5.3 compares with the epoch before alone.
    """

    name: ClassVar[str] = "bne-words"

    hidden: int = setting(
        4800, "States of the BiLSTM over words, in each direction", within=AT_LEAST_ONE
    )
    dropout: float = setting(
        0.5, "Share of inputs of both layers left out at random in each step", within=SHARE
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
    concept_weight: float = setting(
        1.0, "Weight of the loss that draws names towards their concept's pretrained vector"
    )
    context_weight: float = setting(
        1.0, "Weight of the loss that keeps names near their pretrained vector"
    )
    patience: int = setting(
        1, "Stop after this many epochs without a better validation mAP", within=AT_LEAST_ONE
    )
    maximum_epochs: int = setting(200, "No run is longer", within=AT_LEAST_ONE)

    def __post_init__(self) -> None:
        check_settings(self, ("semantic_weight", "concept_weight", "context_weight"))

    @classmethod
    def paper(cls) -> BiLSTMOverWords:
        """Return the settings of the paper, with the rule of its code to draw negatives by."""
        return cls()

    @classmethod
    def quick(cls) -> BiLSTMOverWords:
        """Return settings for two cores: fewer states, larger batches, epochs of some pairs."""
        return cls(hidden=150, batch=256, pairs=64_000, learning_rate=0.002, patience=3)

    def encoder(self, data: TrainingData, noise: RandomState) -> RecurrentEncoder:
        """Return the encoder of [CG] eq. 6 before training."""
        width = training_words(data).vectors.shape[1]
        return RecurrentEncoder.initial(Sizes(width, self.hidden, width), "", noise)

    def plan(
        self, data: TrainingData, encoder: RecurrentEncoder, noise: RandomState, tick: Tick
    ) -> Plan:
        """List ordered pairs of synonyms, all or some, with a negative for each name, shuffled."""
        names = partial(encoder.encode_words, training_words(data), tick)
        return synonym_pairs(self, data, names, noise, tick)

    def losses(
        self, data: TrainingData, batch: Plan, forward: TrainingStep, noise: RandomState
    ) -> dict[str, Tensor]:
        """Return the hinge of triplets, and the distances to ``u_c`` and ``u_n``."""
        anchor, losses = batch["anchor"], {}
        if self.semantic_weight:
            triplets = torch.cat((anchor, batch["positive"], batch["negative"]))
            encoded = unit(forward(triplets))
            losses["semantic"] = triplet_loss(self, encoded, batch["found"])
        else:
            encoded = unit(forward(anchor))
        terms = {
            "concept": (self.concept_weight, data.prototypes[batch["class"]]),
            "context": (self.context_weight, data.names[anchor]),
        }
        return losses | losses_to_targets(encoded[: len(anchor)], terms)
