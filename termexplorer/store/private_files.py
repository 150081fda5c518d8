"""Who may read the files of a workspace: its owner, unless it is shared with a group on purpose."""

import os
import stat
import sys
from contextlib import suppress
from enum import Enum
from pathlib import Path

_OTHERS = 0o077
_FOLDER, _FILE = 0o700, 0o600


class Access(Enum):
    """Who may get at what is in a folder."""

    PRIVATE = "its owner alone"
    SHARED = "a group, on purpose"
    OPEN = "more people than its owner"
    UNKNOWN = "not told by this system"


def make_private_folder(folder: Path) -> None:
    """Make a folder, and those above it, for its owner alone; one that is there stays as it is.

    Raises:
        OSError: it cannot be made.
    """
    if not folder.is_dir():
        folder.mkdir(_FOLDER, parents=True, exist_ok=True)


def make_private_file(path: Path) -> None:
    """Make an empty file for its owner alone; one that is there stays as it is.

    SQLite gives the files that it keeps beside a store the rights of the store.

    Raises:
        OSError: it cannot be made.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _FILE))


def read_access(folder: Path) -> Access:
    """Tell who may get at a folder.

    A group has it on purpose where the folder hands its group on to what is made in it (setgid),
    or where a group other than the owner's usual one may write to it.
    """
    if sys.platform == "win32":
        return Access.UNKNOWN
    status = folder.stat()
    if not status.st_mode & _OTHERS:
        return Access.PRIVATE
    writes = status.st_mode & stat.S_IWGRP and status.st_gid != os.getegid()
    if status.st_mode & stat.S_ISGID or writes:
        return Access.SHARED
    return Access.OPEN


def tighten_folder(folder: Path) -> None:
    """Take a folder of one's own, and all that is in it, from everybody else.

    One that is shared on purpose, or somebody else's, stays as it is, and so does what a link
    leads to.
    """
    if sys.platform == "win32" or folder.stat().st_uid != os.geteuid():
        return
    if read_access(folder) == Access.SHARED:
        return
    for subfolder, _folders, names in os.walk(folder):
        _tighten_path(Path(subfolder), _FOLDER)
        for name in names:
            _tighten_path(Path(subfolder, name), _FILE)


def _tighten_path(path: Path, most: int) -> None:
    with suppress(OSError):  # it is gone again, or somebody else's
        status = path.lstat()
        if stat.S_IMODE(status.st_mode) & ~most and not stat.S_ISLNK(status.st_mode):
            path.chmod(stat.S_IMODE(status.st_mode) & most)
