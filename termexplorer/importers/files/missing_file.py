"""What is said of a file that is not there."""

from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.texts import tr
from termexplorer.trainer.near_names import find_near_names


def missing_file_error(path: Path) -> UserError:
    """Return what is said of a file that is not there: what to check, and names alike."""
    if not path.parent.is_dir():
        return UserError(
            tr(
                "{path} does not exist, nor does its folder {folder}; check the name",
                path=path,
                folder=path.parent,
            )
        )
    if near := find_near_names(path):
        return UserError(
            tr(
                "{path} does not exist; check the name: the folder has {near}",
                path=path,
                near=", ".join(near),
            )
        )
    return UserError(
        tr("{path} does not exist; check the name, and the folder that it is in", path=path)
    )
