"""A workspace's room on the disk: made smaller, or moved to another place."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.services.files.making_room import remove_files, write_making_room
from termexplorer.services.workspace.automatic_backups import back_up_before
from termexplorer.services.workspace.backups import alone
from termexplorer.services.workspace.check import strays
from termexplorer.store.health import compact_store, kept_files, run_ids
from termexplorer.store.releases.ontologies import ontologies
from termexplorer.texts import tr
from termexplorer.trainer.files.folders import is_free, room_beside, sha256
from termexplorer.trainer.files.synced import make_folder_synced, move_synced, sync_path
from termexplorer.workers.encoders.read_names import READ_NAMES
from termexplorer.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Compacted:
    """What compacting came to.

    Attributes:
        before: bytes of the workspace.
        after: bytes since; the backup that was made first is in both.
        removed: files and folders that no row told of, relative to the workspace.
        unsaved: why no backup could be made first; "" where it was.
    """

    before: int
    after: int
    removed: tuple[str, ...]
    unsaved: str = ""


def compact_workspace(folder: Path) -> Compacted:
    """Removes files that no row tells of, and gives free room in the store back.

    What transformers made of names goes too; they read them anew when they are asked again.

    Raises:
        UserError: somebody works in the workspace, or there is no room for a second copy.
    """
    with alone(folder):
        workspace = Workspace(folder)
        try:
            unsaved = back_up_before(workspace, "compact")
            before = size_of(folder)
            with workspace.store.reading() as connection:
                runs, releases = run_ids(connection), ontologies(connection)
                loose = strays(folder, kept_files(connection), runs, releases)
            read = list(folder.rglob(READ_NAMES))
            remove_files([*(folder / path for path in loose), *read])
            write_making_room(workspace, lambda: compact_store(workspace.store))
        finally:
            workspace.close()
    return Compacted(before, size_of(folder), tuple(map(str, loose)), unsaved)


def move_workspace(folder: Path, target: Path) -> None:
    """Moves a workspace; on another disk each file is compared before the old one goes.

    Raises:
        UserError: somebody works in it, there is something at the target, or no room there.
    """
    folder, target = folder.resolve(), target.expanduser().resolve()
    if not is_free(target):
        raise UserError(
            tr("{target} is there already and not empty; choose another folder", target=target)
        )
    if folder == target or folder in target.parents:
        raise UserError(
            tr("{target} lies in the workspace itself; choose another folder", target=target)
        )
    with alone(folder):
        make_folder_synced(target.parent)
        try:
            if target.exists():
                target.rmdir()
            folder.rename(target)
            sync_path(target.parent)
        except OSError:
            _carry_folder(folder, target)


def _carry_folder(folder: Path, target: Path) -> None:
    try:
        with room_beside(target) as room:
            part = room / target.name
            shutil.copytree(folder, part, symlinks=True)
            for path in (file for file in _walk_files(folder) if not file.is_symlink()):
                if sha256(path) != sha256(part / path.relative_to(folder)):
                    raise OSError(f"{path} was copied wrongly")
            move_synced(part, target)
    except OSError as error:
        raise UserError(
            tr("{folder} stays where it is: {error}", folder=folder, error=error)
        ) from None
    shutil.rmtree(folder)


def size_of(folder: Path) -> int:
    """Bytes of all files in a folder."""
    return sum(path.lstat().st_size for path in _walk_files(folder))


def _walk_files(folder: Path) -> Iterator[Path]:
    for subfolder, _folders, names in os.walk(folder):
        for name in names:
            yield Path(subfolder) / name
