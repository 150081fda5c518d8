"""Training yields facts, an epoch at a time; the caller saves, draws and stops."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from termexplorer.trainer.data.judged_pairs import JudgedPairs
from termexplorer.trainer.data.splits import TRAIN, Parts
from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.errors import Message, TrainerError
from termexplorer.trainer.measures.base import TokenVectors
from termexplorer.trainer.recipes.base import Plan, Recipe, Tick
from termexplorer.trainer.representations.pieces import PieceReader
from termexplorer.trainer.tensors.random_state import RandomState
from termexplorer.trainer.tensors.ranks import (
    AgreedControl,
    RankLostError,
    Ranks,
)
from termexplorer.trainer.tensors.single_precision import unrounded
from termexplorer.trainer.text.names import LabelledNames
from termexplorer.trainer.training.closed_form import ClosedForm, fitted
from termexplorer.trainer.training.collapsed import fit_evening
from termexplorer.trainer.training.epochs import (
    BEST,
    STATE,
    DivergedError,
    EpochReport,
    RunControl,
    Unattended,
)
from termexplorer.trainer.training.run_state import RunState, settled_precision
from termexplorer.trainer.training.steps import OptimizerSteps

__all__ = [
    "BEST",
    "STATE",
    "DivergedError",
    "EpochReport",
    "RunControl",
    "Unattended",
    "settled_precision",
    "train",
]

_WRITING_SHARE = 0.03  # of the time may go into writing the state
_PAUSE = 0.05  # seconds between looks at the control
_LARGEST = 1e8  # weight; products of larger ones overflow, and what is brought to unit length is 0
_LOOK = 50  # steps between looks at the losses, which a graphics processor is to be waited for


class _EpochStopped(Exception):  # noqa: N818
    """Raised inside an epoch when the control asks for a stop."""


def train(
    recipe: Recipe[Any] | ClosedForm,
    labels: LabelledNames,
    parts: Parts,
    vectors: NDArray[np.float32],
    *,
    seed: int,
    device: str,
    state_dir: Path,
    source: TokenVectors | PieceReader | None = None,
    judged: JudgedPairs | None = None,
    control: RunControl | None = None,
    resume: bool = False,
    ranks: Ranks | None = None,
) -> Iterator[EpochReport]:
    """Train an encoder, yielding a report after each epoch; one in closed form has only one.

    Collapsed vectors, of names that are nearly all alike, are evened out first for recipes that
    learn nothing from them otherwise; what does so is a part of the encoder.

    Where no epoch is as good on the validation names as the input itself, the encoder leaves that
    as it is, if its kind can.

    The best encoder is in ``state_dir / "best"`` once the iterator ends, by its own rule, by
    ``control``, or by an error. The same seed, machine and number of threads give the same figures,
    also when the run is stopped or killed and resumed.

    Args:
        recipe: the method, with its hyper-parameters.
        labels: n names and their classes.
        parts: (n,) uint8, see ``trainer.data.splits``.
        vectors: (n, d) float32, the pretrained vectors of the names.
        seed: of everything random.
        device: as torch names it.
        state_dir: where the best encoder and the resume state go.
        source: of word vectors, which recipes that read words need, or the transformer that one
            trains on, which is taken to the device.
        judged: pairs of terms, for recipes that learn from them.
        control: looked at between steps.
        resume: go on from the state in ``state_dir``, which all processes see.
        ranks: the processes that train together, each called with the same; None for one alone.
            The first one is asked by ``control``, and writes.

    Raises:
        ValueError: for data that cannot be trained on, no sound state to resume from, or several
            processes for an encoder in closed form.
        RankLostError: when another process is gone; the state of the last step is written.
        DivergedError: when the loss or the validation figure is no finite number, or a weight is
            larger than products can hold.
    """
    if isinstance(source, PieceReader):
        source.to(torch.device(device))
    data = _prepare_data(recipe, labels, parts, vectors, device, source, judged)
    control = control or Unattended()
    if isinstance(recipe, ClosedForm):
        _refuse_ranks(recipe, ranks)
        yield from fitted(recipe, data, state_dir, control)
        return
    data = recipe.prepared(data)
    run = _Run(recipe, data, seed, state_dir, control, ranks)
    if resume:
        run.state.restore(state_dir / STATE)
    try:
        yield from run.epochs()
    except RankLostError:
        run.write_state()
        raise
    finally:
        if run.writes:
            run.state.save_best(state_dir / BEST)


def _refuse_ranks(recipe: ClosedForm, ranks: Ranks | None) -> None:
    if ranks is not None:
        raise TrainerError(
            "{recipe} is computed in one go, on one device; leave --devices out", recipe=recipe.name
        )


def _prepare_data(
    recipe: Recipe[Any] | ClosedForm,
    labels: LabelledNames,
    parts: Parts,
    vectors: NDArray[np.float32],
    device: str,
    source: TokenVectors | PieceReader | None,
    judged: JudgedPairs | None,
) -> TrainingData:
    """Return the data on the device, collapsed vectors evened out where the recipe wants that."""
    evening = None
    if not isinstance(recipe, ClosedForm) and recipe.evened:
        evening = fit_evening(vectors[parts == TRAIN])
    if evening is not None:
        vectors = evening.encode(vectors)
        judged = judged and replace(judged, vectors=evening.encode(judged.vectors))
    data = TrainingData.prepare(
        labels, parts, vectors, torch.device(device), source, judged, labelled=recipe.labelled
    )
    return replace(data, projection=evening and evening.to(device))


class _Run:
    """A run in progress: epochs, one after the other, until it stops."""

    def __init__(
        self,
        recipe: Recipe[Any],
        data: TrainingData,
        seed: int,
        folder: Path,
        control: RunControl,
        ranks: Ranks | None,
    ):
        self.recipe, self.data, self.folder, self.control = recipe, data, folder, control
        if ranks is not None:
            self.control = AgreedControl(control, ranks)
        self.noise = RandomState(seed, data.names.device)
        self.state = RunState(recipe, data, self.noise)
        self.encoder = self.state.encoder
        self._ranks, self.writes = ranks, ranks is None or ranks.is_first
        self.encoder.ranks = ranks
        self._stepper = OptimizerSteps(recipe, data, self.encoder, self.state.adam, self.noise)
        self._written = time.monotonic()
        self._writing = 0.0

    def epochs(self) -> Iterator[EpochReport]:
        """Yield a report after each epoch until the rule or the control stops the run."""
        while not self._finished():
            try:
                yield self._epoch()
            except _EpochStopped:
                return

    def _finished(self) -> bool:
        recipe, history = self.recipe, self.state.history
        return bool(history) and (len(history) >= recipe.maximum_epochs or recipe.stops(history))

    @unrounded()
    def _epoch(self) -> EpochReport:
        self._clock = time.perf_counter()
        state = self.state
        if not state.history and state.input_figure is None:
            self._score_input()
        if self._ranks is not None:
            self._ranks.send_weights(self.encoder.weights().values())
        if state.plan is None:
            plan = self.recipe.plan(self.data, self.encoder, self.noise, self._tick)
            state.plan, state.item, state.sums = plan, 0, {}
            state.mark()
        items = _plan_length(state.plan)
        self._steps(state.plan, items)
        self._check_finite(self._largest_weight(), Message("largest weight"), _LARGEST)
        trained = state.seconds + time.perf_counter() - self._clock
        value = self._validate(self._tick)
        self._check_finite(value, Message("validation figure"))
        state.history.append(value)
        state.take_best()
        losses = {name: float(total) / items for name, total in state.sums.items()}
        state.plan = None
        seconds, state.seconds = state.seconds + time.perf_counter() - self._clock, 0.0
        state.mark()
        self._write_now_and_then()
        return self._report(losses, items / max(trained, 1e-9), seconds)

    def _score_input(self) -> None:
        """Have the input as it is stand beside the epochs, as the one before the first."""

        def tick() -> None:
            if self.control.stopped():
                raise _EpochStopped

        try:
            self.state.score_input(lambda: self._validate(tick))
        except _EpochStopped:
            self._tick()  # which writes the state first

    def _validate(self, tick: Tick) -> float:
        """Return the validation figure, the first process's where several train together."""
        value = self.recipe.validate(self.data, self.encoder, self.noise, tick)
        return value if self._ranks is None else float(self._ranks.send_all(value))

    def _report(self, losses: dict[str, float], rate: float, seconds: float) -> EpochReport:
        recipe, history = self.recipe, self.state.history
        return EpochReport(
            epoch=len(history),
            losses=losses,
            validation=history[-1],
            validation_metric=recipe.metric,
            higher_is_better=recipe.higher_is_better,
            names_per_second=rate,
            seconds=seconds,
            best_epoch=self.state.best_epoch,
            estimated_epochs_left=self._epochs_left(),
        )

    def _epochs_left(self) -> int | None:
        if self._finished():
            return 0
        left = self.recipe.epochs_left(self.state.history)
        most = self.recipe.maximum_epochs - len(self.state.history)
        return None if left is None else min(left, most)

    def _steps(self, plan: Plan, items: int) -> None:
        size, state = self.recipe.batch_size(plan), self.state
        while state.item < items:
            self._tick()
            batch = {name: column[state.item : state.item + size] for name, column in plan.items()}
            count = _plan_length(batch)
            losses = self._stepper.take(batch, whole=count == size)
            for name, loss in losses.items():
                state.sums[name] = state.sums.get(name, 0.0) + loss.double() * count
            state.item += count
            state.mark()
            if state.item // size % _LOOK == 0:
                self._check_losses()
        self._check_losses()

    def _check_losses(self) -> None:
        for total in self.state.sums.values():
            self._check_finite(float(total), Message("loss"))

    def _largest_weight(self) -> float:
        weights = self.encoder.weights().values()
        ends = [torch.stack(torch.aminmax(weight.detach())) for weight in weights if weight.numel()]
        return float(torch.stack(ends).abs().amax())  # without a copy of the weights

    def _check_finite(self, value: float, quantity: str, most: float = sys.float_info.max) -> None:
        if not abs(value) <= most:
            raise DivergedError(
                "the {what} is {value} in epoch {epoch}; the best epoch before is kept; "
                "try a smaller learning rate",
                what=quantity,
                value=value,
                epoch=len(self.state.history) + 1,
            )

    def _tick(self) -> None:
        """Wait while paused, and leave the epoch when stopped; both write the state first."""
        if self.control.stopped():
            self.write_state()
            raise _EpochStopped
        if not self.control.paused():
            return
        self.state.seconds += time.perf_counter() - self._clock
        self.write_state()
        while self.control.paused() and not self.control.stopped():
            time.sleep(_PAUSE)
        self._clock = time.perf_counter()
        self._tick()

    def _write_now_and_then(self) -> None:
        """Write the state when that costs no more than a small share of the time."""
        if time.monotonic() - self._written >= self._writing / _WRITING_SHARE:
            self.write_state()

    def write_state(self) -> None:
        """Write the state of the last step, where this process writes."""
        self._check_losses()
        if not self.writes:
            return
        start = time.monotonic()
        self.state.write(self.folder / STATE)
        self._written = time.monotonic()
        self._writing = self._written - start


def _plan_length(plan: Plan) -> int:
    return len(next(iter(plan.values())))
