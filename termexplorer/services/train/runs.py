"""Runs that a workspace keeps: looked at, put in order, noted and deleted."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError
from termexplorer.services.figures.corrections import correct_together
from termexplorer.services.files.making_room import (
    files_made_anew_of,
    locate_files,
    remove_begun_vectors,
    remove_files,
    write_making_room,
)
from termexplorer.store.database.process_lock import LockHeldError, ProcessLock
from termexplorer.store.database.sqlalchemy_engine import Connection
from termexplorer.store.encoders import runs as queries
from termexplorer.store.encoders.encoders import check_unused, rename_encoder
from termexplorer.store.encoders.evaluations import Evaluated, read_differences
from termexplorer.store.encoders.infos import LEXICAL, encoder
from termexplorer.store.encoders.runs import EpochInfo, FigureInfo, RunInfo
from termexplorer.store.kept_messages import plain_message
from termexplorer.store.kept_paths import locate_kept
from termexplorer.store.removing import remove_run
from termexplorer.texts import mark, tr, translated
from termexplorer.trainer.errors import Message
from termexplorer.trainer.metrics import MAP, MRR
from termexplorer.workers.process import kept_texts
from termexplorer.workspace import Workspace

__all__ = [
    "CAN_GO_ON",
    "EpochInfo",
    "FigureInfo",
    "RunDetails",
    "RunInfo",
    "check_deletion",
    "check_not_over",
    "claimed_run",
    "delete_run",
    "end_run",
    "find_run",
    "key_figures",
    "list_runs",
    "mark_interrupted",
    "note_run",
    "run_details",
    "run_folder",
    "set_paused",
    "status_text",
    "update_run",
    "withdraw_run",
]

CAN_GO_ON = ("interrupted", "queued")
"""The statuses of runs that can be trained, unless a process does so already."""
_BEGUN = ("running", "paused")
PRIMARY_METRICS = {  # of the tasks that a run is scored on
    "ranking": MAP,
    "synonyms, test": MAP,
    "hypernyms": MRR,
    "ranking, lists": MAP,
    "synonyms, zero-shot": MAP,
}


@dataclass(frozen=True, slots=True)
class RunDetails:
    """A run with its epochs and the figures on its data, its encoder's and its input's.

    Attributes:
        evaluations: the tasks that it was scored on, with the figures of TF-IDF and of the built-in
            encoder as well.
        input_facts: what is kept of how its base vectors were made.
    """

    run: RunInfo
    epochs: tuple[EpochInfo, ...]
    figures: tuple[FigureInfo, ...]
    evaluations: tuple[Evaluated, ...] = ()
    input_facts: Mapping[str, Any] = field(default_factory=dict)


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
        stored_run = queries.run(connection, run_id)
    if stored_run is None:
        raise UserError(
            tr("there is no run {run_id}; `termexplorer run list` lists them", run_id=run_id)
        )
    return stored_run


def run_details(workspace: Workspace, run_id: int) -> RunDetails:
    """A run with its epochs and figures; raises as `find_run` does."""
    run = find_run(workspace, run_id)
    with workspace.store.reading() as connection:
        epochs = queries.epochs(connection, run_id)
        beneath = encoder(connection, run.input_id)
        return RunDetails(
            run,
            tuple(epochs),
            _own_figures(connection, run),
            _own_evaluations(connection, run),
            beneath.parameters if beneath else {},
        )


def key_figures(workspace: Workspace) -> dict[int, tuple[FigureInfo, ...]]:
    """For each run that was scored, the figures of its encoder and of what lies beneath."""
    with workspace.store.reading() as connection:
        return {
            run.id: _own_figures(connection, run)
            for run in queries.runs(connection)
            if run.encoder_id is not None
        }


def _own_figures(connection: Connection, run: RunInfo) -> tuple[FigureInfo, ...]:
    """Its encoder's figures, and the same of what lies beneath."""
    figures = queries.figures(connection, str(run.card.get("data_hash", "")))
    own_metrics = {(f.task, f.metric) for f in figures if f.encoder_id == run.encoder_id}
    shown = (run.encoder_id, run.input_id)
    return tuple(f for f in figures if f.encoder_id in shown and (f.task, f.metric) in own_metrics)


def _own_evaluations(connection: Connection, run: RunInfo) -> tuple[Evaluated, ...]:
    """Return the tasks of a run: its encoder, those scored beside it, and how they differ."""
    data_hash = str(run.card.get("data_hash", ""))
    compared = run.card.get("compared", ())
    beside = {difference[key] for difference in compared for key in ("first_id", "second_id")}
    shown = {run.encoder_id, run.input_id, LEXICAL, *beside}
    figures = [f for f in queries.figures(connection, data_hash) if f.encoder_id in shown]
    evaluations = [
        Evaluated(
            task=task,
            title=plain_message(run.title),
            data_hash=data_hash,
            metric=PRIMARY_METRICS[task],
            figures=tuple(figure for figure in figures if figure.task == task),
            differences=read_differences(
                difference for difference in compared if difference["task"] == task
            ),
        )
        for task in PRIMARY_METRICS
        if any((f.task, f.encoder_id) == (task, run.encoder_id) for f in figures)
    ]
    return tuple(correct_together(evaluations))


def withdraw_run(workspace: Workspace, run_id: int) -> None:
    """Notes that a run which waited is not wanted any more; one that began is left alone."""
    if find_run(workspace, run_id).status == "queued":
        end_run(workspace, run_id, "cancelled", Message(""))


def mark_interrupted(workspace: Workspace) -> None:
    """Marks runs as interrupted that nobody trains any more, as after a crash."""
    for run in list_runs(workspace):
        if run.status in _BEGUN:
            with suppress(LockHeldError), _run_lock(workspace, run.id):
                _end_if_left(workspace, run.id)


def _end_if_left(workspace: Workspace, run_id: int) -> None:
    """Ends a run that nobody trains; it may have ended by itself since it was listed."""
    with workspace.store.writing() as connection:
        run = queries.run(connection, run_id)
        if run and run.status in _BEGUN:
            queries.end_run(
                connection, run_id, "interrupted", error=Message(kept_texts.INTERRUPTED)
            )


def check_not_over(run: RunInfo) -> None:
    """Refuses to train a run that has ended for good, whose encoder would be written over.

    Raises:
        UserError: it was not interrupted, nor waits, nor was left behind as running.
    """
    if run.status not in (*CAN_GO_ON, *queries.ACTIVE):
        raise UserError(
            tr(
                "run {run} has nothing to go on with: its status is {status}; begin a new run",
                run=run.id,
                status=status_text(run.status),
            )
        )


def set_paused(workspace: Workspace, run_id: int, paused: bool) -> None:
    """Notes that a run rests, or goes on."""
    update_run(workspace, run_id, status="paused" if paused else "running")


def note_run(workspace: Workspace, run_id: int, *, title: str, notes: str) -> None:
    """Gives a run, and the encoder that came of it, another title; keeps notes on it."""
    run = find_run(workspace, run_id)
    if title in (run.title, run.shown_title):
        title = run.title  # one that the program gave stays in every language
    with workspace.store.writing() as connection:
        queries.update_run(connection, run_id, title=title, notes=notes)
        if run.encoder_id is not None:
            rename_encoder(connection, run.encoder_id, title)


def check_deletion(workspace: Workspace, runs: Sequence[RunInfo]) -> None:
    """Whether runs can be deleted together, before anybody is asked.

    Raises:
        UserError: as `delete_run`, but for what is deleted with them.
    """
    ids = [run.id for run in runs]
    encoder_ids = [run.encoder_id for run in runs if run.encoder_id is not None]
    for run in runs:
        with _claim_resting_run(workspace, run.id):
            pass
    with workspace.store.reading() as connection:
        for encoder_id in encoder_ids:
            check_unused(connection, encoder_id, ids, encoder_ids)


def delete_run(workspace: Workspace, run_id: int) -> None:
    """Removes a run with its encoder, vectors and figures.

    Raises:
        UserError: it is being trained, or another encoder was trained on its output.
    """
    run = find_run(workspace, run_id)

    def remove_rows() -> list[Path]:
        with _claim_resting_run(workspace, run_id), workspace.store.writing() as connection:
            return locate_files(workspace, remove_run(connection, run_id))

    going = files_made_anew_of(workspace, run.encoder_id) if run.encoder_id else []
    remove_files(write_making_room(workspace, remove_rows, going))
    remove_begun_vectors(workspace)


def _claim_resting_run(workspace: Workspace, run_id: int) -> AbstractContextManager[None]:
    """Sees to it that nobody trains a run."""
    refusal = tr("run {run} is being trained; cancel it first", run=run_id)
    return claimed_run(workspace, run_id, refusal)


def run_folder(workspace: Workspace, run_id: int) -> Path:
    """Return where a run's state and its best encoder go.

    Raises:
        UserError: a link is there, that came with the workspace.
    """
    return locate_kept(workspace.folder, f"runs/{run_id}")


@contextmanager
def claimed_run(workspace: Workspace, run_id: int, refusal: str = "") -> Iterator[None]:
    """Holds the right to train a run; one process at a time has it.

    Args:
        workspace: where it is.
        run_id: which.
        refusal: what is said where another process trains it.

    Raises:
        UserError: another process trains it, or the right cannot be had at all.
    """
    try:
        with _run_lock(workspace, run_id):
            yield
    except LockHeldError as error:
        busy = refusal or tr("run {run} is being trained by another process", run=run_id)
        raise UserError(busy) from error


def _run_lock(workspace: Workspace, run_id: int) -> ProcessLock:
    return ProcessLock(workspace.folder / "runs" / f"{run_id}.lock")


_STATUSES = {
    "queued": mark("queued"),
    "running": mark("running"),
    "paused": mark("paused"),
    "finished": mark("finished"),
    "stopped": mark("stopped"),
    "interrupted": mark("interrupted"),
    "cancelled": mark("cancelled"),
    "failed": mark("failed"),
}


def status_text(status: str) -> str:
    """What the status of a run is called."""
    return translated(_STATUSES.get(status, status))


def update_run(workspace: Workspace, run_id: int, **values: Any) -> None:
    """Changes columns of a run."""
    with workspace.store.writing() as connection:
        queries.update_run(connection, run_id, **values)


def end_run(workspace: Workspace, run_id: int, status: str, error: Message) -> None:
    """Notes how a run ended without an encoder, and when."""
    with workspace.store.writing() as connection:
        queries.end_run(connection, run_id, status, error=error)
