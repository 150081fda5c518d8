"""Pairs that people judged: similar terms before dissimilar ones, and all else where it was.

Not one of the papers': the order of the pairs' similarities is learned by the loss of RankNet, over
whatever encoder has been judged, with the residual encoder and the grounding of [FSL] (eq. 1, 3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from termexplorer.trainer.data.training_data import Judgements, TrainingData
from termexplorer.trainer.encoders.network import FeedForwardEncoder, ResidualEncoder
from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.recipes.base import Forward, Plan, Tick, setting
from termexplorer.trainer.recipes.common import Patient, check_settings, precision_setting
from termexplorer.trainer.recipes.ranges import AT_LEAST_ONE, POSITIVE, SHARE
from termexplorer.trainer.tensors.objectives import cosine_distances, ordering_loss, unit
from termexplorer.trainer.tensors.random_state import RandomState


@dataclass(frozen=True)
class Judged(Patient):
    """The hyper-parameters; see ``paper`` and ``quick``."""

    name: ClassVar[str] = "judged"
    metric: ClassVar[str] = "validation loss"
    higher_is_better: ClassVar[bool] = False
    evened: ClassVar[bool] = True

    hidden: int = setting(9600, "Units of the hidden layer", within=AT_LEAST_ONE)
    dropout: float = setting(
        0.2, "Share of hidden units left out at random in each step", within=SHARE
    )
    learning_rate: float = setting(0.0005, "Step size of Adam", within=POSITIVE)
    batch: int = setting(
        256, "Judged pairs in a step, held against each other", within=AT_LEAST_ONE
    )
    passes: int = setting(2, "How often an epoch takes each judged pair", within=AT_LEAST_ONE)
    temperature: float = setting(
        0.2, "The lower, the more the pairs in the wrong order count", within=POSITIVE
    )
    order_weight: float = setting(
        1.0, "Weight of the loss that orders similar pairs before dissimilar ones"
    )
    names: int = setting(8, "Names of the ontology in a step, for each pair, that keep their place")
    name_weight: float = setting(
        5.0, "Weight of the loss that keeps names and terms near their vector before"
    )
    patience: int = setting(
        10, "Epochs without a better validation loss before it stops", within=AT_LEAST_ONE
    )
    maximum_epochs: int = setting(200, "No run is longer", within=AT_LEAST_ONE)
    precision: str = precision_setting()

    def __post_init__(self) -> None:
        check_settings(self, ("order_weight",))

    @classmethod
    def paper(cls) -> Judged:
        """Return settings for a large machine: the hidden layer of [FSL]."""
        return cls()

    @classmethod
    def quick(cls) -> Judged:
        """Return settings for two cores: a smaller layer."""
        return cls(hidden=2048)

    def prepared(self, data: TrainingData) -> TrainingData:
        """Return the data as they are.

        Raises:
            ValueError: without judged pairs.
        """
        _judged_parts(data)
        return data

    def encoder(self, data: TrainingData, noise: RandomState) -> FeedForwardEncoder:
        """Return the encoder of [FSL] eq. 1 that begins with what lies beneath, unchanged."""
        encoder = ResidualEncoder.initial(data.names.shape[1], self.hidden, noise, data.projection)
        for weight in (encoder.w2, encoder.b2):
            weight.zero_()
        return encoder

    def plan(
        self, data: TrainingData, encoder: FeedForwardEncoder, noise: RandomState, tick: Tick
    ) -> Plan:
        """Take each pair as often as wished, in another order, with names drawn for it."""
        count = len(_judged_parts(data)[0].similar)
        pairs = torch.cat([noise.permutation(count) for _ in range(self.passes)])
        limits = torch.full((len(pairs), self.names), len(data.names), device=pairs.device)
        return {"pair": pairs, "names": noise.below(limits)}

    def batch_size(self, plan: Plan) -> int:
        """Return the pairs of a step."""
        return self.batch

    def losses(
        self, data: TrainingData, batch: Plan, forward: Forward, noise: RandomState
    ) -> dict[str, Tensor]:
        """Return what is wrong in the order of the pairs, and how far from before all are."""
        learned, pairs = _judged_parts(data)[0], batch["pair"]
        terms = torch.cat((learned.left[pairs], learned.right[pairs]))
        before = torch.cat((terms, data.names[batch["names"].flatten()]))
        after = forward(before)
        left, right = after[: len(terms)].chunk(2)
        similarities = 1 - cosine_distances(left, right)
        order = ordering_loss(similarities, learned.similar[pairs], self.temperature)
        losses = {"order": self.order_weight * order}
        if self.name_weight:
            losses["name"] = self.name_weight * cosine_distances(after, before).mean()
        return losses

    def validate(
        self, data: TrainingData, encoder: FeedForwardEncoder, noise: RandomState, tick: Tick
    ) -> float:
        """Return what is wrong in the order of the validation pairs."""
        return _wrong_order(_judged_parts(data)[1], encoder, self.temperature, tick)


def _judged_parts(data: TrainingData) -> tuple[Judgements, Judgements]:
    if data.judged is None:
        raise TrainerError("there are no judged pairs to learn from; give some")
    return data.judged


def _wrong_order(
    pairs: Judgements, encoder: FeedForwardEncoder, temperature: float, tick: Tick
) -> float:
    left, right = (unit(encoder.encode_units(side, tick)) for side in (pairs.left, pairs.right))
    return float(ordering_loss((left * right).sum(-1), pairs.similar, temperature))
