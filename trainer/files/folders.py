"""Folders of arrays: written beside their place and renamed, every file with its SHA-256."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from termexplorer.trainer.errors import TrainerError
from termexplorer.trainer.files.synced import make_folder_synced, move_synced

META = "meta.json"


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file as hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def is_free(folder: Path) -> bool:
    """Whether a folder can be written without losing anything: it is not there, or empty."""
    return not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))


@contextmanager
def replacing(folder: Path, meta: Mapping[str, Any]) -> Iterator[Path]:
    """Yield an empty folder that takes the place of ``folder`` once its content is complete.

    ``meta.json`` is added, with ``meta``, to which the body may add, and the SHA-256 of each file.
    When the body raises, ``folder`` is as it was.
    """
    with room_beside(folder) as room:
        part = room / "new"
        part.mkdir()
        yield part
        files = {path.name: sha256(path) for path in sorted(part.iterdir())}
        text = json.dumps({**meta, "files": files}, indent=1, ensure_ascii=False)
        (part / META).write_text(text, encoding="utf-8")
        _swap_folders(part, folder, room / "old")


@contextmanager
def room_beside(folder: Path) -> Iterator[Path]:
    """Yield a new, empty folder on the disk of ``folder``; it goes with all that is left in it.

    Nobody else writes there or has such a name: a fixed one may be another's, who is writing to
    it, or a user's own.
    """
    make_folder_synced(folder.parent)
    with TemporaryDirectory(
        prefix=f".{folder.name}.", dir=folder.parent, ignore_cleanup_errors=True
    ) as room:
        yield Path(room)


def _swap_folders(part: Path, folder: Path, old: Path) -> None:
    """Put ``part`` in the place of ``folder``, and what was there in that of ``old``."""
    if folder.exists():
        folder.rename(old)
    try:
        move_synced(part, folder)
    except OSError:
        if old.exists():
            old.rename(folder)
        raise


def read_meta(folder: Path, *, verify: bool = True) -> dict[str, Any]:
    """Return what ``meta.json`` says, after checking the files that it lists.

    Args:
        folder: a folder written by ``replacing``.
        verify: compare the SHA-256 of each file; false where the caller has done so.

    Raises:
        ValueError: for a missing or damaged file.
    """
    try:
        meta = json.loads((folder / META).read_text(encoding="utf-8"))
        files = dict(meta["files"])
        links = sorted(path.name for path in folder.iterdir() if path.is_symlink())
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise TrainerError(
            "{file} is missing or damaged; make {folder} anew", file=folder / META, folder=folder
        ) from error
    if links:  # they may lead to files of somebody else
        raise TrainerError("{file} is a link; put the file itself there", file=folder / links[0])
    for name, expected in files.items():
        _check_file(folder / Path(name).name, expected if verify else None)
    return dict(meta)


def _check_file(path: Path, expected: str | None) -> None:
    try:
        is_there = path.is_file()
    except (OSError, ValueError):  # no file can be called so
        is_there = False
    if not is_there:
        raise TrainerError("{path} is missing; make {parent} anew", path=path, parent=path.parent)
    if expected is not None and sha256(path) != expected:
        raise TrainerError(
            "{path} has changed since it was written; make {parent} anew",
            path=path,
            parent=path.parent,
        )
