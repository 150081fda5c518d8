"""Opening a workspace for one command."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import typer

from termexplorer.errors import UserError
from termexplorer.places import workspace_folder
from termexplorer.services.workspace.left_behind import has_begun_work
from termexplorer.services.workspace.store_file import check_is_workspace, last_written
from termexplorer.workers.process.protocol import JobProgress
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace


@contextmanager
def opened(option: Path | None, *, make: bool = False) -> Iterator[Workspace]:
    """Open the workspace, and put in order what dead imports and runs left behind.

    Args:
        option: The folder that the user named, None for the usual one.
        make: Whether a folder without a workspace becomes one; else it is refused, and nothing is
            written there.

    Raises:
        UserError: There is no workspace, or it cannot be opened.
    """
    folder = workspace_folder(option)
    if not make:
        check_is_workspace(folder)
    workspace = Workspace(folder)
    try:
        with suppress(UserError):  # another time, when there is room
            if not workspace.read_only and has_begun_work(workspace):
                _end_left_work(workspace)
        before = last_written(folder)
        yield workspace
        if not workspace.read_only and last_written(folder) != before:
            _back_up(workspace)
    finally:
        workspace.close()


def _end_left_work(workspace: Workspace) -> None:
    from termexplorer.services.importing.releases import sweep
    from termexplorer.services.train.runs import mark_interrupted  # brings in SQLAlchemy

    sweep(workspace, JobControl())
    mark_interrupted(workspace)


def _back_up(workspace: Workspace) -> None:
    from termexplorer.services.workspace.automatic_backups import back_up_daily  # SQLAlchemy too

    message = back_up_daily(workspace)
    if message:
        typer.echo(message, err=True)


def print_warning(message: object) -> None:
    """Print on standard error what a job says of itself, such as that no backup could be made."""
    if isinstance(message, JobProgress):
        typer.echo(message.text, err=True)
