"""Synonym sets by contrast, with vectors of words and letters that are learned with them.

Not one of the papers': ``contrastive``, whose encoder sees beside a name's pretrained vector what
the name is written with, so that it learns which words mean the same, and which mean little. The
vectors of words and of runs of letters are summed as Bojanowski et al. 2017 sum them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from torch import Tensor

from termexplorer.trainer.data.spelling import Spelled
from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.encoders.spelled import SpelledEncoder, spelled
from termexplorer.trainer.recipes.base import Tick, setting
from termexplorer.trainer.recipes.common import mean_average_precision
from termexplorer.trainer.recipes.contrastive import Contrastive
from termexplorer.trainer.recipes.ranges import AT_LEAST_ONE
from termexplorer.trainer.tensors.random_state import RandomState


@dataclass(frozen=True)
class ContrastiveSpelled(Contrastive):
    """The hyper-parameters of ``Contrastive``, and one more; see ``paper`` and ``quick``."""

    name: ClassVar[str] = "contrastive-spelled"

    width: int = setting(
        256, "Width of the learned vectors of words and letters", within=AT_LEAST_ONE
    )

    def prepared(self, data: TrainingData) -> TrainingData:
        """Return the data with the names taken to words and letters.

        Raises:
            ValueError: no two training names have any in common.
        """
        return replace(data, spelled=Spelled.of(data))

    def encoder(self, data: TrainingData, noise: RandomState) -> Any:
        """Return the encoder before training."""
        speller, dimension = spelled(data).speller, data.names.shape[1]
        return SpelledEncoder.initial(
            speller, dimension, self.width, self.hidden, noise, data.projection
        )

    def encoded(self, data: TrainingData, used: Tensor, forward: Any) -> Tensor:
        """Encode training names from their vectors and their spelling."""
        encoded: Tensor = forward(used)
        return encoded

    def validate(self, data: TrainingData, encoder: Any, noise: RandomState, tick: Tick) -> float:
        """Return the mAP of ranking all training names for each validation name."""
        written = spelled(data)
        names = encoder.encode_units(data.names, written.names, tick)
        mentions = encoder.encode_units(data.validation, written.validation, tick)
        return mean_average_precision(data, names, mentions, tick)
