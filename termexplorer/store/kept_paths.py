"""Where the files of a workspace lie that its rows tell of.

A row is data like any other: a workspace may come from somebody else, and a path in it must lead
nowhere but to a file in the folder of its kind.
"""

import re
import stat
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.texts import tr

FOLDERS = ("vectors", "runs", "maps", "ranks", "levels")
"""The folders of a workspace whose files rows tell of."""
_SEPARATORS = re.compile(r"[/\\]")  # Windows wrote the second
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,199}", re.ASCII)
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.ASCII | re.IGNORECASE)
_MOST_PARTS = 3  # runs, the run, best
_TOLD = 80  # characters of a path in an error


def is_plain_name(name: str) -> bool:
    """Whether a name of a file or folder leads nowhere else, on any system."""
    return bool(_PLAIN.fullmatch(name) and not name.endswith(".") and not _RESERVED.fullmatch(name))


def locate_kept(folder: Path, path: str) -> Path:
    """Return where a file or folder lies that a row tells of.

    Args:
        folder: of the workspace.
        path: as the row has it, relative to the workspace.

    Raises:
        UserError: it is no plain name within the folder of its kind, or a link leads out of it.
    """
    entry = locate_entry(folder, path)
    home = folder.resolve() / _SEPARATORS.split(path)[0]
    links = entry.is_symlink() or (entry.is_dir() and any(map(Path.is_symlink, entry.iterdir())))
    if links or not entry.resolve().is_relative_to(home):
        raise _refuse_path(folder, path)
    return entry


def locate_entry(folder: Path, path: str) -> Path:
    """Return where a file, folder or link lies, to be removed or compared and never opened.

    Raises:
        UserError: as `locate_kept`, but that the last part may be a link.
    """
    if not is_plain_path(path):
        raise _refuse_path(folder, path)
    home, *within = _SEPARATORS.split(path)
    parent = folder.joinpath(home, *within[:-1])
    if not parent.resolve().is_relative_to(folder.resolve() / home):
        raise _refuse_path(folder, path)
    return parent / within[-1]


def is_plain_path(path: object) -> bool:
    """Whether a path consists of one of the folders of a workspace and plain names in it."""
    if not isinstance(path, str):  # SQLite keeps anything in any column
        return False
    home, *within = _SEPARATORS.split(path)
    return home in FOLDERS and 0 < len(within) < _MOST_PARTS and all(map(is_plain_name, within))


def check_no_links_out(folder: Path) -> None:
    """Refuse a workspace of which a part lies elsewhere, where links lead that came with it.

    Raises:
        UserError: a file or folder in it is a link that leads out of it, or no file and no folder,
            as a pipe on which whoever reads waits for ever.
    """
    home = folder.resolve()
    if not home.is_dir():
        return
    for entry in home.iterdir():
        if entry.is_symlink() and not entry.resolve().is_relative_to(home):
            raise UserError(
                tr(
                    "{path}: is a link that leads out of the workspace; remove the link, or move "
                    "the whole workspace there",
                    path=entry,
                )
            )
        if not _is_file_or_folder(entry):
            raise UserError(tr("{path}: is neither a file nor a folder; remove it", path=entry))


def check_own_path(folder: Path, path: Path) -> Path:
    """Return a path that the program chose within a workspace, and that no row tells of.

    Args:
        folder: of the workspace.
        path: below a folder in it; one elsewhere was chosen by the user, and is returned as it is.

    Raises:
        UserError: what is there is a link that leads out of its folder, or no file and no folder.
    """
    if path == folder or not path.is_relative_to(folder):
        return path
    home = folder.resolve() / path.relative_to(folder).parts[0]
    if not path.resolve().is_relative_to(home) or not _is_file_or_folder(path):
        raise UserError(
            tr(
                "{path}: is a link that leads elsewhere, or neither a file nor a folder; remove it",
                path=path,
            )
        )
    return path


def _is_file_or_folder(path: Path) -> bool:
    """Whether nothing else is there, as far as one can see."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return True
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode)


def _refuse_path(folder: Path, path: object) -> UserError:
    return UserError(
        tr(
            "{folder}: a row of its store names the file {path}, which lies in no folder of the "
            "workspace; nothing there was touched, restore a backup",
            folder=folder,
            path=repr(path)[:_TOLD],
        )
    )
