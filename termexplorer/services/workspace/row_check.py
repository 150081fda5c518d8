"""Rows and search indexes of a workspace's store that are not what was written."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

from termexplorer.errors import StoreError, UserError
from termexplorer.store.database.raw_sql import connect_read_only
from termexplorer.store.database.row_checksums import (
    find_damaged_content,
    has_checksums,
    write_checksums,
)
from termexplorer.store.database.row_copies import DamagedRow, find_damaged_rows
from termexplorer.store.database.schema_seal import has_seal, is_as_sealed, write_seal
from termexplorer.store.health import find_stale_indexes, rebuild_index, write_missing_sums
from termexplorer.store.indexes.index_sums import find_stray_sums
from termexplorer.texts import mark, tr, translated
from termexplorer.workers.process.supervision import Cancelled, JobControl
from termexplorer.workspace import Workspace

RESTORE = mark("put it right, or put back a backup: termexplorer workspace check --mend")
_IMPORT_ANEW = mark("put back a backup: termexplorer workspace restore; or import the release anew")
_READY = "SELECT id FROM release WHERE status = 'ready' ORDER BY id"


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is not as it should be.

    Attributes:
        kind: store | row | index | log | missing | changed | stray.
        where: the file, relative to the workspace.
        what: is wrong with it.
        mend: what to do, or what will be done.
    """

    kind: str
    where: str
    what: str
    mend: str


def find_row_faults(workspace: Workspace, control: JobControl) -> Iterator[Fault]:
    """Yield the rows that are not what was written; releases without checksums are given them.

    Raises:
        Cancelled: it was cancelled.
    """
    try:
        for row in _damaged_rows(workspace, control):
            mend = translated(_IMPORT_ANEW if row.large else RESTORE)
            where = f"{row.table} {row.key}".strip()
            yield Fault("row", where, tr("the row is not what was written"), mend)
    except (sqlite3.DatabaseError, UnicodeDecodeError, UserError):  # its text may be that of a term
        problem = tr("its pages cannot be read")
        yield Fault("store", workspace.store.path.name, problem, translated(RESTORE))


def _damaged_rows(workspace: Workspace, control: JobControl) -> Iterator[DamagedRow]:
    def check_cancelled() -> None:
        if control.cancelled():
            raise Cancelled

    store = workspace.store
    with closing(connect_read_only(store.path)) as connection:
        yield from find_damaged_rows(connection)
        yield from find_stray_sums(connection)
        releases = [release_id for (release_id,) in connection.execute(_READY)]
    for release_id in releases:
        if has_checksums(store, release_id):
            yield from find_damaged_content(store.path, release_id, check_cancelled)
        elif not workspace.read_only:
            write_checksums(store, release_id, check_cancelled)


def find_schema_fault(workspace: Workspace) -> Iterator[Fault]:
    """Yield whether tables, triggers or the version changed; a store without a seal gets one."""
    with workspace.store.looking() as connection:
        sealed, sound = has_seal(connection), is_as_sealed(connection)
    if not sound:
        problem = tr("tables, triggers or the version (alembic_version) are not what was written")
        yield Fault("store", workspace.store.path.name, problem, translated(RESTORE))
    if not sealed and not workspace.read_only:
        with workspace.store.writing() as writer:
            write_seal(writer)


def mend_indexes(workspace: Workspace) -> Iterator[Fault]:
    """Make search indexes anew that do not fit their rows, and yield what they were."""
    try:
        stale = find_stale_indexes(workspace.store.path)
    except UserError as error:
        problem = tr("could not be compared with their rows: {error}", error=error)
        yield Fault("index", tr("search indexes"), problem, tr("check again when there is room"))
        return
    failed = False
    for index in stale:
        problem = tr("the search index did not fit its rows")
        try:
            rebuild_index(workspace.store, index)
            mend = tr("it was made anew just now")
        except StoreError as error:
            mend, failed = tr("it could not be made anew: {error}", error=error), True
        yield Fault("index", index, problem, mend)
    if not failed and not workspace.read_only:
        write_missing_sums(workspace.store)
