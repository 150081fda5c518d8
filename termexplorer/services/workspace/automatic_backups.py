"""Copies of a store that the program makes of itself: verified, and thinned as they grow older."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from shutil import disk_usage

from termexplorer.errors import UserError
from termexplorer.files import BACKUPS
from termexplorer.services.workspace.backups import (
    Backup,
    backup_files,
    inspect_backup,
    make_backup,
)
from termexplorer.services.workspace.store_file import last_written
from termexplorer.store.health import check_copy
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

_PREFIX = "automatic"
_FORMAT = "%Y%m%dT%H%M%S"
_DAY = timedelta(days=1)
_LEFT, _LEAST_LEFT = 10, 1_000_000  # of the store's size, and bytes, that stay free beside a copy
_DAILY_FOR, _WEEKLY_FOR = timedelta(days=7), timedelta(days=61)


def back_up_before(workspace: Workspace, reason: str, moment: datetime | None = None) -> str:
    """Copy the store before something that takes rows away or adds many, and thin older copies.

    Nothing is refused for want of a copy: on a full disk one has to be able to remove things.

    Args:
        workspace: whose store.
        reason: one word for the file's name: removal | compact | verdicts | daily.
        moment: of the copy, in UTC; now without it.

    Returns:
        Why no copy could be made, as a sentence; "" where it is made and verified.
    """
    moment = moment or datetime.now(UTC)
    name = f"{_PREFIX}-{reason}-{moment.strftime(_FORMAT)}.sqlite"
    path = workspace.folder / BACKUPS / name
    try:
        # several may be asked for within a second, or of a store that nobody wrote to since
        if not path.exists() and not _is_copied(workspace, moment):
            _check_room(workspace)
            path.parent.mkdir(exist_ok=True)
            make_backup(workspace, path)
            _verify_copy(path)
        thin_backups(workspace.folder, moment)
    except (UserError, OSError) as error:
        return tr("no backup could be made before this: {error}", error=error)
    return ""


def _is_copied(workspace: Workspace, moment: datetime) -> bool:
    """Return whether the newest automatic copy of the last day has all that is in the store."""
    backup_times = [
        made_at for made_at, _path in _list_automatic(workspace.folder) if made_at <= moment
    ]
    newest = max(backup_times, default=None)
    if newest is None or moment - newest >= _DAY:
        return False
    return last_written(workspace.folder) < newest.timestamp()


def _check_room(workspace: Workspace) -> None:
    """Refuse to fill a disk with a copy, before what may be there to make room on it.

    Raises:
        UserError: there is little more room than for the copy.
    """
    size = workspace.store.path.stat().st_size
    if disk_usage(workspace.folder).free < size + max(size // _LEFT, _LEAST_LEFT):
        raise UserError(tr("there is little room left on the disk"))


def _verify_copy(path: Path) -> None:
    """Remove a copy that is not sound, which nobody could be helped by.

    Raises:
        UserError: it is not sound.
    """
    try:
        check_copy(path)
    except UserError:
        path.unlink(missing_ok=True)
        raise


def back_up_daily(workspace: Workspace, moment: datetime | None = None) -> str:
    """Copy the store if its last automatic copy is a day old.

    Returns:
        Why no copy could be made, as a sentence; "" where one is made, or none is due.
    """
    moment = moment or datetime.now(UTC)
    backup_times = [made_at for made_at, _path in _list_automatic(workspace.folder)]
    if backup_times and moment - max(backup_times) < _DAY:
        return ""
    return back_up_before(workspace, "daily", moment)


def thin_backups(folder: Path, moment: datetime) -> None:
    """Remove automatic copies: each day's last is kept for a week, each week's for two months.

    All of the last day are kept, the newest however old, and those that somebody asked for.

    Args:
        folder: of the workspace.
        moment: from which their age counts, in UTC.
    """
    kept_periods: set[tuple[str, str]] = set()
    for number, (made_at, path) in enumerate(sorted(_list_automatic(folder), reverse=True)):
        period = _retention_period(made_at, moment)
        if number and (period is None or period in kept_periods):
            path.unlink(missing_ok=True)
        elif period is not None and moment - made_at > _DAY:
            kept_periods.add(period)


def _retention_period(made_at: datetime, moment: datetime) -> tuple[str, str] | None:
    """Return the day or week of which one copy is kept; None where it is too old to be kept."""
    age = moment - made_at
    if age <= _DAILY_FOR:
        return "day", made_at.strftime("%Y-%m-%d")
    if age <= _WEEKLY_FOR:
        return "week", made_at.strftime("%G-W%V")
    return None


def newest_backup(folder: Path) -> Backup | None:
    """Return the newest copy of a workspace's store, looked at anew; None where there is none."""
    paths = backup_files(folder)
    return inspect_backup(paths[-1]) if paths else None


def _list_automatic(folder: Path) -> list[tuple[datetime, Path]]:
    backups = []
    for path in backup_files(folder):
        if not path.name.startswith(f"{_PREFIX}-"):
            continue
        try:
            made_at = datetime.strptime(path.stem.rpartition("-")[2], _FORMAT)
        except ValueError:  # somebody's own name
            continue
        backups.append((made_at.replace(tzinfo=UTC), path))
    return backups
