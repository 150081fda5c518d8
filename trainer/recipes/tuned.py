"""The last layers of a transformer trained further, by synonym sets, definitions and parents.

Not one of the papers': the contrast of Liu et al. 2021 (SapBERT) with the negatives of a batch, and
with definitions and what a concept is a kind of beside the names, as Remy et al. 2022 (BioLORD)
have it; half of the way is taken (Wortsman et al. 2022).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from torch import Tensor

from termexplorer.trainer.data.training_data import TrainingData, names_of
from termexplorer.trainer.encoders.tuned import TunedTransformer, training_pieces
from termexplorer.trainer.recipes.base import Tick, setting
from termexplorer.trainer.recipes.common import mean_average_precision, precision_setting
from termexplorer.trainer.recipes.contrastive import TellsSynonyms
from termexplorer.trainer.recipes.ranges import AT_LEAST_ONE, POSITIVE, SHARE_OR_ALL
from termexplorer.trainer.tensors.random_state import RandomState


@dataclass(frozen=True)
class Tuned(TellsSynonyms):
    """The hyper-parameters; see ``paper`` and ``quick``."""

    name: ClassVar[str] = "tuned"
    reads: ClassVar[str] = "pieces"
    hidden: ClassVar[int] = 1536  # of its layers, to settle the number format by
    dropout: ClassVar[float] = 0.0

    layers: int = setting(
        12,
        "Last layers of the transformer that are trained, if it has so many; the others stay",
        within=AT_LEAST_ONE,
    )
    longest: int = setting(
        32, "Pieces of words that are read of a name or definition in training", within=AT_LEAST_ONE
    )
    learning_rate: float = setting(5e-5, "Step size of Adam", within=POSITIVE)
    batch: int = setting(
        256, "Pairs in a step; each pushes away all the others", within=AT_LEAST_ONE
    )
    pairs: int = setting(0, "Pairs in an epoch, drawn anew; 0: one of each name that has synonyms")
    definitions: bool = setting(
        True, "Learn the definitions of an ontology's concepts as if they were names of them"
    )
    parents: bool = setting(True, "Learn to tell what an ontology's concepts are kinds of")
    share: float = setting(
        0.5,
        "How far the encoder is taken from the untrained transformer to the trained one; 1: all the"
        " way",
        within=SHARE_OR_ALL,
    )
    temperature: float = setting(
        0.05, "The lower, the more the nearest of the others count", within=POSITIVE
    )
    contrast_weight: float = setting(1.0, "Weight of the loss that tells synonyms from others")
    name_weight: float = setting(
        0.0, "Weight of the loss that keeps names near what the transformer says untrained"
    )
    prototype_weight: float = setting(
        0.0, "Weight of the loss that draws names to the mean of their concept's untrained vectors"
    )
    patience: int = setting(
        1, "Epochs without a better validation mAP before it stops", within=AT_LEAST_ONE
    )
    maximum_epochs: int = setting(10, "No run is longer", within=AT_LEAST_ONE)
    precision: str = precision_setting()

    @classmethod
    def paper(cls) -> Tuned:
        """Return settings for a large machine: all names in an epoch."""
        return cls()

    @classmethod
    def quick(cls) -> Tuned:
        """Return settings for two cores: short epochs, and few of them."""
        return cls(pairs=25_600, maximum_epochs=4, precision="auto")

    @property
    def grounded(self) -> bool:
        """Whether a loss needs the vectors of names by the untrained transformer."""
        return bool(self.name_weight or self.prototype_weight)

    def encoder(self, data: TrainingData, noise: RandomState) -> TunedTransformer:
        """Return the transformer's last layers before training."""
        return TunedTransformer.initial(training_pieces(data).reader, self.layers, self.share)

    def encoded(self, data: TrainingData, used: Tensor, forward: Any) -> Tensor:
        """Encode training names from their text."""
        encoded: Tensor = forward(used, self.longest)
        return encoded

    def validate(
        self, data: TrainingData, encoder: TunedTransformer, noise: RandomState, tick: Tick
    ) -> float:
        """Return the mAP of ranking, for each validation name, the names of all their concepts.

        Reading all the other training names as well would take longer than an epoch.
        """
        assert data.pieces is not None  # noqa: S101 - as in training
        among = names_of(data, torch.unique(data.of_validation.classes))
        everyone = torch.arange(len(data.validation), device=among.device)
        names, mentions = (
            part.encode_all(chosen, encoder.taken(), tick)
            for part, chosen in zip(data.pieces, (among, everyone), strict=True)
        )
        return mean_average_precision(data, names, mentions, tick, among)
