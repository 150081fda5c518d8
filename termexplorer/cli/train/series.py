"""Runs that follow each other on the command line."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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


@contextmanager
def resumable_series(folder: Path) -> Iterator[None]:
    """Tell how to go on with a series of runs that Ctrl+C ends.

    Args:
        folder: of its tasks.

    Raises:
        StoppedError: it was ended so.
    """
    try:
        yield
    except KeyboardInterrupt as error:
        raise StoppedError(
            f"the runs were interrupted; `termexplorer work {folder}` goes on with them"
        ) from error
