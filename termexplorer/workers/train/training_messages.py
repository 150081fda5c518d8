"""What is asked of the child that trains, and what it tells."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from termexplorer.store.encoders.runs import EpochInfo, FigureInfo
from termexplorer.workers.data.judged_choice import JudgedChoice
from termexplorer.workers.data.level_choice import LevelChoice
from termexplorer.workers.data.list_classes import ListClass
from termexplorer.workers.data.synonym_choice import EVERY_CONCEPT, SynonymChoice
from termexplorer.workers.data.training_data import SplitRule


@dataclass(frozen=True, slots=True)
class TrainingRequest:
    """One run.

    Attributes:
        folder: where its state and its best encoder go.
        hyperparameters: of the recipe, all of them.
        choice: of a level; None where the recipe learns from synonym sets.
        input_id: the encoder beneath.
        also: further releases, whose synonym sets are learned besides.
        synonyms: which synonym sets, where there is no level.
        class_lists: kept lists that are classes besides those of the level.
        judged: pairs that the recipe learns from, if it learns from judged pairs.
        device: auto, cpu, cuda or cuda:N.
        resume: go on from the state in `folder`.
    """

    workspace: Path
    folder: Path
    release_id: int
    recipe: str
    hyperparameters: Mapping[str, Any]
    choice: LevelChoice | None
    rule: SplitRule
    input_id: int
    seed: int
    device: str
    also: tuple[int, ...] = ()
    synonyms: SynonymChoice = EVERY_CONCEPT
    class_lists: tuple[ListClass, ...] = ()
    judged: JudgedChoice | None = None
    resume: bool = False


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
    diverged: str
    figures: tuple[FigureInfo, ...]
    facts: Mapping[str, Any]
