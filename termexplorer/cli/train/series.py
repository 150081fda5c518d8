"""Runs that follow each other on the command line."""

from collections.abc import Callable, Sequence

from termexplorer.cli.output import progress_bar
from termexplorer.errors import StoppedError
from termexplorer.services.train.runs import CAN_GO_ON, find_run
from termexplorer.services.train.training import train_run
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace


def train_shown(workspace: Workspace, run_id: int, *, resume: bool = False) -> None:
    """Trains a run to its end, with a progress bar.

    Args:
        workspace: the workspace.
        run_id: which.
        resume: go on from its last written epoch.

    Raises:
        StoppedError: it was stopped by Ctrl+C, and can be gone on with.
        UserError: it cannot be trained.
    """
    try:
        with progress_bar() as show:
            train_run(workspace, run_id, JobControl(), show, resume=resume)
    except KeyboardInterrupt as error:
        if find_run(workspace, run_id).status not in CAN_GO_ON:
            raise
        raise StoppedError(
            f"run {run_id} was interrupted; `termexplorer run resume {run_id}` goes on with it"
        ) from error


def train_series(
    workspace: Workspace, add_next: Callable[[Sequence[int]], int | None]
) -> list[int]:
    """Trains runs to their end, one after the other, each with a progress bar; returns their ids.

    Args:
        workspace: the workspace.
        add_next: adds the run that comes after those before it; None where there is none.
    """
    runs: list[int] = []
    while (run_id := add_next(runs)) is not None:
        train_shown(workspace, run_id)
        runs.append(run_id)
    return runs
