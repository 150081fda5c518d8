"""The child that trains one encoder: data, epochs, then figures on held-out names."""

import os
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from termexplorer.errors import UserError
from termexplorer.store.encoders.infos import LEXICAL
from termexplorer.store.encoders.runs import EpochInfo, FigureInfo
from termexplorer.store.kept_messages import encode_message, translate_message
from termexplorer.texts import mark, tr, translated
from termexplorer.trainer.errors import Message
from termexplorer.workers.encoders.encoding import Encoders, Float32s
from termexplorer.workers.encoders.keeping_encoders import CachedEncoders
from termexplorer.workers.evaluate.scoring import scores_of
from termexplorer.workers.process import kept_texts
from termexplorer.workers.process.child import Channel, trainer_errors
from termexplorer.workers.process.devices import checked_device, count_devices, device_name
from termexplorer.workers.process.memory import within_memory
from termexplorer.workers.process.precision import settled
from termexplorer.workers.train.judged import differences, judged_figures
from termexplorer.workers.train.ranks import SharedTraining, started_ranks
from termexplorer.workers.train.run_figures import compare_on_run, figures_of_run, score_tasks
from termexplorer.workers.train.training_messages import (
    EpochDone,
    Prepared,
    Trained,
    TrainingRequest,
)
from termexplorer.workers.train.training_set import TrainingSet, build_training_set
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from termexplorer.trainer.evaluation.scores import Scores
    from termexplorer.trainer.training.run import EpochReport
    from termexplorer.workers.train.run_figures import ScoresWith

_NOTHING_KEPT = mark(
    "stopped before its first epoch was over; there is nothing to keep yet, but it can go on"
)
_LIBRARIES = ("torch", "numpy", "termexplorer")


def run_training(request: TrainingRequest, channel: Channel) -> Trained:
    """Trains, scores, and reports `Prepared`, then an `EpochDone` an epoch.

    Raises:
        UserError: there is nothing to train on, or no such device.
    """
    workspace = Workspace(request.workspace)
    device = checked_device(request.run.device, channel)
    asked = recipe_of(request.run.recipe, request.hyperparameters)
    record = _read_record(request.folder) if request.resume else {}
    recipe = _as_before(asked, record) if record else asked
    notes = [] if recipe == asked else [Message(kept_texts.GOES_ON, batch=recipe.batch)]
    encoding = partial(_report_encoding, channel)
    encoders = CachedEncoders(workspace.folder, workspace.store, encoding, device)
    ready = build_training_set(request.run, recipe, workspace.store, encoders, channel)
    started, noted = time.monotonic(), len(notes)

    def attempt(recipe: Any, device: str) -> tuple[int, Message]:
        chosen = settled(recipe, ready.vectors.shape[1], device, workspace.folder)
        facts = ready.facts | _machine_facts(device) | {"precision": chosen.precision}
        if encoders.notes or notes:
            facts["memory"] = [*map(encode_message, (*encoders.notes, *notes))]
        channel.report(Prepared(ready.split_id, facts))
        goes_on = bool(record) and len(notes) == noted  # with another batch it begins anew
        before = _best_before(chosen, record) if goes_on else None
        channel.progress(None, tr("Training the encoder"))
        chosen_set = replace(ready, recipe=chosen)
        return _train_to_end(request, chosen_set, device, channel, before, resume=goes_on)

    def say(note: Message) -> None:
        notes.append(note)
        channel.progress(None, translate_message(note))

    best_epoch, diverged = within_memory(recipe, device, attempt, say)
    channel.progress(None, tr("Scoring held-out names"), ending=True)
    figures, facts = _score_encoder(request, ready, encoders)
    workspace.close()
    seconds = time.monotonic() - started
    return _make_trained(request, best_epoch, diverged, seconds, channel, figures, facts)


def _report_encoding(channel: Channel, encoded: int, names: int) -> None:
    if channel.stopped():
        raise InterruptedError
    channel.progress(encoded / names, tr("Encoding names"))


def recipe_of(name: str, hyperparameters: Mapping[str, Any]) -> Any:
    """A recipe with its hyper-parameters.

    Raises:
        UserError: there is no such recipe or hyper-parameter, or a value that it refuses.
    """
    from termexplorer.trainer.recipes import recipe_class

    with trainer_errors():
        recipe = recipe_class(name)
        try:
            return recipe(**hyperparameters)
        except TypeError as error:
            raise UserError(
                tr("no such hyper-parameter of {name}: {error}", name=name, error=error)
            ) from error


def _read_record(folder: Path) -> dict[str, Any]:
    """What was written of the run that is gone on with; empty where nothing was."""
    from termexplorer.trainer.training.run import STATE
    from termexplorer.trainer.training.state import read_state

    if not (folder / STATE).exists():
        return {}
    with trainer_errors():
        return read_state(folder / STATE)[1]


def _as_before(recipe: Any, record: dict[str, Any]) -> Any:
    """The recipe with the batch that its state was written with, smaller if memory was short."""
    batch = record["recipe"].get("batch")
    return recipe if batch is None else replace(recipe, batch=batch)


def _best_before(recipe: Any, record: dict[str, Any]) -> int | None:
    """The best epoch of those that a run goes on from; None if none was over."""
    from termexplorer.trainer.recipes.base import kept_epoch

    if not record["history"]:
        return None
    higher = recipe.higher_is_better
    return kept_epoch(record["history"], record.get("input"), higher_is_better=higher)


def _train_to_end(
    request: TrainingRequest,
    ready: TrainingSet,
    device: str,
    channel: Channel,
    best: int | None,
    *,
    resume: bool,
) -> tuple[int, Message]:
    """Trains to the end, also from where a run was left, that has its best epoch if one was over.

    Returns:
        The best epoch, 0 for the input as it is, and what was wrong if the loss diverged.

    Raises:
        UserError: it was stopped before there was one, or cannot be trained.
    """
    from termexplorer.trainer.training.run import DivergedError, train

    arguments = {
        "recipe": ready.recipe,
        "labels": ready.labels,
        "parts": ready.parts,
        "vectors": ready.vectors,
        "seed": request.run.seed,
        "state_dir": request.folder,
        "source": ready.source,
        "judged": ready.judged.pairs if ready.judged else None,
        "resume": resume,
    }
    try:
        with (
            trainer_errors(),
            started_ranks(
                count_devices(request.run.device, request.run.devices),
                SharedTraining(arguments, device),
            ) as ranks,
        ):
            for report in train(**arguments, device=device, control=channel, ranks=ranks):
                best = report.best_epoch
                channel.report(_epoch_done(report))
    except UserError as error:
        cause = error.__cause__
        if isinstance(cause, DivergedError) and best is not None:
            return best, cause.message
        raise
    if best is None:
        raise UserError(translated(_NOTHING_KEPT))
    return best, Message("")


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


def _score_encoder(
    request: TrainingRequest, ready: TrainingSet, encoders: Encoders
) -> tuple[tuple[FigureInfo, ...], dict[str, Any]]:
    """Return figures of the trained encoder (as encoder 0), what lies beneath, and two others.

    These are TF-IDF and the built-in encoder, if it is there.

    And what a card says of them: how they differ.
    """
    from termexplorer.trainer.encoders import load_any

    network, input_id = load_any(request.folder / "best"), request.run.vectors_id

    def beneath(names: Sequence[str]) -> Float32s:
        return encoders.encode(input_id, names)

    def trained(names: Sequence[str]) -> Float32s:
        return encoders.through(network, input_id, names)

    data = ready.data
    vectors = ready.vectors[: len(data.labels.names)]
    of_names = encoders.through(network, input_id, data.labels.names, vectors)
    names = data.labels.names
    results = {
        0: score_tasks(data, _by_cosine(of_names, trained)),
        input_id: score_tasks(data, _by_cosine(vectors, beneath)),
        LEXICAL: score_tasks(
            data,
            lambda candidates: scores_of(
                encoders, LEXICAL, names, candidates, tick=lambda: None, row=lambda: None
            ),
        ),
    }
    if request.built_in_id not in (0, input_id):
        built_in = partial(encoders.encode, request.built_in_id)
        results[request.built_in_id] = score_tasks(data, _by_cosine(built_in(names), built_in))
    figures = figures_of_run(results, data.data_hash)
    facts: dict[str, Any] = {"compared": compare_on_run(results, request.run.seed)}
    if ready.judged is None:
        return figures, facts
    comparisons = list(ready.judged.compared(beneath, trained, request.run.seed))
    figures += judged_figures(comparisons, input_id, data.data_hash)
    return figures, facts | {"differences": differences(comparisons)}


def _by_cosine(vectors: Float32s, encode: Callable[[Sequence[str]], Float32s]) -> "ScoresWith":
    from termexplorer.trainer.evaluation.scores import cosine_scores

    def scores_with(candidates: Sequence[str] | None) -> "Scores":
        return cosine_scores(vectors, None if candidates is None else encode(candidates))

    return scores_with


def _machine_facts(device: str) -> dict[str, Any]:
    return {
        "device": device_name(device),
        "threads": int(os.environ.get("OMP_NUM_THREADS", "0")),
        "versions": {name: metadata.version(name) for name in _LIBRARIES}
        | {"python": platform.python_version()},
    }


def _make_trained(
    request: TrainingRequest,
    best_epoch: int,
    diverged: Message,
    seconds: float,
    channel: Channel,
    figures: tuple[FigureInfo, ...],
    facts: dict[str, Any],
) -> Trained:
    from termexplorer.trainer.files.folders import META, read_meta, sha256

    meta = read_meta(request.folder / "best", verify=False)
    return Trained(
        best_epoch=best_epoch,
        dimension=int(meta["dimension"]),
        content_hash=sha256(request.folder / "best" / META),
        seconds=seconds,
        stopped=channel.stopped(),
        diverged=diverged,
        figures=figures,
        facts=facts | ({"cca": meta["cca"]} if "cca" in meta else {}),
    )
