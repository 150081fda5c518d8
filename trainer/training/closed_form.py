"""Recipes that fit an encoder in one go: a run of one epoch, without a state to resume from."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, Protocol, runtime_checkable

from termexplorer.trainer.data.training_data import TrainingData
from termexplorer.trainer.encoders import Encoder, WordEncoder
from termexplorer.trainer.recipes.base import Tick
from termexplorer.trainer.training.epochs import BEST, EpochReport, RunControl


@runtime_checkable
class ClosedForm(Protocol):
    """A method without epochs."""

    name: ClassVar[str]
    metric: ClassVar[str]
    higher_is_better: ClassVar[bool]
    labelled: ClassVar[bool]

    def fit(self, data: TrainingData) -> Encoder | WordEncoder:
        """Return the encoder."""
        ...

    def losses(self, encoder: Any) -> dict[str, float]:
        """Return what the fit leaves to be wished for, less for a better one."""
        ...

    def validate(self, data: TrainingData, encoder: Any, tick: Tick) -> float:
        """Return the validation figure."""
        ...


class _FitStopped(Exception):  # noqa: N818
    """Raised inside the validation when the control asks for a stop."""


def fitted(
    recipe: ClosedForm, data: TrainingData, state_dir: Path, control: RunControl
) -> Iterator[EpochReport]:
    """Fit an encoder, save it in ``state_dir / "best"``, and report it as the only epoch.

    A run that is stopped before its figure is known keeps the encoder, and reports nothing.
    """

    def tick() -> None:
        if control.stopped():
            raise _FitStopped

    started = time.perf_counter()
    encoder = recipe.fit(data)
    encoder.save(state_dir / BEST)
    try:
        validation = recipe.validate(data, encoder, tick)
    except _FitStopped:
        return
    seconds = time.perf_counter() - started
    yield EpochReport(
        epoch=1,
        losses=recipe.losses(encoder),
        validation=validation,
        validation_metric=recipe.metric,
        higher_is_better=recipe.higher_is_better,
        names_per_second=len(data.names) / max(seconds, 1e-9),
        seconds=seconds,
        best_epoch=1,
        estimated_epochs_left=0,
    )
