"""Importing a release in a child process, with progress, so that stop always stops."""

from collections.abc import Callable

from termexplorer.store import ontologies as queries
from termexplorer.store.loading import unfinished_releases
from termexplorer.store.ontologies import Ontology
from termexplorer.workers.importing import ImportRequest, run_import, run_sweep
from termexplorer.workers.supervision import Control, supervise
from termexplorer.workspace import Workspace


def import_release(
    workspace: Workspace,
    request: ImportRequest,
    control: Control,
    on_message: Callable[[object], None],
) -> Ontology:
    """Imports a release and returns it; blocks until it is done.

    Args:
        workspace: where to.
        request: what to import.
        control: cancels it within a second, from any thread.
        on_message: is handed `Progress` messages.

    Raises:
        UserError: the source cannot be imported; the store is as it was.
        Cancelled: it was cancelled; what it left behind is swept at the next start or import.
    """
    imported = supervise(run_import, request, control, on_message)
    with workspace.store.reading() as connection:
        ontology = queries.ontology(connection, imported.id)
    assert ontology is not None  # noqa: S101 - it was made visible a moment ago
    return ontology


def sweep(workspace: Workspace, control: Control) -> None:
    """Removes what stopped or killed imports left behind, if there is anything."""
    if unfinished_releases(workspace.store):
        supervise(run_sweep, workspace.folder, control, lambda _message: None)
