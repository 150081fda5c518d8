"""The child that trains one encoder: data, epochs, then figures on held-out names."""

import os
import platform
import time
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from termexplorer.errors import UserError
from termexplorer.store.runs import EpochInfo, FigureInfo
from termexplorer.workers.child import Channel, trainer_errors
from termexplorer.workers.encoding import Encoders, Float32s
from termexplorer.workers.level_choice import LevelChoice
from termexplorer.workers.precision import AnyRecipe, settled
from termexplorer.workers.training_data import SplitRule, TrainingSet, training_set
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from trainer.training import EpochReport

_LIBRARIES = ("torch", "numpy", "termexplorer")


@dataclass(frozen=True, slots=True)
class TrainingRequest:
    """One run.

    Attributes:
        folder: where its state and its best encoder go.
        hyperparameters: of the recipe, all of them.
        input_id: the encoder beneath.
        device: auto, cpu, cuda or cuda:N.
        resume: go on from the state in `folder`.
    """

    workspace: Path
    folder: Path
    release_id: int
    recipe: str
    hyperparameters: Mapping[str, Any]
    choice: LevelChoice
    rule: SplitRule
    input_id: int
    seed: int
    device: str
    resume: bool = False


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a run found before its first epoch: its split, and facts for its card."""

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
    """

    best_epoch: int
    dimension: int
    content_hash: str
    seconds: float
    stopped: bool
    diverged: str
    figures: tuple[FigureInfo, ...]


def run_training(request: TrainingRequest, channel: Channel) -> Trained:
    """Trains, scores, and reports `Prepared`, then an `EpochDone` an epoch.

    Raises:
        UserError: there is nothing to train on, or no such device.
    """
    workspace = Workspace(request.workspace)
    device = _device(request.device)
    channel.progress(None, "Reading names and classes")
    data, split_id = training_set(workspace.store, request.release_id, request.choice, request.rule)
    channel.progress(None, "Encoding names")
    encoders = Encoders(workspace.folder, workspace.store)
    vectors = encoders.encode(request.input_id, data.labels.names)
    recipe = recipe_of(request.recipe, request.hyperparameters)
    recipe = settled(recipe, vectors.shape[1], device, workspace.folder)
    facts = _facts(data, device) | {"precision": recipe.precision}
    channel.report(Prepared(split_id, facts))
    started = time.monotonic()
    best_epoch, diverged = _train(request, recipe, data, vectors, device, channel)
    channel.progress(None, "Scoring held-out names")
    figures = _score(request, data, vectors, encoders)
    workspace.close()
    return _trained(request, best_epoch, diverged, time.monotonic() - started, channel, figures)


def recipe_of(name: str, hyperparameters: Mapping[str, Any]) -> AnyRecipe:
    """A recipe with its hyper-parameters.

    Raises:
        UserError: there is no such recipe or hyper-parameter.
    """
    from trainer.recipes.dan import DeepAveraging
    from trainer.recipes.few_shot import FewShot

    recipes: dict[str, type[FewShot] | type[DeepAveraging]] = {
        FewShot.name: FewShot,
        DeepAveraging.name: DeepAveraging,
    }
    try:
        return recipes[name](**hyperparameters)
    except (KeyError, TypeError) as error:
        raise UserError(f"no such recipe or hyper-parameter: {name}, {error}") from error


def devices(_request: None, _channel: Channel) -> tuple[tuple[str, str], ...]:
    """(id, description) of every device that can be trained on."""
    import torch

    found = [("auto", "Auto"), ("cpu", f"CPU, {os.cpu_count()} cores")]
    for number in range(torch.cuda.device_count()):
        properties = torch.cuda.get_device_properties(number)
        size = properties.total_memory / (1 << 30)
        found.append((f"cuda:{number}", f"{properties.name}, {size:.0f} GiB"))
    return tuple(found)


def _device(wanted: str) -> str:
    import torch

    if wanted == "auto":
        return "cuda:0" if torch.cuda.is_available() else "cpu"
    if wanted.startswith("cuda") and not torch.cuda.is_available():
        raise UserError("PyTorch finds no CUDA GPU here; choose the device cpu or auto")
    return wanted


def _train(
    request: TrainingRequest,
    recipe: AnyRecipe,
    data: TrainingSet,
    vectors: Float32s,
    device: str,
    channel: Channel,
) -> tuple[int, str]:
    """Trains to the end; returns the best epoch, and what was wrong if the loss diverged."""
    from trainer.training import DivergedError, train

    best_epoch = 0
    try:
        with trainer_errors():
            for report in train(
                recipe,
                data.labels,
                data.parts,
                vectors,
                seed=request.seed,
                device=device,
                state_dir=request.folder,
                control=channel,
                resume=request.resume,
            ):
                best_epoch = report.best_epoch
                channel.report(_epoch_done(report))
    except UserError as error:
        if isinstance(error.__cause__, DivergedError) and best_epoch:
            return best_epoch, str(error)
        raise
    return best_epoch, ""


def _epoch_done(report: "EpochReport") -> EpochDone:
    return EpochDone(
        EpochInfo(
            number=report.epoch,
            losses=dict(report.losses),
            validation=report.validation,
            seconds=report.seconds,
            names_per_second=report.names_per_second,
        ),
        metric=report.validation_metric,
        higher_is_better=report.higher_is_better,
        best_epoch=report.best_epoch,
        epochs_left=report.estimated_epochs_left,
    )


def _score(
    request: TrainingRequest, data: TrainingSet, vectors: Float32s, encoders: Encoders
) -> tuple[FigureInfo, ...]:
    """Figures of the trained encoder (as encoder 0) and of what lies beneath it."""
    from trainer.encoders import load

    encoder = load(request.folder / "best")
    level = encoders.encode(request.input_id, data.level_names)
    beneath = _figures(request.input_id, data, vectors, level)
    return _figures(0, data, encoder.encode(vectors), encoder.encode(level)) + beneath


def _figures(
    encoder_id: int, data: TrainingSet, vectors: Float32s, level: Float32s
) -> tuple[FigureInfo, ...]:
    from trainer.evaluation.hypernyms import hypernym_detection
    from trainer.evaluation.scores import cosine_scores
    from trainer.evaluation.similarity_ranking import similarity_ranking
    from trainer.splits import TEST, TRAIN

    mentions, candidates = (np.flatnonzero(data.parts == part) for part in (TEST, TRAIN))
    if not len(mentions):
        return ()
    names, of_level = cosine_scores(vectors), cosine_scores(vectors, level)
    tasks = {
        "ranking": similarity_ranking(data.labels, names, mentions, candidates),
        "hypernyms": hypernym_detection(data.labels, of_level, mentions, data.level_classes),
    }
    return tuple(
        FigureInfo(encoder_id, task, data.data_hash, f.metric, f.value, f.low, f.high, f.n)
        for task, result in tasks.items()
        for f in result.figures
        if f.n
    )


def _facts(data: TrainingSet, device: str) -> dict[str, Any]:
    from trainer.splits import TEST, TRAIN, VALIDATION

    sizes = np.bincount(data.labels.class_index, minlength=len(data.labels.classes))
    parts = {"train": TRAIN, "validation": VALIDATION, "test": TEST}
    return {
        "data_hash": data.data_hash,
        "classes": dict(zip(data.labels.classes, sizes.tolist(), strict=True)),
        "split": {name: int((data.parts == part).sum()) for name, part in parts.items()},
        "device": _device_name(device),
        "threads": int(os.environ.get("OMP_NUM_THREADS", "0")),
        "versions": {name: metadata.version(name) for name in _LIBRARIES}
        | {"python": platform.python_version()},
    }


def _device_name(device: str) -> str:
    if device == "cpu":
        return f"cpu ({platform.machine()}, {os.cpu_count()} cores)"
    import torch

    return f"{device} ({torch.cuda.get_device_name(device)})"


def _trained(
    request: TrainingRequest,
    best_epoch: int,
    diverged: str,
    seconds: float,
    channel: Channel,
    figures: tuple[FigureInfo, ...],
) -> Trained:
    from trainer.folders import META, read_meta, sha256

    meta = read_meta(request.folder / "best", verify=False)
    return Trained(
        best_epoch=best_epoch,
        dimension=int(meta["dimension"]),
        content_hash=sha256(request.folder / "best" / META),
        seconds=seconds,
        stopped=channel.stopped(),
        diverged=diverged,
        figures=figures,
    )
