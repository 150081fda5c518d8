"""Runs: asked for, trained in a child, followed, gone on with, and looked at afterwards."""

import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from termexplorer.errors import UserError
from termexplorer.services.encoders import find_encoder
from termexplorer.services.ontologies import find_ontology
from termexplorer.services.presets import hyperparameters
from termexplorer.store import runs as queries
from termexplorer.store.encoders import LEXICAL, add_encoder, remove_encoder, rename_encoder
from termexplorer.store.runs import EpochInfo, FigureInfo, RunInfo
from termexplorer.workers.level_choice import LevelChoice
from termexplorer.workers.protocol import Progress
from termexplorer.workers.supervision import Cancelled, Control, Crashed, supervise
from termexplorer.workers.training import (
    EpochDone,
    Prepared,
    Trained,
    TrainingRequest,
    devices,
    run_training,
)
from termexplorer.workers.training_data import SplitRule
from termexplorer.workspace import Workspace

__all__ = [
    "EpochDone",
    "EpochInfo",
    "FigureInfo",
    "LevelChoice",
    "RunDetails",
    "RunInfo",
    "RunRequest",
    "SplitRule",
    "add_run",
    "delete_run",
    "find_run",
    "key_figures",
    "list_devices",
    "list_runs",
    "mark_interrupted",
    "note_run",
    "run_details",
    "set_paused",
    "train_run",
    "withdraw_run",
]

_WRITE_SECONDS = 0.5  # epochs of a fast run are kept together, at most this late


@dataclass(frozen=True, slots=True)
class RunRequest:
    """All that a run is asked for; the same request on the same machine gives the same figures.

    Attributes:
        recipe: few-shot or dan.
        preset: quick or paper, of which `hyperparameters` are changes.
        ontology_id: the release.
        vectors_id: the encoder beneath.
        choice: root, level and which names.
        rule: how names are parted; its seed is the run's.
        hyperparameters: what differs from the preset.
        seed: of everything random.
        device: auto, cpu, cuda or cuda:N.
    """

    recipe: str
    preset: str
    ontology_id: int
    vectors_id: int
    choice: LevelChoice
    rule: SplitRule
    hyperparameters: Mapping[str, Any]
    seed: int = 0
    device: str = "auto"

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> "RunRequest":
        """From what a run keeps of it."""
        choice, rule = LevelChoice.read(values["choice"]), SplitRule(**values["rule"])
        return cls(**{**values, "choice": choice, "rule": rule})


@dataclass(frozen=True, slots=True)
class RunDetails:
    """A run with its epochs and the figures on its data, its encoder's and its input's."""

    run: RunInfo
    epochs: tuple[EpochInfo, ...]
    figures: tuple[FigureInfo, ...]


def add_run(workspace: Workspace, request: RunRequest) -> int:
    """Adds a run that waits to be trained; returns its id.

    Raises:
        UserError: no such ontology, encoder, preset or hyper-parameter.
    """
    ontology = find_ontology(workspace, str(request.ontology_id))
    if find_encoder(workspace, request.vectors_id).id == LEXICAL:
        raise UserError("the lexical encoder has no vectors to train on; choose vectors")
    hyperparameters(request.recipe, request.preset, request.hyperparameters)
    with workspace.store.writing() as connection:
        return queries.add_run(
            connection,
            title=f"{request.recipe}, level {request.choice.level}",
            recipe=request.recipe,
            preset=request.preset,
            release_id=ontology.id,
            input_id=request.vectors_id,
            request=asdict(request),
        )


def train_run(
    workspace: Workspace,
    run_id: int,
    control: Control,
    on_message: Callable[[object], None],
    *,
    resume: bool = False,
    leave: Callable[[], bool] = lambda: False,
) -> RunInfo:
    """Trains a run that waits, or goes on with one that was interrupted; blocks until it ended.

    Args:
        workspace: where it is.
        run_id: which.
        control: pauses it, stops it (the best epoch is kept) or cancels it (nothing is).
        on_message: is handed `Progress` and `EpochDone` messages.
        resume: go on from its last written epoch.
        leave: asked when it is cancelled: whether it is left as interrupted, to go on later, as
            when a window is closed.

    Raises:
        UserError: it cannot be trained; the run says so too.
        Cancelled: it was cancelled.
    """
    run = find_run(workspace, run_id)
    folder = _folder(workspace, run_id)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(_lock(workspace, run_id), timeout=0):
            return _train(workspace, run, folder, control, on_message, resume, leave)
    except Timeout as error:
        raise UserError(f"run {run_id} is being trained by another process") from error


def _train(
    workspace: Workspace,
    run: RunInfo,
    folder: Path,
    control: Control,
    on_message: Callable[[object], None],
    resume: bool,
    leave: Callable[[], bool],
) -> RunInfo:
    asked = RunRequest.read(run.request)
    request = TrainingRequest(
        workspace=workspace.folder,
        folder=folder,
        release_id=run.release_id,
        recipe=run.recipe,
        hyperparameters=hyperparameters(asked.recipe, asked.preset, asked.hyperparameters),
        choice=asked.choice,
        rule=asked.rule,
        input_id=run.input_id,
        seed=asked.seed,
        device=asked.device,
        resume=resume and (folder / "state").exists(),
    )
    _update(workspace, run.id, status="running", error="")
    follower = _Follower(workspace, run, dict(request.hyperparameters), on_message)
    try:
        trained = supervise(run_training, request, control, follower.hear)
    except Cancelled:
        follower.write()
        if leave():
            _end(workspace, run.id, "interrupted", "termexplorer was closed while it was trained")
        else:
            _end(workspace, run.id, "cancelled", "")
            shutil.rmtree(folder, ignore_errors=True)
        raise
    except UserError as error:
        _end(workspace, run.id, "failed", str(error))
        raise
    except Crashed as error:
        follower.write()
        _end(workspace, run.id, "interrupted", str(error).strip().splitlines()[-1])
        raise
    follower.write()
    _keep(workspace, run, asked, folder, trained, follower.card)
    return find_run(workspace, run.id)


class _Follower:
    """Keeps what a run reports: its card at once, its epochs every half second."""

    def __init__(
        self,
        workspace: Workspace,
        run: RunInfo,
        hyperparameters: dict[str, Any],
        on_message: Callable[[object], None],
    ) -> None:
        self.card: dict[str, Any] = {"hyperparameters": hyperparameters}
        self._workspace = workspace
        self._run_id = run.id
        self._on_message = on_message
        self._epochs: list[EpochInfo] = []
        self._written = time.monotonic()

    def hear(self, message: object) -> None:
        if isinstance(message, Prepared):
            self.card |= message.facts
            _update(self._workspace, self._run_id, split_id=message.split_id, card=dict(self.card))
        elif isinstance(message, EpochDone):
            self.card["validation_metric"] = message.metric
            self.card["higher_is_better"] = message.higher_is_better
            self._epochs.append(message.epoch)
            if time.monotonic() - self._written > _WRITE_SECONDS:
                self.write()
            self._on_message(_progress(message))
        self._on_message(message)

    def write(self) -> None:
        """Keeps the epochs that are not kept yet."""
        with self._workspace.store.writing() as connection:
            queries.put_epochs(connection, self._run_id, self._epochs)
        self._epochs = []
        self._written = time.monotonic()


def _progress(done: EpochDone) -> Progress:
    epoch = done.epoch
    parts = ", ".join(f"{name} {value:.3f}" for name, value in epoch.losses.items())
    text = f"epoch {epoch.number}: {parts}; {done.metric} {epoch.validation:.3f}"
    if done.epochs_left is None:
        return Progress(None, f"{text} (best {done.best_epoch})")
    fraction = epoch.number / (epoch.number + done.epochs_left)
    return Progress(fraction, text, done.epochs_left * epoch.seconds)


def _keep(
    workspace: Workspace,
    run: RunInfo,
    asked: RunRequest,
    folder: Path,
    trained: Trained,
    card: dict[str, Any],
) -> None:
    shutil.rmtree(folder / "state", ignore_errors=True)
    facts = {"best_epoch": trained.best_epoch, "seconds": round(trained.seconds, 3)}
    status = "stopped" if trained.stopped or trained.diverged else "finished"
    with workspace.store.writing() as connection:
        encoder_id = add_encoder(
            connection,
            kind="trained",
            method=run.recipe,
            title=f"{asked.recipe}, level {asked.choice.level}",
            dimension=trained.dimension,
            path=str((folder / "best").relative_to(workspace.folder)),
            content_hash=trained.content_hash,
            parameters=card["hyperparameters"],
            input_id=run.input_id,
        )
        figures = [
            FigureInfo(**(asdict(figure) | {"encoder_id": figure.encoder_id or encoder_id}))
            for figure in trained.figures
        ]
        queries.put_figures(connection, figures)
        queries.end_run(
            connection,
            run.id,
            status,
            encoder_id=encoder_id,
            card=card | facts,
            error=trained.diverged,
        )


def list_runs(workspace: Workspace) -> list[RunInfo]:
    """All runs, the newest first."""
    with workspace.store.reading() as connection:
        return queries.runs(connection)


def find_run(workspace: Workspace, run_id: int) -> RunInfo:
    """One run.

    Raises:
        UserError: there is none of that id.
    """
    with workspace.store.reading() as connection:
        found = queries.run(connection, run_id)
    if found is None:
        raise UserError(f"there is no run {run_id}; `termexplorer runs` lists them")
    return found


def run_details(workspace: Workspace, run_id: int) -> RunDetails:
    """A run with its epochs and figures; raises as `find_run` does."""
    run = find_run(workspace, run_id)
    with workspace.store.reading() as connection:
        epochs = queries.epochs(connection, run_id)
        figures = queries.figures(connection, str(run.card.get("data_hash", "")))
    own = {run.encoder_id, run.input_id}
    return RunDetails(run, tuple(epochs), tuple(f for f in figures if f.encoder_id in own))


def key_figures(workspace: Workspace) -> dict[int, tuple[FigureInfo, ...]]:
    """For each run that was scored, the figures of its encoder and of what lies beneath."""
    found = {}
    with workspace.store.reading() as connection:
        for run in queries.runs(connection):
            if run.encoder_id is not None:
                own = {run.encoder_id, run.input_id}
                of_data = queries.figures(connection, str(run.card.get("data_hash", "")))
                found[run.id] = tuple(f for f in of_data if f.encoder_id in own)
    return found


def withdraw_run(workspace: Workspace, run_id: int) -> None:
    """Notes that a run which waited is not wanted any more; one that began is left alone."""
    if find_run(workspace, run_id).status == "queued":
        _end(workspace, run_id, "cancelled", "")


def mark_interrupted(workspace: Workspace) -> None:
    """Marks runs as interrupted that nobody trains any more, as after a crash."""
    for run in list_runs(workspace):
        if run.status in ("running", "paused") and not _is_locked(workspace, run.id):
            _end(workspace, run.id, "interrupted", "termexplorer ended while it was trained")


def set_paused(workspace: Workspace, run_id: int, paused: bool) -> None:
    """Notes that a run rests, or goes on."""
    _update(workspace, run_id, status="paused" if paused else "running")


def note_run(workspace: Workspace, run_id: int, *, title: str, notes: str) -> None:
    """Gives a run, and the encoder that came of it, another title; keeps notes on it."""
    run = find_run(workspace, run_id)
    with workspace.store.writing() as connection:
        queries.update_run(connection, run_id, title=title, notes=notes)
        if run.encoder_id is not None:
            rename_encoder(connection, run.encoder_id, title)


def delete_run(workspace: Workspace, run_id: int) -> None:
    """Removes a run with its encoder, vectors and figures.

    Raises:
        UserError: it is being trained, or another encoder was trained on its output.
    """
    run = find_run(workspace, run_id)
    if run.status in queries.ACTIVE and _is_locked(workspace, run_id):
        raise UserError(f"run {run_id} is being trained; cancel it first")
    with workspace.store.writing() as connection:
        queries.delete_run(connection, run_id)
        files = remove_encoder(connection, run.encoder_id) if run.encoder_id else []
    for path in (*(workspace.folder / file for file in files), _folder(workspace, run_id)):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def list_devices(control: Control) -> tuple[tuple[str, str], ...]:
    """(id, description) of every device that can be trained on; asks PyTorch in a child."""
    return supervise(devices, None, control, lambda _message: None)


def _folder(workspace: Workspace, run_id: int) -> Path:
    return workspace.folder / "runs" / str(run_id)


def _lock(workspace: Workspace, run_id: int) -> Path:
    return workspace.folder / "runs" / f"{run_id}.lock"


def _is_locked(workspace: Workspace, run_id: int) -> bool:
    try:
        with FileLock(_lock(workspace, run_id), timeout=0):
            return False
    except Timeout:
        return True


def _update(workspace: Workspace, run_id: int, **values: Any) -> None:
    with workspace.store.writing() as connection:
        queries.update_run(connection, run_id, **values)


def _end(workspace: Workspace, run_id: int, status: str, error: str) -> None:
    with workspace.store.writing() as connection:
        queries.end_run(connection, run_id, status, error=error)
