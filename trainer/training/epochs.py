"""What a training run and its caller tell each other: reports, pauses, stops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from termexplorer.trainer.errors import TrainerError

BEST, STATE = "best", "state"  # what a run writes into its folder


class DivergedError(TrainerError):
    """The loss is no finite number any more; the best epoch before that is kept."""


class RunControl(Protocol):
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
        best_epoch: the number of the best epoch so far; 0 where the input itself is better.
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
