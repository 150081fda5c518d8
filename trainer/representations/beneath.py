"""How a saved folder refers to those that it builds on: by relative path, and by hash."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.files.folders import META, sha256


def refer(folder: Path, to: Path) -> dict[str, str]:
    """Return what ``folder`` writes down to find ``to`` again, also when both are moved together.

    The hash is that of the ``meta.json`` of ``to``, which holds those of its other files.

    Raises:
        ValueError: where ``to`` is no saved folder.
    """
    if not (to / META).is_file():
        raise TrainerError(
            "{to} has no {meta}; give a folder that was saved by this library", to=to, meta=META
        )
    path = Path(os.path.relpath(to.resolve(), folder.resolve()))
    return {"path": path.as_posix(), "sha256": sha256(to / META)}


def follow(folder: Path, reference: Any) -> Path:
    """Return the folder that ``folder`` refers to.

    Raises:
        ValueError: for one that is not there, or is not what it was.
    """
    try:
        path, expected = folder / str(reference["path"]), reference["sha256"]
    except (KeyError, TypeError) as error:
        raise TrainerError(
            "{file} is damaged; make {folder} anew", file=folder / META, folder=folder
        ) from error
    if not (path / META).is_file():
        raise TrainerError(
            "{folder} builds on {path}, which is not there; move both together",
            folder=folder,
            path=path,
        )
    if sha256(path / META) != expected:
        raise TrainerError(
            "{folder} builds on {path}, which has changed since; make {folder} anew",
            folder=folder,
            path=path,
        )
    return path
