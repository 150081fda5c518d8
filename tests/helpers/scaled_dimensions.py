"""The worked example of ``trainer.recipes``: a method of our own, whole, in one file.

A weight for each dimension, ``f(n) = exp(s) * u_n``, learned so that names are nearer to the
prototype of their own class than to all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from torch import Tensor
from torch.nn.functional import cross_entropy

from termexplorer.trainer.data.sampling import random_classes
from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.files.folders import read_meta, replacing
from termexplorer.trainer.recipes.base import Plan, RecipeDefaults, Tick, best_epoch, setting
from termexplorer.trainer.recipes.common import mean_average_precision
from termexplorer.trainer.recipes.ranges import AT_LEAST_ONE, POSITIVE
from termexplorer.trainer.tensors.objectives import unit
from termexplorer.trainer.tensors.random_state import RandomState


class ScaledEncoder:
    """Scales each dimension of names at unit length."""

    kind = "scaled"

    def __init__(self, scales: Tensor):
        self.scales = scales.requires_grad_()

    @property
    def dimension(self) -> int:
        return len(self.scales)

    def __call__(self, inputs: Tensor) -> Tensor:
        return inputs * self.scales.exp()

    # What training asks for.

    def weights(self) -> dict[str, Tensor]:
        return {"scales": self.scales}

    def multiply_in(self, precision: str) -> None:
        pass  # there are no products

    def step(self, data: TrainingData, noise: RandomState, dropout: float) -> ScaledStep:
        self.scales.grad = None  # those of the step before
        return ScaledStep(self)

    # What loading and encoding ask for.

    def encode(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        with torch.no_grad():
            inputs = torch.from_numpy(np.asarray(vectors)).to(self.scales.device)
            return self(unit(inputs)).cpu().numpy()

    def save(self, folder: Path) -> None:
        with replacing(folder, {"kind": self.kind, "dimension": self.dimension}) as part:
            save_file({"scales": self.scales.detach().cpu()}, part / "weights.safetensors")

    @classmethod
    def load(cls, folder: Path, device: str = "cpu", *, verify: bool = True) -> Self:
        read_meta(folder, verify=verify)
        return cls(load_file(folder / "weights.safetensors", device=device)["scales"])


@dataclass(frozen=True)
class ScaledStep:
    """Automatic differentiation leaves nothing to do by hand."""

    encoder: ScaledEncoder

    def __call__(self, inputs: Tensor) -> Tensor:
        return self.encoder(inputs)

    def backward(self) -> None:
        pass


@dataclass(frozen=True)
class ScaledDimensions(RecipeDefaults):
    """The recipe: hyper-parameters, and what happens in an epoch."""

    name: ClassVar[str] = "scaled"
    metric: ClassVar[str] = "validation mAP"
    higher_is_better: ClassVar[bool] = True
    hidden: ClassVar[int] = 0
    dropout: ClassVar[float] = 0.0
    precision: ClassVar[str] = "float32"

    learning_rate: float = setting(0.05, "Step size of Adam", within=POSITIVE)
    temperature: float = setting(
        0.3, "The lower, the more the nearest prototypes count", within=POSITIVE
    )
    batch: int = setting(32, "Names in a step", within=AT_LEAST_ONE)
    maximum_epochs: int = setting(20, "No run is longer", within=AT_LEAST_ONE)

    @classmethod
    def paper(cls) -> Self:
        return cls()

    @classmethod
    def quick(cls) -> Self:
        return cls(batch=256)

    def prepared(self, data: TrainingData) -> TrainingData:
        return data

    def encoder(self, data: TrainingData, noise: RandomState) -> ScaledEncoder:
        return ScaledEncoder(torch.zeros(data.names.shape[1], device=data.names.device))

    def plan(
        self, data: TrainingData, encoder: ScaledEncoder, noise: RandomState, tick: Tick
    ) -> Plan:
        anchor = noise.permutation(len(data.names))
        classes = data.of_names.classes[random_classes(data.of_names, noise)]
        return {"anchor": anchor, "class": classes[anchor]}

    def batch_size(self, plan: Plan) -> int:
        return self.batch

    def losses(
        self, data: TrainingData, batch: Plan, forward: ScaledStep, noise: RandomState
    ) -> dict[str, Tensor]:
        names = data.names[batch["anchor"]]
        encoded = unit(forward(torch.cat((names, data.prototypes))))
        cosines = encoded[: len(names)] @ encoded[len(names) :].T
        return {"prototypes": cross_entropy(cosines / self.temperature, batch["class"])}

    def validate(
        self, data: TrainingData, encoder: ScaledEncoder, noise: RandomState, tick: Tick
    ) -> float:
        with torch.no_grad():
            names, mentions = encoder(data.names), encoder(data.validation)
        return mean_average_precision(data, names, mentions, tick)

    def stops(self, history: Sequence[float]) -> bool:
        return len(history) - best_epoch(history, higher_is_better=True) >= 3

    def epochs_left(self, history: Sequence[float]) -> int | None:
        return None
