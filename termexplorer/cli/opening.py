"""Opening a workspace for one command."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from termexplorer.places import workspace_folder
from termexplorer.services.importing import sweep
from termexplorer.services.runs import mark_interrupted
from termexplorer.workers.supervision import Control
from termexplorer.workspace import Workspace


@contextmanager
def opened(option: Path | None) -> Iterator[Workspace]:
    """The workspace, with what dead imports and runs left behind put in order."""
    workspace = Workspace(workspace_folder(option))
    try:
        sweep(workspace, Control())
        mark_interrupted(workspace)
        yield workspace
    finally:
        workspace.close()
