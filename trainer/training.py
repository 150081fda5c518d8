"""Training yields facts, an epoch at a time; the caller saves, draws and stops."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from trainer.data import TrainingData
from trainer.encoders.base import Trainable
from trainer.measures.base import TokenVectors
from trainer.names import LabelledNames
from trainer.noise import Noise
from trainer.rates import bfloat16_pays
from trainer.recipes.base import Plan, Recipe, agrees, best_epoch, settings
from trainer.splits import Parts
from trainer.state import read_state, write_state

if TYPE_CHECKING:
    from trainer.closed_form import ClosedForm

BEST, STATE = "best", "state"

_WRITING_SHARE = 0.03  # of the time may go into writing the state
_PAUSE = 0.05  # seconds between looks at the control
_ROWS = 512  # of the product whose rate decides on the number format
_MOMENTS = ("exp_avg", "exp_avg_sq")


class DivergedError(ValueError):
    """The loss is no finite number any more; the best epoch before that is kept."""


class Control(Protocol):
    """What a caller can ask of a run while it is going on."""

    def paused(self) -> bool:
        """Say whether to wait."""
        ...

    def stopped(self) -> bool:
        """Say whether to stop and keep the best epoch."""
        ...


class Unattended:
    """A control that lets a run go on."""

    def paused(self) -> bool:
        """Never."""
        return False

    def stopped(self) -> bool:
        """Never."""
        return False


@dataclass(frozen=True)
class EpochReport:
    """What an epoch came to.

    Attributes:
        epoch: its number, from 1.
        losses: the mean of each part of the training loss.
        validation: the figure that the run is stopped by.
        validation_metric: its name.
        higher_is_better: whether a higher figure is the better one.
        names_per_second: items of the epoch trained on in a second, sampling included.
        seconds: the epoch took, validation included, pauses not.
        best_epoch: the number of the best epoch so far.
        estimated_epochs_left: at the least; None where nothing can be said.
    """

    epoch: int
    losses: dict[str, float]
    validation: float
    validation_metric: str
    higher_is_better: bool
    names_per_second: float
    seconds: float
    best_epoch: int
    estimated_epochs_left: int | None


class _Stopped(Exception):  # noqa: N818
    """Raised inside an epoch when the control asks for a stop."""


def settled_precision(recipe: Recipe[Any], dimension: int, device: str) -> str:
    """Return the number format of the matrix products: the recipe's, or what pays here.

    A run that is to be repeated exactly keeps the answer and puts it in the place of ``auto``.

    Returns:
        ``float32`` or ``bfloat16``.
    """
    if recipe.precision != "auto":
        return recipe.precision
    pays = bfloat16_pays(_ROWS, dimension, recipe.hidden, device)
    return "bfloat16" if pays else "float32"


def train(
    recipe: Recipe[Any] | ClosedForm,
    labels: LabelledNames,
    parts: Parts,
    vectors: NDArray[np.float32],
    *,
    seed: int,
    device: str,
    state_dir: Path,
    source: TokenVectors | None = None,
    control: Control | None = None,
    resume: bool = False,
) -> Iterator[EpochReport]:
    """Train an encoder, yielding a report after each epoch; one in closed form has only one.

    The best encoder is in ``state_dir / "best"`` once the iterator ends, by its own rule, by
    ``control``, or by an error. The same seed, machine and number of threads give the same figures,
    also when the run is stopped or killed and resumed.

    Args:
        recipe: the method, with its hyper-parameters.
        labels: n names and their classes.
        parts: (n,) uint8, see ``trainer.splits``.
        vectors: (n, d) float32, the pretrained vectors of the names.
        seed: of everything random.
        device: as torch names it.
        state_dir: where the best encoder and the resume state go.
        source: of word vectors, which recipes that read words need.
        control: looked at between steps.
        resume: go on from the state in ``state_dir``.

    Raises:
        ValueError: for data that cannot be trained on, or no sound state to resume from.
        DivergedError: when the loss or the validation figure is no finite number.
    """
    from trainer.closed_form import ClosedForm, fitted

    data = TrainingData.prepare(labels, parts, vectors, torch.device(device), source)
    control = control or Unattended()
    if isinstance(recipe, ClosedForm):
        yield from fitted(recipe, data, state_dir, control)
        return
    data = recipe.prepared(data)
    run = _Run(recipe, data, seed, state_dir, control)
    if resume:
        run.restore()
    try:
        yield from run.epochs()
    finally:
        run.keep()


class _Run:
    """A run in progress: all that changes, and how it is written and read."""

    def __init__(
        self, recipe: Recipe[Any], data: TrainingData, seed: int, folder: Path, control: Control
    ):
        self.recipe, self.data, self.folder, self.control = recipe, data, folder, control
        self.noise = Noise(seed, data.names.device)
        self.encoder: Trainable = recipe.encoder(data, self.noise)
        self.weights = self.encoder.weights()
        device = str(data.names.device)
        self.precision = settled_precision(recipe, self.encoder.dimension, device)
        weights = list(self.weights.values())
        self.adam = torch.optim.Adam(weights, lr=recipe.learning_rate, fused=True)
        self.best = {name: weight.detach().clone() for name, weight in self.weights.items()}
        self.history: list[float] = []
        self.plan: Plan | None = None
        self.item = 0  # of the plan, the next to train on
        self.sums: dict[str, float] = {}
        self.seconds = 0.0  # of this epoch
        self.diverged = False
        self.encoder.multiply_in(self.precision)
        self._mark()
        self._written = time.monotonic()
        self._writing = 0.0

    def epochs(self) -> Iterator[EpochReport]:
        """Yield a report after each epoch until the rule or the control stops the run."""
        while not self._finished():
            try:
                yield self._epoch()
            except _Stopped:
                return

    def _finished(self) -> bool:
        recipe, history = self.recipe, self.history
        return bool(history) and (len(history) >= recipe.maximum_epochs or recipe.stops(history))

    def _epoch(self) -> EpochReport:
        self._clock = time.perf_counter()
        if self.plan is None:
            plan = self.recipe.plan(self.data, self.encoder, self.noise, self._tick)
            self.plan, self.item, self.sums = plan, 0, {}
            self._mark()
        items = _length(self.plan)
        self._steps(self.plan, items)
        trained = self.seconds + time.perf_counter() - self._clock
        value = self.recipe.validate(self.data, self.encoder, self.noise, self._tick)
        self._check_finite(value, "validation figure")
        self.history.append(value)
        self._take_best()
        self.plan, losses = None, {name: total / items for name, total in self.sums.items()}
        seconds, self.seconds = self.seconds + time.perf_counter() - self._clock, 0.0
        self._mark()
        self._write_now_and_then()
        return self._report(losses, items / max(trained, 1e-9), seconds)

    def _report(self, losses: dict[str, float], rate: float, seconds: float) -> EpochReport:
        recipe, history = self.recipe, self.history
        return EpochReport(
            epoch=len(history),
            losses=losses,
            validation=history[-1],
            validation_metric=recipe.metric,
            higher_is_better=recipe.higher_is_better,
            names_per_second=rate,
            seconds=seconds,
            best_epoch=best_epoch(history, higher_is_better=recipe.higher_is_better),
            estimated_epochs_left=0 if self._finished() else recipe.epochs_left(history),
        )

    def _steps(self, plan: Plan, items: int) -> None:
        size = self.recipe.batch_size(plan)
        while self.item < items:
            self._tick()
            batch = {name: column[self.item : self.item + size] for name, column in plan.items()}
            losses = self._step(batch)
            count = _length(batch)
            for name, loss in losses.items():
                self.sums[name] = self.sums.get(name, 0.0) + loss * count
            self.item += count
            self._mark()

    def _step(self, batch: Plan) -> dict[str, float]:
        """Take one step of Adam; return the parts of the loss."""
        step = self.encoder.step(self.data, self.noise, self.recipe.dropout)
        losses = self.recipe.losses(self.data, batch, step, self.noise)
        total = torch.stack(list(losses.values())).sum()
        self._check_finite(float(total.detach()), "loss")
        torch.autograd.backward(total)
        step.backward()
        self.adam.step()
        return {name: float(loss.detach()) for name, loss in losses.items()}

    def _check_finite(self, value: float, what: str) -> None:
        if not math.isfinite(value):
            self.diverged = True
            raise DivergedError(
                f"the {what} is {value} in epoch {len(self.history) + 1}; "
                "the best epoch before is kept; try a smaller learning rate"
            )

    def _take_best(self) -> None:
        best = best_epoch(self.history, higher_is_better=self.recipe.higher_is_better)
        if best == len(self.history):
            _copy(self.weights, self.best)

    def _tick(self) -> None:
        """Wait while paused, and leave the epoch when stopped; both write the state first."""
        if self.control.stopped():
            self._write()
            raise _Stopped
        if not self.control.paused():
            return
        self.seconds += time.perf_counter() - self._clock
        self._write()
        while self.control.paused() and not self.control.stopped():
            time.sleep(_PAUSE)
        self._clock = time.perf_counter()
        self._tick()

    def _mark(self) -> None:
        """Remember the random numbers' state at a point that a resumed run can start from."""
        self._noise_state = self.noise.state()

    def _write_now_and_then(self) -> None:
        """Write the state when that costs no more than a small share of the time."""
        if time.monotonic() - self._written >= self._writing / _WRITING_SHARE:
            self._write()

    def _write(self) -> None:
        start = time.monotonic()
        torch_state, numpy_state = self._noise_state
        write_state(
            self.folder / STATE,
            self._tensors() | {"noise": torch_state},
            {
                "recipe": settings(self.recipe),
                "noise": numpy_state,
                "history": self.history,
                "item": self.item,
                "sums": self.sums,
                "seconds": self.seconds,
                "precision": self.precision,
                "sizes": self._sizes(),
            },
        )
        self._written = time.monotonic()
        self._writing = self._written - start

    def _sizes(self) -> list[int]:
        """Return what a state must agree with: names, held-out names, classes, width."""
        data = self.data
        return [len(data.names), len(data.validation), *data.prototypes.shape]

    def _tensors(self) -> dict[str, Tensor]:
        tensors = {f"plan.{name}": column for name, column in (self.plan or {}).items()}
        for name, weight in self.weights.items():
            tensors |= {name: weight, f"best.{name}": self.best[name]}
            for key, value in self.adam.state[weight].items():
                tensors[f"{key}.{name}"] = value
        return tensors

    def restore(self) -> None:
        """Go on from the state in the run's folder.

        Raises:
            ValueError: where there is none, or one of another recipe or shape.
        """
        tensors, record = read_state(self.folder / STATE)
        if not agrees(self.recipe, record["recipe"]):
            raise ValueError(f"{self.folder / STATE} is of a run with other settings; start anew")
        if record["sizes"] != self._sizes():
            raise ValueError(f"{self.folder / STATE} is of other names or vectors; start anew")
        device = self.data.names.device
        _copy(tensors, self.weights)
        _copy({name: tensors[f"best.{name}"] for name in self.best}, self.best)
        for name, weight in self.weights.items():
            self._restore_moments(name, weight, tensors)
        plan = {key[5:]: value.to(device) for key, value in tensors.items() if key[:5] == "plan."}
        self.plan = plan or None
        self.precision = record["precision"]
        self.encoder.multiply_in(self.precision)
        self.history, self.item, self.sums = record["history"], record["item"], record["sums"]
        self.seconds = record["seconds"]
        self.noise.restore(tensors["noise"], record["noise"])
        self._mark()

    def _restore_moments(self, name: str, weight: Tensor, tensors: dict[str, Tensor]) -> None:
        if f"step.{name}" in tensors:
            self.adam.state[weight] = {
                "step": tensors[f"step.{name}"].to(weight.device),
                **{key: tensors[f"{key}.{name}"].to(weight.device) for key in _MOMENTS},
            }

    def keep(self) -> None:
        """Write the best encoder, if an epoch was completed."""
        if self.history:
            _copy(self.best, self.weights)  # the run is over: nothing else needs them
            self.encoder.save(self.folder / BEST)


@torch.no_grad()
def _copy(source: dict[str, Tensor], target: dict[str, Tensor]) -> None:
    """Write the tensors of ``source`` over those of the same names in ``target``."""
    for name, tensor in target.items():
        tensor.copy_(source[name])


def _length(plan: Plan) -> int:
    return len(next(iter(plan.values())))
