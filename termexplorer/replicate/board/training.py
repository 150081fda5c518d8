"""Encoders trained over the built-in one, each on training names of DOID alone."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.resources import as_file, files
from pathlib import Path
from shutil import rmtree
from typing import Any

import numpy as np

from termexplorer.replicate.board.sources import BoardSources
from termexplorer.trainer.built_in import FOLDER
from termexplorer.trainer.data.splits import TRAIN, UNUSED, VALIDATION, few_shot_split
from termexplorer.trainer.notebook import Data, load, train
from termexplorer.trainer.recipes import recipe_class
from termexplorer.trainer.representations.base import Representation
from termexplorer.trainer.training.epochs import EpochReport

_SHOTS = 15
_QUICK = {"hidden": 64, "maximum_epochs": 2}
_EPOCHS = {"bne": 60, "paraphrase": 60}  # at most, for their time
_HIDDEN = {"few-shot": 2048, "conceptual-grounding": 2048}  # as the other recipes have it


@dataclass(frozen=True, slots=True)
class BoardTraining:
    """What training an encoder came to.

    Attributes:
        encoder: over the built-in one.
        epochs: that were run; 1 of what is fitted in closed form.
        best_epoch: whose weights these are; 0 where the input was no worse.
    """

    encoder: Representation
    epochs: int
    best_epoch: int


def train_over_built_in(
    recipe: str, sources: BoardSources, folder: Path, *, quick: bool
) -> BoardTraining:
    """Train by a recipe, or open what was trained in that folder before.

    Args:
        recipe: one of `trainer.recipes.RECIPES`.
        sources: of the names.
        folder: of the run.
        quick: a small network and two epochs.
    """
    done = folder / "done"
    if not done.is_file():
        rmtree(folder, ignore_errors=True)
        with _built_in_folder() as beneath:
            data = _make_data(recipe, sources, beneath)
            reports = list(train(_choose_settings(recipe, quick=quick), data, state_dir=folder))
        done.write_text(_describe_epochs(reports), encoding="utf-8")
    epochs, best_epoch = (int(number) for number in done.read_text("utf-8").split())
    encoder: Any = load(folder)
    return BoardTraining(encoder, epochs, best_epoch)


@contextmanager
def _built_in_folder() -> Iterator[Path]:
    with as_file(files("termexplorer.resources").joinpath(*FOLDER)) as folder:
        yield folder


def _describe_epochs(reports: Sequence[EpochReport]) -> str:
    return f"{len(reports)} {reports[-1].best_epoch}"


def _choose_settings(recipe: str, *, quick: bool) -> Any:
    settings = recipe_class(recipe).quick()
    changes: dict[str, int] = {}
    if recipe in _HIDDEN:
        changes["hidden"] = _HIDDEN[recipe]
    if recipe in _EPOCHS:
        changes["maximum_epochs"] = _EPOCHS[recipe]
    if quick:
        changes |= {name: value for name, value in _QUICK.items() if hasattr(settings, name)}
    return replace(settings, **changes)


def _make_data(recipe: str, sources: BoardSources, beneath: Path) -> Data:
    return _DATA.get(recipe, _learn_synonyms)(sources, beneath)


def _learn_synonyms(sources: BoardSources, beneath: Path) -> Data:
    labels, parts = sources.doid.labels, sources.doid.parts
    return Data(labels, _only_learned(parts), beneath)


def _learn_level(sources: BoardSources, beneath: Path) -> Data:
    labels, parts = sources.read_level()
    return Data(labels, _only_learned(parts), beneath)


def _learn_shots(sources: BoardSources, beneath: Path) -> Data:
    labels, parts = sources.read_level()
    labels = labels.only(np.flatnonzero(parts == TRAIN))
    drawn = few_shot_split(labels, _SHOTS, sources.sizes.seed)
    return Data(labels, _only_learned(drawn), beneath)


def _only_learned(parts: Any) -> Any:
    return np.where(np.isin(parts, (TRAIN, VALIDATION)), parts, UNUSED).astype(np.uint8)


_DATA: Mapping[str, Callable[[BoardSources, Path], Data]] = {
    "few-shot": _learn_shots,
    "dan": _learn_level,
}
