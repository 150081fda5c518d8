"""What is asked of the child that trains, and what it tells."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from termexplorer.store.encoders.runs import EpochInfo, FigureInfo
from termexplorer.trainer.errors import Message
from termexplorer.workers.train.run_request import RunRequest


@dataclass(frozen=True, slots=True)
class TrainingRequest:
    """A run that a child is to train.

    Attributes:
        workspace: its folder.
        folder: where the run's state and its best encoder go.
        run: what it is asked for.
        hyperparameters: of the recipe, all of them.
        resume: go on from the state in `folder`, if there is one.
        built_in_id: the built-in encoder, which is scored beside it; 0: none is there.
    """

    workspace: Path
    folder: Path
    run: RunRequest
    hyperparameters: Mapping[str, Any]
    resume: bool = False
    built_in_id: int = 0


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a run found before its first epoch: its split, and facts for its card.

    It is reported again when the run begins anew with less.
    """

    split_id: int
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class EpochDone:
    """One epoch, as it comes from the trainer."""

    epoch: EpochInfo
    metric: str
    higher_is_better: bool
    best_epoch: int
    epochs_left: int | None


@dataclass(frozen=True, slots=True)
class Trained:
    """A trained encoder in its folder; figures are of encoder 0 (this one) and of its input.

    Attributes:
        stopped: it was stopped before its own rule said so.
        diverged: what was wrong, if the loss was no finite number any more.
        facts: for its card.
    """

    best_epoch: int
    dimension: int
    content_hash: str
    seconds: float
    stopped: bool
    diverged: Message
    figures: tuple[FigureInfo, ...]
    facts: Mapping[str, Any]
