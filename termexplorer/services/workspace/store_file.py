"""The file of a workspace's store: whether it is there, and when it was written to."""

from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.store.kept_paths import check_no_links_out
from termexplorer.texts import tr

STORE = "workspace.sqlite"


def check_is_workspace(folder: Path) -> None:
    """Refuse a folder without a store, such as a mistyped one, which opening would make anew.

    Raises:
        UserError: there is no store in it.
    """
    if not (folder / STORE).exists():
        raise UserError(
            tr(
                "{folder} is no workspace; choose one with --workspace, or make one by importing a "
                "terminology: termexplorer import",
                folder=folder,
            )
        )
    check_no_links_out(folder)


def last_written(folder: Path) -> float:
    """Return when the store of a workspace was written to last, in seconds; 0 if it is not there.

    Args:
        folder: of the workspace.
    """
    stats = (path.stat() for path in folder.glob(f"{STORE}*") if not path.name.endswith("-shm"))
    return max((status.st_mtime for status in stats if status.st_size), default=0.0)
