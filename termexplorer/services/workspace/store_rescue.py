"""A copy of a store that cannot be written to, with what could not be written, as a workspace."""

import shutil
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.services.workspace.store_file import STORE
from termexplorer.store.health import check_copy
from termexplorer.system_reasons import tell_reason
from termexplorer.texts import tr
from termexplorer.workspace import Workspace


def save_elsewhere(
    workspace: Workspace, folder: Path, write_pending: Callable[[Workspace], object]
) -> Path:
    """Write all that a program sees of its store, and what it could not write, to another place.

    Args:
        workspace: what is open; its file may be deleted, moved, replaced, or on a full disk.
        folder: where the copy goes, as a new folder that is a workspace by itself.
        write_pending: writes what is not in the store yet to the workspace that it is given.

    Returns:
        The new folder; what is in it was read again and is sound.

    Raises:
        UserError: it cannot be written; then nothing is left of it.
    """
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    new_folder = folder / f"{workspace.folder.name}-{moment}"
    store = new_folder / STORE
    try:
        new_folder.mkdir()
        workspace.store.save_copy(store)
        with closing(Workspace(new_folder)) as copy:
            write_pending(copy)
        check_copy(store)
    except UserError:
        shutil.rmtree(new_folder, ignore_errors=True)
        raise
    except OSError as error:
        why = tell_reason(error)
        raise UserError(
            tr("{path}: cannot be written ({error})", path=new_folder, error=why)
        ) from error
    return new_folder
