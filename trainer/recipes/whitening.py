"""Names less their mean, their directions evened out, in closed form and without labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from trainer.data import TrainingData
from trainer.encoders.whitening import Whitening, fit
from trainer.recipes.base import Tick, setting
from trainer.recipes.common import mean_average_precision


@dataclass(frozen=True)
class Whiten:
    """The hyper-parameters of whitening; synonyms serve for its validation figure alone."""

    name: ClassVar[str] = "whitening"
    metric: ClassVar[str] = "validation mAP"
    higher_is_better: ClassVar[bool] = True
    precision: ClassVar[str] = "float64"

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

    def validate(self, data: TrainingData, encoder: Whitening, tick: Tick) -> float:
        """Return the mAP of ranking all training names for each validation name."""
        names, mentions = encoder.names(data.names), encoder.names(data.validation)
        return mean_average_precision(data, names, mentions, tick)
