"""Means of words in which frequent ones count less, in closed form and without labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.encoders.sif import SmoothInverseFrequency, fit
from termexplorer.trainer.recipes.base import RecipeDefaults, Tick, setting
from termexplorer.trainer.recipes.common import check_values, mean_average_precision
from termexplorer.trainer.recipes.ranges import POSITIVE
from termexplorer.trainer.recipes.recurrent import training_words, validation_words


@dataclass(frozen=True)
class WeightedWords(RecipeDefaults):
    """The hyper-parameters of SIF; synonyms serve for its validation figure alone."""

    name: ClassVar[str] = "sif"
    metric: ClassVar[str] = "validation mAP"
    higher_is_better: ClassVar[bool] = True
    reads: ClassVar[str] = "words"
    labelled: ClassVar[bool] = False  # it learns no classes
    precision: ClassVar[str] = "float32"

    smoothing: float = setting(
        1e-3,
        "The a of a / (a + p), the weight of a word with the share p of all words",
        within=POSITIVE,
    )

    def __post_init__(self) -> None:
        check_values(self)

    @classmethod
    def paper(cls) -> WeightedWords:
        """Return the weights of Arora et al. 2017."""
        return cls()

    @classmethod
    def quick(cls) -> WeightedWords:
        """Return the same settings; they take seconds."""
        return cls()

    def fit(self, data: TrainingData) -> SmoothInverseFrequency:
        """Fit to the training names."""
        return fit(training_words(data), self.smoothing)

    def losses(self, encoder: SmoothInverseFrequency) -> dict[str, float]:
        """Return how long the mean of words is: 1 where all point the same way."""
        return {"mean length": float(encoder.common.norm())}

    def validate(self, data: TrainingData, encoder: SmoothInverseFrequency, tick: Tick) -> float:
        """Return the mAP of ranking all training names for each validation name."""
        names = encoder.encode_words(training_words(data))
        mentions = encoder.encode_words(validation_words(data))
        return mean_average_precision(data, names, mentions, tick)
