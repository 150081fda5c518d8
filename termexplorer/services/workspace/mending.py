"""A damaged workspace put right as far as it can be, with a copy of what it was before."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from termexplorer.errors import UserError
from termexplorer.services.workspace.backups import (
    alone,
    backup_files,
    fresh_backup_name,
    inspect_backup,
    make_backup,
)
from termexplorer.services.workspace.check import check_workspace
from termexplorer.services.workspace.row_check import Fault, mend_indexes
from termexplorer.store.database.row_checksums import find_misfits, write_checksums
from termexplorer.store.database.row_mending import (
    CHECKSUMS,
    MendedRow,
    mend_content_rows,
    mend_copied_rows,
)
from termexplorer.store.indexes.search_keys import SearchKeyWriter
from termexplorer.store.judging.log_mending import mend_log_rows
from termexplorer.store.search.sorted_names import sort_names_anew
from termexplorer.store.whole_copy import list_with_checksums
from termexplorer.texts import mark, tr, translated
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

_DAMAGED = "damaged"  # begins the name of the copy of what was there before
_LOOKED_UP = ("sorted_name", "lookup_key", "name_word")
_SOURCES = {
    "bit": mark("put right by its checksum: one bit was another"),
    "copy": mark("put right by its second copy"),
    "backup": mark("put right from a backup"),
    "anew": mark("made anew"),
    "none": mark("not put right: nothing tells what it was"),
}


@dataclass(frozen=True, slots=True)
class Mending:
    """What became of a damaged workspace.

    Attributes:
        found: faults of before; the search indexes among them were made anew at once.
        rows: damaged rows, and what became of each.
        kept: a copy of the store as it was; None where nothing was changed.
        left: faults of after.
        backup: the newest sound backup, from which what is left can be put back; None for none.
    """

    found: tuple[Fault, ...]
    rows: tuple[MendedRow, ...]
    kept: Path | None
    left: tuple[Fault, ...]
    backup: Path | None


def mend_workspace(
    folder: Path, control: JobControl, on_message: Callable[[object], None]
) -> Mending:
    """Put right what a check finds, row by row; what is left is told with what restores it.

    Args:
        folder: of the workspace.
        control: cancels the checks.
        on_message: is told of progress.

    Raises:
        UserError: somebody works in it, or it is so damaged that it cannot be opened.
        Cancelled: it was cancelled.
    """
    with alone(folder):
        sound = find_sound_backups(folder)
        with closing(_open_damaged(folder, sound)) as workspace:
            faults = check_workspace(workspace, control, on_message).faults
            if not faults:
                return Mending((), (), None, (), None)
            backup = make_backup(workspace, fresh_backup_name(folder, _DAMAGED))
        rows = tuple(_mend_rows(workspace.store.path, sound))
        with closing(Workspace(folder)) as workspace:
            _mend_derived(workspace, rows)
            left = check_workspace(workspace, control, on_message).faults
        return Mending(faults, rows, backup, left, sound[0] if sound else None)


def describe_source(row: MendedRow) -> str:
    """Return what became of a damaged row, in words."""
    return translated(_SOURCES[row.source])


def find_sound_backups(folder: Path) -> list[Path]:
    """Return the backups of a workspace that are sound, the newest first; all of each is read."""
    backups = [path for path in backup_files(folder) if not path.name.startswith(_DAMAGED)]
    return [path for path in reversed(backups) if not inspect_backup(path).fault]


def _open_damaged(folder: Path, sound: list[Path]) -> Workspace:
    try:
        return Workspace(folder)
    except UserError as error:
        if not sound:
            raise
        raise UserError(
            tr(
                "{why}; `termexplorer workspace restore {backup}` puts back the newest sound "
                "backup, and keeps what is there as a copy",
                why=error.why,
                backup=sound[0].name,
            )
        ) from error


def _mend_rows(store: Path, backups: list[Path]) -> Iterator[MendedRow]:
    """Put right the rows of a store, all or none; none where its pages are broken."""
    with closing(sqlite3.connect(store, isolation_level=None, factory=_Writer)) as connection:
        connection.text_factory = bytes
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("BEGIN IMMEDIATE")
        try:
            connection.execute("REINDEX")  # or a row that changed is not found by its indexes
            rows = [*mend_copied_rows(connection, backups), *mend_log_rows(connection, backups)]
            for release_id in list_with_checksums(connection):
                rows += mend_content_rows(connection, release_id, backups)
                rows += _make_keys_anew(connection, release_id)
        except sqlite3.DatabaseError:
            connection.rollback()
            return
        connection.execute("COMMIT")
    yield from rows


def _make_keys_anew(connection: "_Writer", release_id: int) -> list[MendedRow]:
    """Make what searches look up anew, where it is damaged."""
    damaged = [t for t in _LOOKED_UP if next(find_misfits(connection, t, release_id), None)]
    if damaged:
        connection.text_factory = str
        sort_names_anew(connection, release_id)
        SearchKeyWriter(release_id).write_keys_anew(connection)
        connection.text_factory = bytes
    renewed = [MendedRow(table, tr("release {id}", id=release_id), "anew") for table in damaged]
    wrong = [t for t in damaged if next(find_misfits(connection, t, release_id), None)]
    return renewed + [MendedRow(CHECKSUMS, f"{release_id} {table}", "anew") for table in wrong]


def _mend_derived(workspace: Workspace, rows: tuple[MendedRow, ...]) -> None:
    """Make indexes and checksums anew that are of rows as they were."""
    for release_id in {int(row.key.split()[0]) for row in rows if row.table == CHECKSUMS}:
        write_checksums(workspace.store, release_id, lambda: None)
    if rows:
        list(mend_indexes(workspace))


class _Writer(sqlite3.Connection):
    """SQLite's own connection, on which statements are run as on SQLAlchemy's."""

    def exec_driver_sql(self, statement: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """Run a statement, for each of the rows where a list of them is given."""
        if isinstance(parameters, list):
            return self.executemany(statement, parameters)
        return self.execute(statement, parameters)
