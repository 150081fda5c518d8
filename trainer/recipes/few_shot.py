"""Few-shot learning from a few names of a few classes ([FSL])."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from trainer.data import TrainingData
from trainer.encoders.network import FeedForwardEncoder, ResidualEncoder
from trainer.noise import Noise
from trainer.objectives import (
    cosine_distances,
    grounding_targets,
    masked_mean,
    triplet_hinge,
    unit,
)
from trainer.recipes.base import Forward, Plan, Tick, setting
from trainer.sampling import distance_weighted_negatives

_LOOK_BACK = 9  # epochs, as in the published code


@dataclass(frozen=True)
class FewShot:
    """The hyper-parameters of [FSL]; see ``paper`` and ``quick``."""

    name: ClassVar[str] = "few-shot"
    metric: ClassVar[str] = "validation loss"
    higher_is_better: ClassVar[bool] = False

    hidden: int = setting(9600, "Units of the hidden layer")
    dropout: float = setting(0.5, "Share of hidden units left out at random in each step")
    learning_rate: float = setting(0.001, "Step size of Adam")
    margin: float = setting(
        0.1, "How much nearer a name of the same class must be than one of another class"
    )
    batch: int = setting(
        16, "Anchors in a step, each with every other name of its class; 0 takes all names at once"
    )
    steps: int = setting(1, "Times that the names are gone through in an epoch, new dropout each")
    nearest: int = setting(1000, "Negatives are drawn from this many nearest names")
    semantic_weight: float = setting(1.0, "Weight of the loss that brings a class together")
    grounding_weight: float = setting(
        1.0, "Weight of the loss that keeps names near their pretrained vector and their class's"
    )
    noisy_validation: bool = setting(True, "Leave dropout on for the validation loss")
    minimum_epochs: int = setting(11, "No run is shorter, unless it is stopped")
    maximum_epochs: int = setting(1000, "No run is longer")
    precision: str = setting(
        "float32", "Matrix products in float32 or bfloat16; auto takes what is faster here"
    )

    @classmethod
    def paper(cls) -> FewShot:
        """Return the settings of the paper."""
        return cls()

    @classmethod
    def quick(cls) -> FewShot:
        """Return settings for two cores: all names in a step, losses from one similarity matrix.

        Its few large steps get nearer to the paper's many small ones at half their size.
        """
        return cls(batch=0, steps=4, learning_rate=0.0005, noisy_validation=False, precision="auto")

    def encoder(self, dimension: int, noise: Noise) -> FeedForwardEncoder:
        """Return the encoder of [FSL] eq. 1 before training."""
        return ResidualEncoder.initial(dimension, self.hidden, noise)

    def plan(
        self, data: TrainingData, encoder: FeedForwardEncoder, noise: Noise, tick: Tick
    ) -> Plan:
        """Draw a negative for each anchor, which all its positives share, and shuffle."""
        _check_unambiguous(data)
        encoded = unit(encoder.encode_units(data.names, tick))
        negative, found = distance_weighted_negatives(
            data, data.of_names, encoded, encoded, self.nearest, noise, tick
        )
        anchor = noise.permutation(len(data.names)) if self.batch else _in_order(encoded)
        plan = {"anchor": anchor, "negative": negative[anchor], "found": found[anchor].long()}
        return {key: column.repeat(self.steps) for key, column in plan.items()}

    def batch_size(self, plan: Plan) -> int:
        """Return the anchors of a step."""
        return self.batch or len(plan["anchor"]) // self.steps

    def losses(self, data: TrainingData, batch: Plan, forward: Forward) -> dict[str, Tensor]:
        """Return ``L_sem`` and ``L_ground`` ([FSL] eq. 2 to 4)."""
        losses = self._pair_by_pair if self.batch else self._from_one_matrix
        semantic, grounding = losses(data, batch, forward)
        return {
            "semantic": self.semantic_weight * semantic,
            "grounding": self.grounding_weight * grounding,
        }

    def _pair_by_pair(
        self, data: TrainingData, batch: Plan, forward: Forward
    ) -> tuple[Tensor, Tensor]:
        """Each anchor with every other name of its class, each place encoded by itself."""
        item, positive = _pairs(data, batch["anchor"])
        anchor, negative = batch["anchor"][item], batch["negative"][item]
        encoded = forward(data.names[torch.cat((anchor, positive, negative))])
        f_anchor, f_positive, f_negative = encoded.chunk(3)
        hinge = triplet_hinge(
            cosine_distances(f_anchor, f_positive),
            cosine_distances(f_anchor, f_negative),
            self.margin,
        )
        grounding = cosine_distances(f_anchor, _targets(data, anchor))
        return masked_mean(hinge, batch["found"][item]), grounding.sum() / max(len(anchor), 1)

    def _from_one_matrix(
        self, data: TrainingData, batch: Plan, forward: Forward
    ) -> tuple[Tensor, Tensor]:
        """The same pairs, with each name encoded once: (t, t) similarities hold all distances."""
        encoded = forward(data.names)
        units = unit(encoded)
        distances = 1 - units @ units.T
        same = _same_class(data)
        same = same & ~torch.eye(len(same), dtype=torch.bool, device=same.device)
        negative = distances.gather(1, batch["negative"][:, None])
        hinge = triplet_hinge(distances, negative, self.margin)
        everyone = _in_order(encoded)
        grounding = cosine_distances(encoded, _targets(data, everyone))
        pairs = masked_mean(hinge, same & batch["found"][:, None].bool())
        return pairs, masked_mean(grounding, same.sum(1))

    def validate(
        self, data: TrainingData, encoder: FeedForwardEncoder, noise: Noise, tick: Tick
    ) -> float:
        """Return the loss of the validation names, each against all training names of its class."""
        names = unit(encoder.encode_units(data.names, tick))
        mentions = unit(encoder.encode_units(data.validation, tick))
        negative, found = distance_weighted_negatives(
            data, data.of_validation, mentions, names, self.nearest, noise, tick
        )
        if self.noisy_validation:
            names = unit(encoder.encode_noisily(data.names, noise, self.dropout))
            mentions = unit(encoder.encode_noisily(data.validation, noise, self.dropout))
        distances = 1 - mentions @ names.T
        numbers = data.of_validation.classes
        same = data.of_names.classes[None, :] == numbers[:, None]
        hinge = triplet_hinge(distances, distances.gather(1, negative[:, None]), self.margin)
        targets = grounding_targets(data.validation, data.prototypes[numbers])
        grounding = masked_mean(cosine_distances(mentions, targets), same.sum(1))
        semantic = masked_mean(hinge, same & found[:, None])
        return float(self.semantic_weight * semantic + self.grounding_weight * grounding)

    def stops(self, history: Sequence[float]) -> bool:
        """Stop, after at least 11 epochs, once the loss is no lower than 9 epochs before."""
        if len(history) < max(self.minimum_epochs, _LOOK_BACK + 1):
            return False
        return history[-1] >= history[-1 - _LOOK_BACK]

    def epochs_left(self, history: Sequence[float]) -> int | None:
        """Return the epochs up to the least number; nothing can be said after those."""
        return self.minimum_epochs - len(history) if len(history) < self.minimum_epochs else None


def _check_unambiguous(data: TrainingData) -> None:
    for members in (data.of_names, data.of_validation):
        if (members.counts != 1).any():
            raise ValueError("few-shot trains on names of one class; leave names of several unused")


def _in_order(rows: Tensor) -> Tensor:
    return torch.arange(len(rows), device=rows.device)


def _same_class(data: TrainingData) -> Tensor:
    """Return which training names are of one class, (t, t) bool."""
    numbers = data.of_names.classes
    return numbers[:, None] == numbers[None, :]


def _targets(data: TrainingData, names: Tensor) -> Tensor:
    """Return the grounding targets of training names ([FSL] eq. 3)."""
    return grounding_targets(data.names[names], data.prototypes[data.of_names.classes[names]])


def _pairs(data: TrainingData, anchors: Tensor) -> tuple[Tensor, Tensor]:
    """Return every pair of an anchor and another name of its class.

    Returns:
        (p,) int64 places in ``anchors``, and (p,) int64 positives.
    """
    numbers = data.of_names.classes[anchors]
    others = data.class_sizes[numbers] - 1
    item = torch.repeat_interleave(_in_order(anchors), others)
    before = others.cumsum(0) - others
    place = _in_order(item) - before[item]
    place = place + (place >= data.places[anchors][item])
    return item, data.class_names[data.class_starts[numbers][item] + place]
