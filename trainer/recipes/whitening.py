"""Names less their mean, their directions evened out, in closed form and without labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.encoders.whitening import Whitening, fit
from termexplorer.trainer.recipes.base import setting
from termexplorer.trainer.recipes.common import LinearMap


@dataclass(frozen=True)
class Whiten(LinearMap):
    """The hyper-parameters of whitening; synonyms serve for its validation figure alone."""

    name: ClassVar[str] = "whitening"
    labelled: ClassVar[bool] = False  # it learns no classes

    power: float = setting(
        0.5, "0 takes only the mean away, 0.5 gives all directions the same variance"
    )

    @classmethod
    def paper(cls) -> Whiten:
        """Return the whitening of Su et al. 2021."""
        return cls()

    @classmethod
    def quick(cls) -> Whiten:
        """Return half of it, which keeps more of what the vectors say."""
        return cls(power=0.25)

    def fit(self, data: TrainingData) -> Whitening:
        """Fit to the training names."""
        return fit(data.names, self.power)

    def losses(self, encoder: Whitening) -> dict[str, float]:
        """Return how long the mean name is: 1 where all names point the same way."""
        return {"mean length": float(encoder.mean.norm())}
