"""What the recipes of BiLSTM encoders have in common."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor

from termexplorer.trainer.data.sampling import random_classes, random_positives
from termexplorer.trainer.data.training_data import TrainingData, spread
from termexplorer.trainer.data.words import NameWords
from termexplorer.trainer.encoders.recurrent import RecurrentEncoder
from termexplorer.trainer.recipes.base import Plan, Tick
from termexplorer.trainer.recipes.common import Patient, mean_average_precision
from termexplorer.trainer.tensors.objectives import means_of_groups
from termexplorer.trainer.tensors.random_state import RandomState


class ReadsWords(Patient):
    """What does not differ between these recipes: the data, the rule to stop by, the format."""

    metric: ClassVar[str] = "validation mAP"
    higher_is_better: ClassVar[bool] = True
    reads: ClassVar[str] = "words"
    precision: ClassVar[str] = "float32"
    batch: int

    def prepared(self, data: TrainingData) -> TrainingData:
        """Return the data as they are."""
        return data

    def batch_size(self, plan: Plan) -> int:
        """Return the items of a step."""
        return self.batch

    def validate(
        self, data: TrainingData, encoder: RecurrentEncoder, noise: RandomState, tick: Tick
    ) -> float:
        """Return the mAP of ranking all training names for each validation name."""
        names = encoder.encode_words(training_words(data), tick)
        mentions = encoder.encode_words(validation_words(data), tick)
        return mean_average_precision(data, names, mentions, tick)


def training_words(data: TrainingData) -> NameWords:
    """Return the words of the training names."""
    assert data.words is not None  # noqa: S101 - whoever trains a recipe that reads words has them
    return data.words[0]


def validation_words(data: TrainingData) -> NameWords:
    """Return the words of the validation names."""
    assert data.words is not None  # noqa: S101 - as above
    return data.words[1]


def concept_means(data: TrainingData, names: Tensor) -> Tensor:
    """Return the mean of the (t, d) vectors of each class's training names, (c, d)."""
    of, _ = spread(data.class_starts, data.class_sizes)
    return means_of_groups(names, of, len(data.class_sizes), data.class_names)


def synonym_plan(data: TrainingData, noise: RandomState) -> Plan:
    """Draw for each name a class and a synonym in it, in random order.

    Returns:
        ``anchor``, ``class``, ``positive``, and ``paired``, 0 where the class has no other name.
    """
    drawn = random_classes(data.of_names, noise)
    positive, has_other = random_positives(data, drawn, noise)
    anchor = noise.permutation(len(data.of_names.counts))
    number = data.of_names.classes[drawn]
    columns = {"class": number, "positive": positive, "paired": has_other.long()}
    return {"anchor": anchor, **{name: column[anchor] for name, column in columns.items()}}


def drawn_in_batch(allowed: Tensor, noise: RandomState) -> tuple[Tensor, Tensor]:
    """Draw one allowed column of each row.

    Returns:
        (b,) int64, 0 where none is allowed, and (b,) bool, whether one is.
    """
    counts = allowed.sum(1)
    wanted = noise.below(counts) + 1
    column = (allowed.cumsum(1) < wanted[:, None]).sum(1)
    return torch.where(counts > 0, column, 0), counts > 0
