"""Names projected to where they correlate most with their concepts, in closed form ([CG] 3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from trainer.data import TrainingData
from trainer.encoders.cca import CCA, fit_to
from trainer.recipes.base import Tick, setting
from trainer.recipes.common import mean_average_precision


@dataclass(frozen=True)
class CanonicalCorrelation:
    """The hyper-parameters of the linear constraint of [CG], used by itself."""

    name: ClassVar[str] = "cca"
    metric: ClassVar[str] = "validation mAP"
    higher_is_better: ClassVar[bool] = True
    precision: ClassVar[str] = "float64"

    power: float = setting(
        0.0, "Each dimension is weighted by its canonical correlation to this power"
    )

    @classmethod
    def paper(cls) -> CanonicalCorrelation:
        """Return the settings of the paper: all dimensions count the same."""
        return cls()

    @classmethod
    def quick(cls) -> CanonicalCorrelation:
        """Return the same settings; they take seconds."""
        return cls()

    def fit(self, data: TrainingData) -> CCA:
        """Fit to training names and the means of their concepts ([CG] 5.3)."""
        return fit_to(data, self.power)

    def losses(self, encoder: CCA) -> dict[str, float]:
        """Return what the mean canonical correlation falls short of 1."""
        return {"uncorrelated": 1 - float(encoder.correlations.mean())}

    def validate(self, data: TrainingData, encoder: CCA, tick: Tick) -> float:
        """Return the mAP of ranking all training names for each validation name."""
        names, mentions = encoder.names(data.names), encoder.names(data.validation)
        return mean_average_precision(data, names, mentions, tick)
