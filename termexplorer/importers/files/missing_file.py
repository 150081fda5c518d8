"""What is said of a file that is not there, or is none."""

import stat
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.system_reasons import tell_reason
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


def check_no_pipe(path: Path) -> None:
    """Refuse a pipe or socket, from which a program would wait for bytes that nobody sends.

    Raises:
        UserError: it is one, or its name cannot be that of a file.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return  # what is not there is told by whoever opens it
    except (OSError, ValueError) as error:
        reason = tell_reason(error) if isinstance(error, OSError) else error
        raise UserError(tr("{path} cannot be read: {error}", path=path, error=reason)) from error
    if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
        raise UserError(tr("{path}: it is no file, but a pipe or a device; name a file", path=path))
