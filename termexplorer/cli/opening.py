"""Opening a workspace for one command."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.places import workspace_folder
from termexplorer.services.importing.releases import sweep
from termexplorer.services.train.runs import mark_interrupted
from termexplorer.services.workspace.backups import check_is_workspace
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
        yield workspace
    finally:
        workspace.close()
