"""Training of one run in a child: followed, kept, and gone on with."""

import os
import shutil
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError
from termexplorer.services.encoders.built_in import find_built_in
from termexplorer.services.recipes.presets import hyperparameters
from termexplorer.services.recipes.run_requests import RunRequest
from termexplorer.services.recipes.words import metric_text, part_text
from termexplorer.services.train.runs import (
    check_not_over,
    claimed_run,
    end_run,
    find_run,
    run_folder,
    update_run,
)
from termexplorer.store.encoders import runs as queries
from termexplorer.store.encoders.encoders import add_encoder
from termexplorer.store.encoders.runs import EpochInfo, FigureInfo, RunInfo
from termexplorer.store.kept_messages import plain_message
from termexplorer.texts import number, tr
from termexplorer.trainer.errors import Message
from termexplorer.workers.cluster.named_clusters import SIGN, find_cluster, list_clusters
from termexplorer.workers.cluster.supervised_job import supervise_on_cluster
from termexplorer.workers.process import kept_texts
from termexplorer.workers.process.bug_place import locate_crash
from termexplorer.workers.process.devices import AUTO, checked_device, devices
from termexplorer.workers.process.protocol import JobProgress
from termexplorer.workers.process.supervision import Cancelled, Crashed, JobControl, supervise
from termexplorer.workers.train.training import run_training
from termexplorer.workers.train.training_messages import (
    EpochDone,
    Prepared,
    Trained,
    TrainingRequest,
)
from termexplorer.workspace import Workspace

__all__ = ["EpochDone", "check_device", "list_devices", "train_run"]

_WRITE_SECONDS = 0.5  # epochs of a fast run are kept together, at most this late


def train_run(
    workspace: Workspace,
    run_id: int,
    control: JobControl,
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
        on_message: is handed `JobProgress` and `EpochDone` messages.
        resume: go on from its last written epoch.
        leave: asked when it is cancelled: whether it is left as interrupted, to go on later, as
            when a window is closed.

    Raises:
        UserError: it cannot be trained, and the run says so too; or it is over, and is left as
            it is.
        Cancelled: it was cancelled.
    """
    find_run(workspace, run_id)
    folder = run_folder(workspace, run_id)
    folder.parent.mkdir(exist_ok=True)
    with claimed_run(workspace, run_id):
        run = find_run(workspace, run_id)  # another process may have trained it just now
        check_not_over(run)
        folder.mkdir(exist_ok=True)
        return _train_run(workspace, run, folder, control, on_message, resume, leave)


def _train_run(
    workspace: Workspace,
    run: RunInfo,
    folder: Path,
    control: JobControl,
    on_message: Callable[[object], None],
    resume: bool,
    leave: Callable[[], bool],
) -> RunInfo:
    request = _make_request(workspace, run, folder, resume)
    update_run(workspace, run.id, status="running", error=Message(""))
    follower = _Follower(workspace, run, dict(request.hyperparameters), on_message)
    end = partial(end_run, workspace, run.id)
    try:
        trained = _train_where_wanted(request, control, follower.hear)
    except Cancelled:
        follower.write()
        if leave():
            end("interrupted", Message(kept_texts.LEFT))
        else:
            end("cancelled", Message(""))
            shutil.rmtree(folder, ignore_errors=True)
        raise
    except KeyboardInterrupt:
        follower.write()
        end("interrupted", Message(kept_texts.INTERRUPTED))
        raise
    except UserError as error:
        follower.write()
        # what it has come to is still there
        goes_on = request.resume or control.stopped() or (folder / "state").exists()
        end("interrupted" if goes_on else "failed", plain_message(str(error)))
        raise
    except Crashed as error:
        follower.write()
        end("interrupted", plain_message(locate_crash(str(error))))
        raise
    follower.write()
    _keep_trained(workspace, run, folder, trained, follower.card)
    return find_run(workspace, run.id)


def _train_where_wanted(
    request: TrainingRequest, control: JobControl, on_message: Callable[[object], None]
) -> Trained:
    """Train in a child here, or as a job of a cluster."""
    run = request.run
    if not run.device.startswith(SIGN):
        return supervise(run_training, request, control, on_message)
    cluster = find_cluster(request.workspace, run.device)
    if run.devices > 1 or run.nodes > 1:
        cluster = replace(cluster, devices=run.devices, nodes=run.nodes)
    remote = replace(request, run=replace(run, device=AUTO))
    return supervise_on_cluster(run_training, remote, control, on_message, cluster, request.folder)


def _make_request(
    workspace: Workspace, run: RunInfo, folder: Path, resume: bool
) -> TrainingRequest:
    asked, built_in = RunRequest.read(run.request), find_built_in(workspace)
    return TrainingRequest(
        workspace=workspace.folder,
        folder=folder,
        run=replace(asked, ontology_id=run.release_id, vectors_id=run.input_id, recipe=run.recipe),
        hyperparameters=hyperparameters(asked.recipe, asked.preset, asked.hyperparameters),
        resume=resume and (folder / "state").exists(),
        built_in_id=built_in.id if built_in else 0,
    )


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
            update_run(
                self._workspace, self._run_id, split_id=message.split_id, card=dict(self.card)
            )
        elif isinstance(message, EpochDone):
            self.card["validation_metric"] = message.metric
            self.card["higher_is_better"] = message.higher_is_better
            before = [epoch for epoch in self._epochs if epoch.number < message.epoch.number]
            self._epochs = [*before, message.epoch]  # with a smaller batch it begins anew
            if time.monotonic() - self._written > _WRITE_SECONDS:
                self.write()
            self._on_message(_describe_progress(message))
        self._on_message(message)

    def write(self) -> None:
        """Keeps the epochs that are not kept yet."""
        with self._workspace.store.writing() as connection:
            queries.put_epochs(connection, self._run_id, self._epochs)
        self._epochs = []
        self._written = time.monotonic()


def _describe_progress(done: EpochDone) -> JobProgress:
    epoch = done.epoch
    parts = ", ".join(
        f"{part_text(name)} {number(value, '.3f')}" for name, value in epoch.losses.items()
    )
    text = tr(
        "epoch {epoch}: {losses}; {metric} {validation:.3f}",
        epoch=epoch.number,
        losses=parts,
        metric=metric_text(done.metric),
        validation=epoch.validation,
    )
    if done.epochs_left is None:
        return JobProgress(None, tr("{told} (best {epoch})", told=text, epoch=done.best_epoch))
    fraction = epoch.number / (epoch.number + done.epochs_left)
    # more epochs come while validation improves
    return JobProgress(fraction, text, done.epochs_left * epoch.seconds, at_least=True)


def _keep_trained(
    workspace: Workspace,
    run: RunInfo,
    folder: Path,
    trained: Trained,
    card: dict[str, Any],
) -> None:
    facts: dict[str, Any] = {"best_epoch": trained.best_epoch, "seconds": round(trained.seconds, 3)}
    facts |= trained.facts
    compared: list[dict[str, Any]] = facts.pop("compared", [])
    status = "stopped" if trained.stopped or trained.diverged else "finished"
    title = find_run(workspace, run.id).title  # it may have been renamed meanwhile
    with workspace.store.writing() as connection:
        encoder_id = add_encoder(
            connection,
            kind="trained",
            method=run.recipe,
            title=title,
            dimension=trained.dimension,
            path=(folder / "best").relative_to(workspace.folder).as_posix(),
            content_hash=trained.content_hash,
            parameters=card["hyperparameters"],
            input_id=run.input_id,
        )
        figures = [
            FigureInfo(**(asdict(figure) | {"encoder_id": figure.encoder_id or encoder_id}))
            for figure in trained.figures
        ]
        queries.put_figures(connection, figures)
        card = (
            card
            | facts
            | {"compared": [_name_encoder(comparison, encoder_id) for comparison in compared]}
        )
        queries.end_run(
            connection,
            run.id,
            status,
            encoder_id=encoder_id,
            card=card,
            error=trained.diverged,
        )
    # only now: what is not kept can still be gone on with
    shutil.rmtree(folder / "state", ignore_errors=True)


def _name_encoder(difference: dict[str, Any], encoder_id: int) -> dict[str, Any]:
    """Put the id of the trained encoder where the child, which knows none, wrote 0."""
    ids = {key: difference[key] or encoder_id for key in ("first_id", "second_id")}
    return difference | ids


def list_devices(workspace: Workspace, control: JobControl) -> tuple[tuple[str, str], ...]:
    """(id, description) of all that can be trained on here, asked of PyTorch, and of clusters.

    Raises:
        UserError: the file of clusters cannot be read.
    """
    available = supervise(devices, None, control, lambda _message: None)
    titles = {AUTO: tr("Auto"), "cpu": tr("CPU, {cores} cores", cores=os.cpu_count())}
    clusters = [
        (SIGN + cluster.name, tr("Cluster {name}", name=cluster.name))
        for cluster in list_clusters(workspace.folder)
    ]
    return (*((device, titles.get(device, text)) for device, text in available), *clusters)


def check_device(workspace: Workspace, device: str) -> None:
    """Refuses a device that is not there, before a run is added; asks PyTorch in a child.

    Raises:
        UserError: it is none that can be trained on.
    """
    if device.startswith(SIGN):
        find_cluster(workspace.folder, device)
    elif device not in (AUTO, "cpu"):  # which are there always
        supervise(checked_device, device, JobControl(), lambda _message: None)
