"""Opening a workspace for one command."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import typer

from termexplorer.cli.output import count_text, print_line, print_table
from termexplorer.errors import UserError
from termexplorer.places import workspace_folder
from termexplorer.services.importing.releases import sweep
from termexplorer.services.train.runs import mark_interrupted
from termexplorer.services.workspace.automatic_backups import back_up_daily, last_written
from termexplorer.services.workspace.backups import check_is_workspace
from termexplorer.services.workspace.sound_copy import SoundPart, open_sound_part
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
            if not workspace.read_only:
                sweep(workspace, JobControl())
                mark_interrupted(workspace)
        before = last_written(folder)
        yield workspace
        if not workspace.read_only and last_written(folder) != before:
            message = back_up_daily(workspace)
            if message:
                typer.echo(message, err=True)
    finally:
        workspace.close()


def print_warning(message: object) -> None:
    """Print on standard error what a job says of itself, such as that no backup could be made."""
    if isinstance(message, JobProgress):
        typer.echo(message.text, err=True)


@contextmanager
def open_for_export(option: Path | None, *, without_broken: bool) -> Iterator[SoundPart]:
    """Open the workspace, or only its sound rows.

    Args:
        option: The folder that the user named, None for the usual one.
        without_broken: Whether damaged rows are left out; else they are refused where they are met.

    Raises:
        UserError: There is no workspace, or it cannot be opened.
    """
    if without_broken:
        with open_sound_part(workspace_folder(option)) as part:
            yield part
    else:
        with opened(option) as workspace:
            yield SoundPart(workspace, ())


def print_left_out(part: SoundPart) -> None:
    """Tell which damaged rows an export is without."""
    if part.left_out:
        count = len(part.left_out)
        print_line(f"left out: {count_text(count, 'damaged row', 'damaged rows')}")
        print_table(("table", "row"), [(row.table, row.key) for row in part.left_out])


def tell_left_out(part: SoundPart) -> dict[str, object]:
    """Return which damaged rows an export is without, for JSON; {} where it is whole."""
    rows = [{"table": row.table, "row": row.key} for row in part.left_out]
    return {"left_out": rows} if rows else {}
