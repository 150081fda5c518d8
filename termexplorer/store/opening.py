"""Opening a store: made if it is new, brought up to date (with a backup before) if it is old."""

import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from termexplorer.errors import DiskFullError, NotWritableError, UserError
from termexplorer.store.database.copies import copy_store
from termexplorer.store.database.engine import Store
from termexplorer.store.database.raw_sql import connect_read_only
from termexplorer.store.database.row_copies import install_row_copies
from termexplorer.store.database.schema_seal import (
    check_seal,
    refuse_changed_version,
    write_seal,
)
from termexplorer.texts import tr

HEAD = "0026"
_BEFORE_ALL = "0000"
_OURS = "alembic_version"
_TABLES = "SELECT name FROM sqlite_master"


def open_store(path: Path) -> Store:
    """Open or make the store at `path`; for reading only where nothing can be written.

    Raises:
        UserError: the file is no store, is damaged, or was written by a newer termexplorer; or it
            was written by an older one, and nothing can be written there.
    """
    _check_ours(path)
    try:
        return _open_writable(path)
    except NotWritableError as error:
        if not path.is_file() or not path.stat().st_size:
            raise
        closed = not all(os.access(location, os.W_OK) for location in (path, path.parent))
        why = tr("its folder is read-only") if closed else error.why.removeprefix(f"{path}: ")
        return _open_read_only(path, why, is_full=isinstance(error, DiskFullError))


def _open_read_only(path: Path, why: str, *, is_full: bool) -> Store:
    store = Store(path, read_only=why, is_full=is_full)
    try:
        revision = _read_revision(store)
        if revision != HEAD:
            raise UserError(
                tr(
                    "{path}: is of an older version and cannot be brought up to date, since "
                    "nothing can be written there ({why}); copy the workspace to another disk, or "
                    "make room on this one",
                    path=path,
                    why=why,
                )
            )
    except BaseException:
        store.close()
        raise
    return store


def _check_not_newer(path: Path, revision: str | None) -> None:
    if revision is not None and revision > HEAD:
        raise UserError(
            tr("{path}: was written by a newer termexplorer; update this program", path=path)
        )


def _open_writable(path: Path) -> Store:
    store = Store(path)
    try:
        revision = _read_revision(store)  # before anything is copied or changed
        if revision != HEAD:
            if revision is not None:
                _backup_store(path, revision)
            migrate_store(store)
    except BaseException:
        store.close()
        raise
    return store


def _read_revision(store: Store) -> str | None:
    with store.looking() as connection:
        if not connection.exec_driver_sql(f"{_TABLES} WHERE name = '{_OURS}'").fetchone():
            return None
        try:
            version = connection.exec_driver_sql(f"SELECT version_num FROM {_OURS}").fetchone()
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise refuse_changed_version(store.path) from error
        revision = str(version[0]) if version else _BEFORE_ALL
        if revision != HEAD:  # before a migration that has been is run once more
            check_seal(connection, store.path, revision, HEAD)
    _check_not_newer(store.path, revision)
    return revision


def _check_ours(path: Path) -> None:
    """Looks before anything is written, be it only a setting, into another program's file."""
    if not path.exists():
        return
    try:
        with closing(connect_read_only(path)) as connection:
            tables = {name for (name,) in connection.execute(_TABLES)}
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        return  # what is wrong with it is told when it is opened
    if tables and _OURS not in tables:
        raise UserError(
            tr("{path}: is a database of another program; choose another folder", path=path)
        )


def migrate_store(store: Store, revision: str = "head") -> None:
    """Bring a store's tables up to a version, and seal them.

    Args:
        store: new, or of an older version.
        revision: the version, the newest one as a rule.
    """
    # Alembic takes a quarter of a second to import, so only where there is something to do.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with store.writing() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        install_row_copies(connection)
        write_seal(connection)


def _backup_store(path: Path, revision: str) -> None:
    from termexplorer.store.whole_copy import check_before_migration  # where there is one to make

    folder = path.parent / "backups"
    folder.mkdir(exist_ok=True)
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    copy = folder / f"workspace-{revision}-{moment}.sqlite"
    copy_store(path, copy)
    try:
        check_before_migration(copy)
    except UserError:
        copy.unlink(missing_ok=True)  # each command that is refused would leave another
        raise
