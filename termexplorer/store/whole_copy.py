"""Whether a copy of a store is sound, whatever version it is of, before a migration changes it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from termexplorer.errors import StoreError, UserError
from termexplorer.store.database.raw_sql import connect_read_only
from termexplorer.store.database.row_checksums import OF_ROWS, find_damaged_content
from termexplorer.store.database.row_copies import DamagedRow, find_damaged_rows
from termexplorer.store.health import check_copied_log
from termexplorer.store.tables.judging import VerdictRow
from termexplorer.texts import tr

_WITH_CHECKSUMS = f"SELECT DISTINCT release_id FROM row_checksum {OF_ROWS} ORDER BY release_id"


def check_before_migration(copy: Path) -> None:
    """Read a copy of a store once, which nobody writes to.

    Args:
        copy: the file, in the folder `backups` of its workspace.

    Raises:
        StoreError: a page or row is not what was written; a migration could spoil more.
    """
    if fault := find_fault_in_copy(copy):
        raise StoreError(
            tr(
                "{folder}: its store is damaged ({fault}), and is not brought up to date; put back "
                "a sound backup: termexplorer backup list, workspace restore",
                folder=copy.parent.parent,
                fault=fault,
            )
        )


def find_fault_in_copy(copy: Path) -> str:
    """Return what is found first that a copy of a store has and should not have; "" if it is sound.

    Args:
        copy: the file, of this version or an older one.
    """
    try:
        return next(_find_faults(copy), "")
    except (sqlite3.DatabaseError, UnicodeDecodeError):  # its words may be those of a term
        return tr("its pages cannot be read")


def _find_faults(copy: Path) -> Iterator[str]:
    with closing(connect_read_only(copy)) as connection:
        for (text,) in connection.execute("PRAGMA integrity_check(1)"):
            lines = [line.strip() for line in text.splitlines()]
            yield from (line for line in lines if line not in ("", "ok") and line[:3] != "***")
        yield from map(_describe_row, find_damaged_rows(connection))
        releases = list_with_checksums(connection)
        columns = {name for _, name, *_ in connection.execute("PRAGMA table_info(verdict)")}
    if columns.issuperset(VerdictRow.__table__.columns.keys()):
        yield from _find_log_fault(copy)
    for release_id in releases:
        yield from map(_describe_row, find_damaged_content(copy, release_id, lambda: None))


def _find_log_fault(copy: Path) -> Iterator[str]:
    try:
        check_copied_log(copy)
    except UserError as error:
        yield str(error)


def _describe_row(row: DamagedRow) -> str:
    return f"{row.table} {row.key}".strip()


def list_with_checksums(connection: sqlite3.Connection) -> list[int]:
    """Return the releases that have checksums of their rows; none of a store of before these."""
    has_table = "SELECT 1 FROM sqlite_master WHERE name = 'row_checksum'"
    if connection.execute(has_table).fetchone() is None:
        return []
    return [release_id for (release_id,) in connection.execute(_WITH_CHECKSUMS)]
