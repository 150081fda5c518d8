"""All that changes while a run goes on, and how it is written and read."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.encoders.base import Trainable
from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.recipes.base import Plan, Recipe, agrees, kept_epoch, settings
from termexplorer.trainer.tensors.adam import Adam
from termexplorer.trainer.tensors.matmul_speed import paying_precision
from termexplorer.trainer.tensors.random_state import RandomState
from termexplorer.trainer.training.state import read_state, write_state

_SAMPLE = 64  # vectors that are compared
_ALIKE = 0.02  # by how much numbers of a vector at unit length may differ in another format
_MOMENTS = ("exp_avg", "exp_avg_sq")


def settled_precision(recipe: Recipe[Any], dimension: int, device: str) -> str:
    """Return the number format of the matrix products: the recipe's, or what pays here.

    A run that is to be repeated exactly keeps the answer and puts it in the place of ``auto``.

    Returns:
        ``float32`` or ``bfloat16``.
    """
    if recipe.precision != "auto":
        return recipe.precision
    return paying_precision(dimension, recipe.hidden, device)


class RunState:
    """A run as far as it has come.

    Attributes:
        encoder: that is trained.
        adam: which trains it.
        history: the figure of each finished epoch.
        input_figure: that of the input as it is, for encoders that can leave it so; None for
            others, and until it is known.
        plan: of the epoch that is under way; None between epochs.
        item: of the plan, the next to train on.
        sums: of the parts of the loss over the items before, on the device.
        seconds: that this epoch took so far.
    """

    def __init__(self, recipe: Recipe[Any], data: TrainingData, noise: RandomState) -> None:
        self._recipe, self._data, self._noise = recipe, data, noise
        self.encoder: Trainable = recipe.encoder(data, noise)
        self._weights = self.encoder.weights()
        device = str(data.names.device)
        self._precision = settled_precision(recipe, self.encoder.dimension, device)
        self.adam = Adam(self._weights.values(), recipe.learning_rate)
        self._best = {name: weight.detach().clone() for name, weight in self._weights.items()}
        self.history: list[float] = []
        self.input_figure: float | None = None
        self.plan: Plan | None = None
        self.item = 0
        self.sums: dict[str, Tensor | float] = {}
        self.seconds = 0.0
        self.encoder.multiply_in(self._precision)
        self.mark()

    def mark(self) -> None:
        """Remember the random numbers' state at a point that a resumed run can start from."""
        self._noise_state = self._noise.state()

    @property
    def best_epoch(self) -> int:
        """The epoch that is kept; 0 where none is as good as the input as it is."""
        higher = self._recipe.higher_is_better
        return kept_epoch(self.history, self.input_figure, higher_is_better=higher)

    def take_best(self) -> None:
        """Keep the weights if the last epoch is the best one."""
        if self.best_epoch == len(self.history):
            _copy_tensors(self._weights, self._best)

    def score_input(self, validate: Callable[[], float]) -> None:
        """Take the figure of the input as it is, if the encoder can leave it so, and keep that.

        Weights and random numbers are afterwards what they were, also where ``validate`` raises.
        """
        make = getattr(self.encoder, "input_weights", None)
        if make is None:
            return
        weights, noise = dict(self._best), self._noise.state()
        before = {name: weight.detach().clone() for name, weight in self._weights.items()}
        weights |= make()
        try:
            _copy_tensors(weights, self._weights)
            self.input_figure = validate()
        finally:
            _copy_tensors(before, self._weights)
            self._noise.restore(*noise)
        _copy_tensors(weights, self._best)

    def save_best(self, folder: Path) -> None:
        """Write the best encoder, if an epoch was completed; the run is over then."""
        if self.history:
            _copy_tensors(self._best, self._weights)  # nothing else needs them
            self.encoder.save(folder)

    def write(self, folder: Path) -> None:
        """Write all that a resumed run needs."""
        torch_state, numpy_state = self._noise_state
        write_state(
            folder,
            self._tensors() | {"noise": torch_state},
            {
                "recipe": settings(self._recipe),
                "noise": numpy_state,
                "history": self.history,
                "input": self.input_figure,
                "item": self.item,
                "sums": {name: float(total) for name, total in self.sums.items()},
                "seconds": self.seconds,
                "precision": self._precision,
                "seed": self._noise.seed,
                "sizes": self._sizes(),
                "names": self._names(),
                "classes": self._classes(),
            },
        )

    def restore(self, folder: Path) -> None:
        """Go on from what was written.

        Raises:
            ValueError: where there is none, or one of another recipe, seed or data.
        """
        tensors, record = read_state(folder)
        if not agrees(self._recipe, record["recipe"]):
            raise TrainerError(
                "{folder} is of a run with other settings; start anew", folder=folder
            )
        # what a state of an earlier version does not tell cannot be held against it
        if (seed := record.get("seed", self._noise.seed)) != self._noise.seed:
            raise TrainerError(
                "{folder} is of a run with seed {seed}; take that one, or start anew",
                folder=folder,
                seed=seed,
            )
        same = record["sizes"] == self._sizes() and record.get("names") in (None, self._names())
        sample = self._sample()
        before = tensors.get("sample", tensors.get("first", sample))  # the latter is the first row
        if not same or not torch.allclose(before, sample[: len(before)], atol=_ALIKE):
            raise TrainerError("{folder} is of other names or vectors; start anew", folder=folder)
        if record.get("classes") not in (None, self._classes()):
            raise TrainerError(
                "{folder} is of other classes or judged pairs; start anew", folder=folder
            )
        device = self._data.names.device
        _copy_tensors(tensors, self._weights)
        _copy_tensors({name: tensors[f"best.{name}"] for name in self._best}, self._best)
        for name, weight in self._weights.items():
            self._restore_moments(name, weight, tensors)
        plan = {key[5:]: value.to(device) for key, value in tensors.items() if key[:5] == "plan."}
        self.plan = plan or None
        self._precision = record["precision"]
        self.encoder.multiply_in(self._precision)
        self.history, self.item, self.sums = record["history"], record["item"], record["sums"]
        self.seconds, self.input_figure = record["seconds"], record.get("input")
        self._noise.restore(tensors["noise"], record["noise"])
        self.mark()

    def _restore_moments(self, name: str, weight: Tensor, tensors: dict[str, Tensor]) -> None:
        if f"step.{name}" in tensors:
            self.adam.state[weight] = {
                "step": tensors[f"step.{name}"].to(weight.device),
                **{key: tensors[f"{key}.{name}"].to(weight.device) for key in _MOMENTS},
            }

    def _sizes(self) -> list[int]:
        """Return what a state must agree with: names, held-out names, classes, width."""
        data = self._data
        return [len(data.names), len(data.validation), *data.prototypes.shape]

    def _names(self) -> str:
        """Return a hash of the training and the held-out names as they are written."""
        return sha256(repr(self._data.texts).encode()).hexdigest()

    def _classes(self) -> str:
        """Return a hash of the classes of all these names, and of what people judged."""
        data = self._data
        tensors = [
            tensor for m in (data.of_names, data.of_validation) for tensor in (m.counts, m.classes)
        ]
        tensors += [judged.similar for judged in data.judged or ()]
        digest = sha256()
        for tensor in tensors:
            digest.update(tensor.cpu().numpy().tobytes())
        return digest.hexdigest()

    def _sample(self) -> Tensor:
        """Return the vectors of some of the names, (s, d), on the processor."""
        count = len(self._data.names)
        return self._data.names[:: -(-count // _SAMPLE)].cpu()

    def _tensors(self) -> dict[str, Tensor]:
        tensors = {"sample": self._sample()}
        tensors |= {f"plan.{name}": column for name, column in (self.plan or {}).items()}
        for name, weight in self._weights.items():
            tensors |= {name: weight, f"best.{name}": self._best[name]}
            for key, value in self.adam.state.get(weight, {}).items():
                tensors[f"{key}.{name}"] = value
        return tensors


@torch.no_grad()
def _copy_tensors(source: dict[str, Tensor], target: dict[str, Tensor]) -> None:
    """Write the tensors of ``source`` over those of the same names in ``target``."""
    for name, tensor in target.items():
        tensor.copy_(source[name])
