"""Copies of a workspace's store: made, listed, verified, put back."""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.files import BACKUPS
from termexplorer.services.workspace.store_file import STORE, check_is_workspace
from termexplorer.store.database.copies import copy_store, put_back
from termexplorer.store.database.log_head import forget_log_head
from termexplorer.store.database.process_lock import LockHeldError, ProcessLock
from termexplorer.store.health import complaints, log_rows
from termexplorer.store.whole_copy import find_fault_in_copy
from termexplorer.system_reasons import tell_reason
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

_LOCKS = ("window.lock", "loading.lock", "judging.lock")


@dataclass(frozen=True, slots=True)
class Backup:
    """A copy of the store.

    Attributes:
        path: of the file.
        made_at: ISO 8601 in UTC, to the second.
        size: bytes.
        verdicts: rows of its log; None where it cannot be read.
        fault: what is wrong with it, or "".
    """

    path: Path
    made_at: str
    size: int
    verdicts: int | None
    fault: str


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore did.

    Attributes:
        backup: that is in place now.
        kept: the copy of what was there before.
        fewer_verdicts: rows of the log that are in `kept` only; None where that could not be told.
    """

    backup: Path
    kept: Path
    fewer_verdicts: int | None


def make_backup(workspace: Workspace, out: Path | None = None) -> Path:
    """Copies the store, also while a window works on it.

    Args:
        workspace: whose.
        out: the file; else one in the folder `backups`, called by the moment.

    Raises:
        UserError: the file is there already, or cannot be written.
    """
    target = out or fresh_backup_name(workspace.folder, "workspace")
    if target.exists():
        raise UserError(tr("{target} is there already; choose another name", target=target))
    if not target.parent.is_dir():
        raise UserError(
            tr(
                "{parent} is no folder; make it first, or choose another place",
                parent=target.parent,
            )
        )
    copy_store(workspace.store.path, target)
    return target


def backups(folder: Path) -> list[Backup]:
    """The copies in a workspace folder, each verified, the newest first."""
    return [inspect_backup(path) for path in reversed(backup_files(folder))]


def backup_files(folder: Path) -> list[Path]:
    """Return the copies in a workspace folder, the newest last; links are none."""
    paths = (path for path in (folder / BACKUPS).glob("*.sqlite") if not path.is_symlink())
    return sorted(paths, key=lambda path: path.stat().st_mtime)


def inspect_backup(path: Path) -> Backup:
    """Return what a copy of a store holds, and what is wrong with it."""
    status = path.stat()
    made_at = datetime.fromtimestamp(status.st_mtime, UTC).isoformat(timespec="seconds")
    verdicts: int | None = None
    try:
        fault = find_fault_in_copy(path)
        verdicts = log_rows(path)
    except (UserError, sqlite3.DatabaseError) as error:
        fault = str(error)
    return Backup(path, made_at, status.st_size, verdicts, fault)


def restore_backup(folder: Path, name: str, *, anyway: bool = False) -> Restored:
    """Puts a copy in the place of the store, which is kept as a copy itself.

    The copy is read whole before: pages, rows by their checksums, and the log of verdicts.

    Args:
        folder: of the workspace; its store may be damaged.
        name: of a copy in the folder `backups`, or the path of one elsewhere.
        anyway: also a copy with rows that are not what was written; pages have to be sound.

    Raises:
        UserError: there is no such copy, it is damaged, or somebody works in the workspace.
    """
    backup = _find_backup(folder, name)
    if fault := _find_page_fault(backup):
        raise UserError(
            tr(
                "{backup} is damaged ({told}); choose another, see `backup list`",
                backup=backup,
                told=fault,
            )
        )
    if not anyway and (fault := find_fault_in_copy(backup)):
        raise UserError(
            tr(
                "{backup} is damaged ({told}); choose another, see `backup list`, or put it "
                "back all the same by `workspace restore --anyway`",
                backup=backup,
                told=fault,
            )
        )
    with alone(folder):
        (folder / BACKUPS).mkdir(exist_ok=True)
        store, replaced = folder / STORE, fresh_backup_name(folder, "replaced")
        put_back(backup, store, replaced)
        forget_log_head(folder)
        return Restored(backup, replaced, _count_fewer_verdicts(replaced, store))


def remove_backup(folder: Path, name: str) -> int:
    """Remove a copy in the folder `backups`, also where nothing can be written any more.

    Returns:
        How many bytes it gives back.

    Raises:
        UserError: there is none of that name, or it cannot be removed.
    """
    path = folder / BACKUPS / name
    if Path(name).name != name or path not in (folder / BACKUPS).glob("*.sqlite"):
        raise UserError(
            tr("there is no backup {name}; `termexplorer backup list` lists them", name=name)
        )
    try:
        size = path.stat().st_size
        path.unlink()
    except OSError as error:
        raise UserError(
            tr("{path}: cannot be removed ({error})", path=path, error=tell_reason(error))
        ) from error
    return size


def _find_backup(folder: Path, name: str) -> Path:
    backup_paths = backup_files(folder)
    for path in (*(backup for backup in backup_paths if backup.name == name), Path(name)):
        if path.is_file():
            return path
    names = ", ".join(backup.name for backup in backup_paths) or "none"
    raise UserError(tr("there is no backup {name}; there are {there}", name=name, there=names))


def _find_page_fault(backup: Path) -> str:
    try:
        return next(iter(complaints(backup)), "")
    except UserError as error:
        return str(error)


def _count_fewer_verdicts(replaced: Path, store: Path) -> int | None:
    try:
        return max(log_rows(replaced) - log_rows(store), 0)
    except (UserError, sqlite3.DatabaseError):
        return None


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Holds what keeps others from working in a workspace folder, where no run is trained.

    Raises:
        UserError: it is no workspace, or somebody works there; also where the body says so by a
            `LockHeldError`.
    """
    check_is_workspace(folder)
    try:
        with ExitStack() as stack:
            for name in _LOCKS:
                stack.enter_context(ProcessLock(folder / name))
            for lock in (folder / "runs").glob("*.lock"):
                with ProcessLock(lock):
                    pass  # held all at once they could be more than a process may have open
            yield
    except LockHeldError:
        raise UserError(
            tr(
                "{folder} is in use; close its window and wait for imports, judging, training "
                "and other commands to end",
                folder=folder,
            )
        ) from None


def fresh_backup_name(folder: Path, purpose: str) -> Path:
    """Return the name of a copy that is not there yet; several may be made within a moment."""
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    names = (
        f"{purpose}-{moment}{more}.sqlite" for more in chain([""], (f"-{n}" for n in count(2)))
    )
    return next(path for path in (folder / BACKUPS / name for name in names) if not path.exists())
