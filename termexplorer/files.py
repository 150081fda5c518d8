"""Files that appear whole or not at all."""

import re
import secrets
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.system_reasons import tell_reason
from termexplorer.texts import tr
from termexplorer.trainer.files.synced import move_synced

_STORE = "workspace.sqlite"
BACKUPS, PAIR_SETS = "backups", "pair_sets"  # folders of a workspace


_LONGEST_STEM = 120  # bytes; most file systems take 255, an ending and a number included


def make_file_stem(title: str) -> str:
    """Return the letters and digits of a title as the name of a file, however long the title is."""
    name = re.sub(r"\W+", "-", title).encode()[:_LONGEST_STEM]
    return name.decode(errors="ignore").strip("-")


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Yield a path beside a file's own; what is written there takes its place, on the disk.

    Raises:
        UserError: the place cannot be written to.
    """
    # a name of its own: threads of one process write there too
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        yield fresh
        move_synced(fresh, path)
    except OSError as error:
        text = tr("{path}: cannot be written ({error})", path=path, error=tell_reason(error))
        raise UserError(text) from error
    finally:
        fresh.unlink(missing_ok=True)


def check_output_file(path: Path, endings: Sequence[str] = ()) -> None:
    """Refuse a file that cannot be written, before what it is to hold is worked out.

    Args:
        path: where it is to go; what is there is written over.
        endings: how its name may end; anything if there are none.

    Raises:
        UserError: another ending, a folder that is not there or cannot be written to, a folder of
            that name, or a place in the folder of a workspace, but for a new backup.
    """
    if endings and not path.name.lower().endswith(tuple(endings)):
        *most, last = endings
        endings_text = (
            tr("{endings} or {last}", endings=", ".join(most), last=last) if most else last
        )
        raise UserError(tr("{path}: name the file {endings}", path=path, endings=endings_text))
    resolved = path.expanduser().resolve()
    if resolved.is_dir():
        raise UserError(tr("{path}: is a folder; name a file", path=path))
    if not resolved.parent.is_dir():
        raise UserError(
            tr(
                "{path}: there is no folder {folder}; make it, or name another",
                path=path,
                folder=path.parent,
            )
        )
    _check_not_of_workspace(path, resolved, BACKUPS)
    _check_writable(path, resolved.parent)


def check_output_folder(path: Path) -> None:
    """Refuse a folder in which nothing can be written, before there is anything to write.

    Raises:
        UserError: it is a file, lies in the folder of a workspace outside its pair sets, or cannot
            be made or written to.
    """
    resolved = path.expanduser().resolve()
    if resolved.exists() and not resolved.is_dir():
        raise UserError(tr("{path}: is a file; name a folder", path=path))
    if (resolved / _STORE).exists():
        raise UserError(tr("{path}: is a workspace; name another folder", path=path))
    _check_not_of_workspace(path, resolved, PAIR_SETS)
    _check_writable(
        path, next(folder for folder in (resolved, *resolved.parents) if folder.is_dir())
    )


def _check_not_of_workspace(path: Path, resolved: Path, free: str) -> None:
    """Refuse whatever lies in a workspace's folder but below one folder of it; of backups, too."""
    folder = next((parent for parent in resolved.parents if (parent / _STORE).is_file()), None)
    if folder is None:
        return
    first, *within = resolved.relative_to(folder).parts
    if not within or first != free or (first == BACKUPS and resolved.exists()):
        raise UserError(
            tr(
                "{path}: belongs to the workspace {folder}; choose another place",
                path=path,
                folder=folder,
            )
        )


def _check_writable(path: Path, folder: Path) -> None:
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        why = tell_reason(error)
        raise UserError(tr("{path}: cannot be written ({error})", path=path, error=why)) from error
