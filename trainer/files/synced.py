"""Files and folders that are on the disk before anything says that they are there."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def sync_path(path: Path) -> None:
    """Wait until a file's content, or a folder's list of names, is on the disk.

    Raises:
        OSError: the disk does not take it.
    """
    if sys.platform == "win32" and path.is_dir():
        return  # Windows opens no folder, and writes its list of names with the file
    descriptor = os.open(path, os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_tree(path: Path) -> None:
    """Wait until a file, or a folder with all that is in it, is on the disk.

    Raises:
        OSError: the disk does not take it.
    """
    if path.is_dir():
        for folder, _folders, names in os.walk(path, topdown=False):
            for name in names:
                sync_path(Path(folder, name))
            sync_path(Path(folder))
    else:
        sync_path(path)


def make_folder_synced(folder: Path) -> None:
    """Make a folder, and those above it, whose names are then on the disk; it may be there.

    Raises:
        OSError: it cannot be made, or the disk does not take it.
    """
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for path in missing:
        sync_path(path.parent)


def move_synced(source: Path, target: Path) -> None:
    """Rename a finished file or folder; a power cut leaves the whole of it, or what was there.

    Args:
        source: what was written, on the disk of ``target``.
        target: its place; a file there is replaced, a folder must not be there.

    Raises:
        OSError: it cannot be renamed, or the disk does not take it.
    """
    sync_tree(source)
    os.replace(source, target)
    sync_path(target.parent)
