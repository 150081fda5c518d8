"""Opening a workspace for one command."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.places import workspace_folder
from termexplorer.services.importing.releases import sweep
from termexplorer.services.train.runs import mark_interrupted
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace


@contextmanager
def opened(option: Path | None) -> Iterator[Workspace]:
    """The workspace, with what dead imports and runs left behind put in order."""
    workspace = Workspace(workspace_folder(option))
    try:
        with suppress(UserError):  # another time, when there is room
            if not workspace.read_only:
                sweep(workspace, JobControl())
                mark_interrupted(workspace)
        yield workspace
    finally:
        workspace.close()
