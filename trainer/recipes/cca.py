"""Names projected to where they correlate most with their concepts, in closed form ([CG] 3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.encoders.cca import CCA, fit_to
from termexplorer.trainer.recipes.base import setting
from termexplorer.trainer.recipes.common import LinearMap


@dataclass(frozen=True)
class CanonicalCorrelation(LinearMap):
    """The hyper-parameters of the linear constraint of [CG], used by itself."""

    name: ClassVar[str] = "cca"

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
