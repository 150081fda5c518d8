"""Opening a store: made if it is new, brought up to date (with a backup before) if it is old."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.store.engine import Store

HEAD = "0001"


def open_store(path: Path) -> Store:
    """Opens or makes the store at `path`.

    Raises:
        UserError: the file is no store, is damaged, or was written by a newer termexplorer.
    """
    store = Store(path)
    try:
        revision = _revision(store)
        if revision != HEAD:
            if revision is not None:
                _backup(path, revision)
            _upgrade(store)
    except BaseException:
        store.close()
        raise
    return store


def _revision(store: Store) -> str | None:
    with store.reading() as connection:
        tables = {
            row[0] for row in connection.exec_driver_sql("SELECT name FROM sqlite_master").all()
        }
        if "alembic_version" in tables:
            versions = connection.exec_driver_sql("SELECT version_num FROM alembic_version")
            return str(versions.scalar_one_or_none())
    if tables:
        raise UserError(f"{store.path}: is a database of another program; choose another folder")
    return None


def _upgrade(store: Store) -> None:
    # Alembic takes a quarter of a second to import, so only where there is something to do.
    from alembic import command
    from alembic.config import Config
    from alembic.util.exc import CommandError

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    try:
        with store.writing() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except CommandError as error:
        raise UserError(
            f"{store.path}: was written by a newer termexplorer; update this program ({error})"
        ) from error


def _backup(path: Path, revision: str) -> Path:
    folder = path.parent / "backups"
    folder.mkdir(exist_ok=True)
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    copy = folder / f"workspace-{revision}-{moment}.sqlite"
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    return copy
