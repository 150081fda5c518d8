"""A BiLSTM over words alone, trained by triplets and grounding: [BNE] as [CG] 5.2 compares it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from trainer.data import TrainingData
from trainer.encoders.base import TrainingStep
from trainer.encoders.recurrent import RecurrentEncoder, Sizes
from trainer.noise import Noise
from trainer.recipes.base import Plan, Tick, setting
from trainer.recipes.common import (
    check_settings,
    hinge_setting,
    losses_to_targets,
    negatives_of_training_names,
    negatives_setting,
    triplet_loss,
)
from trainer.recipes.ranges import AT_LEAST_ONE, POSITIVE, SHARE
from trainer.recipes.recurrent import ReadsWords, synonym_plan, training_words


@dataclass(frozen=True)
class BiLSTMOverWords(ReadsWords):
    """The hyper-parameters of ``BNE, same data`` in [CG]; see ``paper`` and ``quick``.

    Its losses are those of the published code: the triplet hinge, and the distances to the
    pretrained vectors of the concept and of the name. It stops at the first epoch that is no better
    than the best before ([CG] 5.3).
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
    batch: int = setting(64, "Triplets in a step", within=AT_LEAST_ONE)
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
        """Return the settings of the paper."""
        return cls()

    @classmethod
    def quick(cls) -> BiLSTMOverWords:
        """Return settings for two cores: fewer states, larger batches."""
        return cls(hidden=150, batch=256, learning_rate=0.002, patience=3)

    def encoder(self, data: TrainingData, noise: Noise) -> RecurrentEncoder:
        """Return the encoder of [CG] eq. 6 before training."""
        width = training_words(data).vectors.shape[1]
        return RecurrentEncoder.initial(Sizes(width, self.hidden, width), "", noise)

    def plan(self, data: TrainingData, encoder: RecurrentEncoder, noise: Noise, tick: Tick) -> Plan:
        """Draw a synonym and a negative for each name, and shuffle."""
        plan = synonym_plan(data, noise)
        if not self.semantic_weight:
            return plan
        negative, found = negatives_of_training_names(
            self, data, lambda: encoder.encode_words(training_words(data), tick), noise, tick
        )
        complete = plan["paired"] * found[plan["anchor"]].long()
        return {**plan, "negative": negative[plan["anchor"]], "complete": complete}

    def losses(
        self, data: TrainingData, batch: Plan, forward: TrainingStep, noise: Noise
    ) -> dict[str, Tensor]:
        """Return the hinge of triplets, and the distances to ``u_c`` and ``u_n``."""
        anchor, losses = batch["anchor"], {}
        if self.semantic_weight:
            triplets = torch.cat((anchor, batch["positive"], batch["negative"]))
            encoded = forward(triplets)
            losses["semantic"] = triplet_loss(self, encoded, batch["complete"])
        else:
            encoded = forward(anchor)
        terms = {
            "concept": (self.concept_weight, data.prototypes[batch["class"]]),
            "context": (self.context_weight, data.names[anchor]),
        }
        return losses | losses_to_targets(encoded[: len(anchor)], terms)
