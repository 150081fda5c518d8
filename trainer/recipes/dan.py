"""Classes on a chosen level, learned by a deep averaging network ([HLS])."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from trainer.data import TrainingData
from trainer.encoders.network import DAN, FeedForwardEncoder
from trainer.noise import Noise
from trainer.objectives import (
    cosine_distances,
    grounding_targets,
    masked_mean,
    triplet_hinge,
    unit,
)
from trainer.recipes.base import Forward, Plan, Tick, best_epoch, setting
from trainer.retrieval import average_precisions, rows_at_a_time
from trainer.sampling import distance_weighted_negatives, random_classes, random_positives


@dataclass(frozen=True)
class DeepAveraging:
    """The hyper-parameters of [HLS]; see ``paper`` and ``quick``."""

    name: ClassVar[str] = "dan"
    metric: ClassVar[str] = "validation mAP"
    higher_is_better: ClassVar[bool] = True

    hidden: int = setting(76_800, "Units of the hidden layer")
    dropout: float = setting(0.5, "Share of hidden units left out at random in each step")
    learning_rate: float = setting(0.001, "Step size of Adam")
    margin: float = setting(
        0.1, "How much nearer a name of the same class must be than one of another class"
    )
    batch: int = setting(64, "Triplets in a step")
    nearest: int = setting(200, "Negatives are drawn from this many nearest names")
    semantic_weight: float = setting(1.0, "Weight (alpha) of the loss that brings a class together")
    context_weight: float = setting(
        1.0, "Weight (beta) of the loss that keeps names near their pretrained vector"
    )
    grounding_weight: float = setting(
        1.0, "Weight (gamma) of the loss that draws names towards their class's pretrained vector"
    )
    patience: int = setting(10, "Stop after this many epochs without a better validation mAP")
    maximum_epochs: int = setting(1000, "No run is longer")
    precision: str = setting(
        "float32", "Matrix products in float32 or bfloat16; auto takes what is faster here"
    )

    @classmethod
    def paper(cls) -> DeepAveraging:
        """Return the settings of the paper."""
        return cls()

    @classmethod
    def quick(cls) -> DeepAveraging:
        """Return settings for two cores: a smaller hidden layer and larger batches."""
        return cls(hidden=9600, batch=256, precision="auto")

    def encoder(self, dimension: int, noise: Noise) -> FeedForwardEncoder:
        """Return the encoder of [HLS] eq. 1 before training."""
        return DAN.initial(dimension, self.hidden, noise)

    def plan(
        self, data: TrainingData, encoder: FeedForwardEncoder, noise: Noise, tick: Tick
    ) -> Plan:
        """Draw one triplet for each name, whatever the size of its class, and shuffle."""
        encoded = unit(encoder.encode_units(data.names, tick))
        negative, found = distance_weighted_negatives(
            data, data.of_names, encoded, encoded, self.nearest, noise, tick
        )
        drawn = random_classes(data.of_names, noise)
        positive, has_other = random_positives(data, drawn, noise)
        anchor = noise.permutation(len(data.names))
        columns = {
            "positive": positive,
            "negative": negative,
            "class": data.of_names.classes[drawn],
            "complete": (found & has_other).long(),
        }
        return {"anchor": anchor, **{key: column[anchor] for key, column in columns.items()}}

    def batch_size(self, plan: Plan) -> int:
        """Return the triplets of a step."""
        return self.batch

    def losses(self, data: TrainingData, batch: Plan, forward: Forward) -> dict[str, Tensor]:
        """Return ``L_sem``, ``L_cont`` and ``L_ground`` ([HLS] eq. 2 to 6)."""
        anchor = batch["anchor"]
        encoded = forward(data.names[torch.cat((anchor, batch["positive"], batch["negative"]))])
        f_anchor, f_positive, f_negative = encoded.chunk(3)
        hinge = triplet_hinge(
            cosine_distances(f_anchor, f_positive),
            cosine_distances(f_anchor, f_negative),
            self.margin,
        )
        names = data.names[anchor]
        targets = grounding_targets(names, data.prototypes[batch["class"]])
        return {
            "semantic": self.semantic_weight * masked_mean(hinge, batch["complete"]),
            "context": self.context_weight * cosine_distances(f_anchor, names).mean(),
            "grounding": self.grounding_weight * cosine_distances(f_anchor, targets).mean(),
        }

    def validate(
        self, data: TrainingData, encoder: FeedForwardEncoder, noise: Noise, tick: Tick
    ) -> float:
        """Return the mAP of ranking all training names for each validation name."""
        names = unit(encoder.encode_units(data.names, tick))
        mentions = unit(encoder.encode_units(data.validation, tick))
        everyone = torch.arange(len(mentions), device=mentions.device)
        precisions = []
        size = max(1, rows_at_a_time(len(names)) // 4)  # sorting takes longer
        for start in range(0, len(everyone), size):
            tick()
            block = everyone[start : start + size]
            relevant = data.sharing(data.of_validation, block)
            precisions.append(average_precisions(mentions[block] @ names.T, relevant))
        return float(torch.cat(precisions).nanmean())

    def stops(self, history: Sequence[float]) -> bool:
        """Stop once the validation mAP has not improved over 10 epochs ([HLS] 5.2)."""
        return len(history) - best_epoch(history, higher_is_better=True) >= self.patience

    def epochs_left(self, history: Sequence[float]) -> int | None:
        """Return the epochs that come even if none improves."""
        return best_epoch(history, higher_is_better=True) + self.patience - len(history)
