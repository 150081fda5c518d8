"""Removing runs and encoders after a copy of the store was made."""

from collections.abc import Callable, Sequence

from termexplorer.services.encoders.encoders import remove_encoder
from termexplorer.services.train.runs import delete_run
from termexplorer.services.workspace.automatic_backups import back_up_before
from termexplorer.workers.process.protocol import JobProgress
from termexplorer.workspace import Workspace

Tell = Callable[[object], None]


def back_up_before_removal(workspace: Workspace, on_message: Tell) -> None:
    """Copy the store before rows go.

    Args:
        workspace: whose store.
        on_message: is handed a `JobProgress` that says why no copy could be made, if so.
    """
    if message := back_up_before(workspace, "removal"):
        on_message(JobProgress(None, message))


def back_up_and_remove_encoder(workspace: Workspace, encoder_id: int, on_message: Tell) -> None:
    """Copy the store, then remove vectors, or an encoder that was made of others.

    Raises:
        UserError: as `remove_encoder`.
    """
    back_up_before_removal(workspace, on_message)
    remove_encoder(workspace, encoder_id)


def back_up_and_delete_runs(workspace: Workspace, run_ids: Sequence[int], on_message: Tell) -> None:
    """Copy the store, then remove runs with their encoders, vectors and figures.

    Raises:
        UserError: as `delete_run`.
    """
    back_up_before_removal(workspace, on_message)
    for run_id in run_ids:
        delete_run(workspace, run_id)
