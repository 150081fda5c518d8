"""A workspace of an older version, and its migration, which is killed at any instant."""

from __future__ import annotations

import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from termexplorer.bench.reliability.fault import Attempt, BreakingFault
from termexplorer.bench.reliability.interruptions import find_damage
from termexplorer.bench.reliability.program import call_program
from termexplorer.store.database.engine import Store
from termexplorer.store.database.row_copies import install_row_copies, table_columns
from termexplorer.store.indexes.fulltext import INDEXES
from termexplorer.store.opening import migrate_store

_OLDER = "0015"  # the first version with checksums of rows
_STORE = "workspace.sqlite"
_OPEN = ("ontology", "list")  # a command that opens a workspace, which brings it up to date


def make_older_store(store: Path, older: Path) -> None:
    """Make a store of an older version with what it can have of another store's rows.

    Args:
        store: of this version.
        older: where to.
    """
    with closing(Store(older)) as fresh:
        migrate_store(fresh, _OLDER)
    with closing(sqlite3.connect(older, isolation_level=None)) as connection:
        connection.execute("ATTACH ? AS newer", (str(store),))
        connection.execute("BEGIN")
        for table in _list_plain_tables(connection, "main"):
            _take_rows(connection, table)
        for index in INDEXES:
            connection.execute(f"INSERT INTO {index}({index}) VALUES ('rebuild')")
        connection.execute("COMMIT")
        connection.execute("DETACH newer")
    with closing(Store(older)) as fresh, fresh.writing() as writer:
        install_row_copies(writer)
    with closing(sqlite3.connect(older)) as connection:
        connection.execute("PRAGMA user_version = 0")  # it had no seal
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _list_plain_tables(connection: sqlite3.Connection, schema: str) -> list[str]:
    query = f"SELECT name FROM {schema}.sqlite_master WHERE type = 'table' ORDER BY name"
    names = [name for (name,) in connection.execute(query)]
    internal_prefixes = ("sqlite_", "search_", "copy_of_", "alembic_")
    return [name for name in names if not name.startswith(internal_prefixes)]


def _take_rows(connection: sqlite3.Connection, table: str) -> None:
    newer = [f'"{row[1]}"' for row in connection.execute(f"PRAGMA newer.table_info({table})")]
    shared = ", ".join(name for name in table_columns(connection, table)[0] if name in newer)
    if shared:
        connection.execute(f"DELETE FROM main.{table}")
        taken = f"SELECT {shared} FROM newer.{table}"
        connection.execute(f"INSERT INTO main.{table} ({shared}) {taken}")


def copy_older(attempt: Attempt) -> tuple[Path, float]:
    """Copy an older workspace, and return the copy with the seconds that its migration takes."""
    folder = attempt.sample.workspace.parent / "older"
    if not folder.exists():
        shutil.copytree(attempt.sample.workspace, folder)
        (folder / _STORE).unlink()
        make_older_store(attempt.sample.workspace / _STORE, folder / _STORE)
    workspace = Path(shutil.copytree(folder, attempt.folder / "workspace"))
    if "migration" not in attempt.sample.seconds:
        start = time.perf_counter()
        whole = Path(shutil.copytree(folder, attempt.folder / "whole"))
        ended = call_program("--workspace", whole, *_OPEN)
        if fault := ended.find_fault(0) or "".join(find_damage(whole, attempt.sample)):
            raise RuntimeError(f"an older workspace is not migrated: {fault}")
        attempt.sample.seconds["migration"] = time.perf_counter() - start
    return workspace, attempt.sample.seconds["migration"]


def _kill_migration(attempt: Attempt) -> list[str]:
    workspace, seconds = copy_older(attempt)
    instant = max(attempt.draw.random() * seconds, 0.01)
    call_program("--workspace", workspace, *_OPEN, killed_after=instant)
    fault = call_program("--workspace", workspace, *_OPEN).find_fault(0)
    return [f"opened after it: {fault}"] if fault else find_damage(workspace, attempt.sample)


MIGRATIONS = (BreakingFault("killed while migrating", 0.05, _kill_migration),)
