"""Paraphrases by a BiLSTM and a margin, as [BNE] 4.3 re-implements Wieting et al. 2015."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from torch import Tensor

from termexplorer.trainer.data.sampling import apart
from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.encoders.own_words import OwnWordsEncoder
from termexplorer.trainer.encoders.recurrent import Sizes
from termexplorer.trainer.recipes.base import Plan, Tick, setting
from termexplorer.trainer.recipes.common import check_values
from termexplorer.trainer.recipes.ranges import AT_LEAST_ONE, POSITIVE, SHARE
from termexplorer.trainer.recipes.recurrent import (
    ReadsWords,
    drawn_in_batch,
    synonym_plan,
    training_words,
)
from termexplorer.trainer.tensors.objectives import masked_mean, unit
from termexplorer.trainer.tensors.random_state import RandomState


@dataclass(frozen=True)
class Paraphrase(ReadsWords):
    """The hyper-parameters of the paraphrase baseline; see ``paper`` and ``quick``.

    [BNE] 4.3 gives the encoder and the weights of L2; the output layer's weights are among the
    parameters. Negatives are sampled from the batch, as [BNE] 3.2 does for its own losses; margin
    and cosine are those of Wieting et al. 2016, who take the most similar name of the batch. With
    that one the encoder can collapse, all names becoming alike, when concepts have few names.
    """

    name: ClassVar[str] = "paraphrase"

    hidden: int = setting(
        200, "States of the BiLSTM over words, in each direction", within=AT_LEAST_ONE
    )
    dropout: float = setting(
        0.5, "Share of inputs of both layers left out at random in each step", within=SHARE
    )
    learning_rate: float = setting(0.001, "Step size of Adam", within=POSITIVE)
    margin: float = setting(
        0.4, "How much more similar a synonym must be than a name of another concept"
    )
    negatives: str = setting(
        "sampled",
        "Which other name of the step is pushed away: one at random, or always the most similar",
        ("sampled", "hardest"),
    )
    batch: int = setting(64, "Pairs in a step; negatives are found among them", within=AT_LEAST_ONE)
    layer_decay: float = setting(0.001, "Weight of the sum of squares of the layers' weights")
    word_drift: float = setting(
        0.0001, "Weight of the sum of squares of what word vectors have moved"
    )
    patience: int = setting(
        5, "Stop after this many epochs without a better validation mAP", within=AT_LEAST_ONE
    )
    maximum_epochs: int = setting(200, "No run is longer", within=AT_LEAST_ONE)

    def __post_init__(self) -> None:
        check_values(self)

    @classmethod
    def paper(cls) -> Paraphrase:
        """Return the settings of the paper."""
        return cls()

    @classmethod
    def quick(cls) -> Paraphrase:
        """Return settings for two cores: fewer states, larger batches."""
        return cls(hidden=100, batch=256, learning_rate=0.002, patience=3)

    def encoder(self, data: TrainingData, noise: RandomState) -> OwnWordsEncoder:
        """Return the encoder before training; names come out as wide as words."""
        words = training_words(data)
        width = words.vectors.shape[1]
        return OwnWordsEncoder.of_words(Sizes(width, self.hidden, width), words, noise)

    def plan(
        self, data: TrainingData, encoder: OwnWordsEncoder, noise: RandomState, tick: Tick
    ) -> Plan:
        """Draw a synonym for each name that has one, and shuffle."""
        plan = synonym_plan(data, noise)
        paired = plan["paired"] > 0
        return {name: column[paired] for name, column in plan.items()}

    def losses(
        self, data: TrainingData, batch: Plan, forward: Any, noise: RandomState
    ) -> dict[str, Tensor]:
        """Return the margin loss of both names of each pair, and L2 of layers and words."""
        both = torch.cat((batch["anchor"], batch["positive"]))
        units = unit(forward(both))
        cosines = units @ units.T
        count = len(batch["anchor"])
        partner = torch.cat((torch.arange(count), torch.arange(count))).to(both.device)
        partner[:count] += count
        negative, has_negative = self._negatives(cosines, apart(data, both, both), noise)
        hinge = self.margin - _pick_columns(cosines, partner) + _pick_columns(cosines, negative)
        encoder: OwnWordsEncoder = forward.encoder
        return {
            "margin": 2 * masked_mean(hinge.clamp(min=0), has_negative),
            "layers": self.layer_decay * _sum_squares(encoder.layers()),
            "drift": self.word_drift
            * _sum_squares([encoder.vectors - training_words(data).vectors]),
        }

    def _negatives(
        self, cosines: Tensor, is_negative: Tensor, noise: RandomState
    ) -> tuple[Tensor, Tensor]:
        """Return the column of the negative of each row, and which rows have one."""
        if self.negatives == "sampled":
            return drawn_in_batch(is_negative, noise)
        hardest = cosines.masked_fill(~is_negative, -torch.inf).argmax(dim=1)
        return hardest, is_negative.any(dim=1)


def _pick_columns(table: Tensor, columns: Tensor) -> Tensor:
    return table.gather(1, columns[:, None]).squeeze(1)


def _sum_squares(weights: Sequence[Tensor]) -> Tensor:
    return torch.stack([weight.square().sum() for weight in weights]).sum()
