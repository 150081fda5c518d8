"""A store whose file is taken away under an open program, or that lies on a read-only medium."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from termexplorer.errors import StoreGoneError, UserError
from termexplorer.store.database.raw_sql import connect_read_only
from termexplorer.store.opening import open_store


def _delete(path: Path) -> None:
    path.unlink()


def _move(path: Path) -> None:
    path.rename(path.with_name("elsewhere.sqlite"))


def _replace(path: Path) -> None:
    fresh = path.with_name("fresh.sqlite")
    shutil.copy(path, fresh)
    fresh.replace(path)


@pytest.mark.parametrize("take_away", [_delete, _move, _replace])
def test_nothing_is_acknowledged_into_a_file_that_is_no_longer_the_store(
    tmp_path: Path, take_away: Callable[[Path], None]
) -> None:
    path = tmp_path / "workspace.sqlite"
    with closing(open_store(path)) as store:
        with store.looking():
            pass  # a window has read before
        with store.writing() as connection:
            connection.exec_driver_sql("INSERT INTO person (name, orcid) VALUES ('before', '')")
        take_away(path)
        gone = pytest.raises(StoreGoneError, match="was deleted, moved or replaced")
        with gone, store.writing() as connection:
            connection.exec_driver_sql("INSERT INTO person (name, orcid) VALUES ('after', '')")
        saved = tmp_path / "saved.sqlite"
        store.save_copy(saved)
    with closing(sqlite3.connect(saved)) as copy:
        names = [name for (name,) in copy.execute("SELECT name FROM person ORDER BY id")]
    assert names == ["before"]  # what is refused is to be written once, elsewhere


def test_a_store_that_is_gone_is_not_made_anew_empty(tmp_path: Path) -> None:
    path = tmp_path / "workspace.sqlite"
    with closing(open_store(path)) as store:
        path.unlink()
        with pytest.raises(StoreGoneError), store.writing() as connection:
            connection.exec_driver_sql("DELETE FROM person")
    assert not path.exists()


def test_a_newer_store_is_refused_without_a_copy(tmp_path: Path) -> None:
    path = tmp_path / "workspace.sqlite"
    open_store(path).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE of_a_newer_version (id)")
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    for _ in range(2):
        with pytest.raises(UserError, match="newer termexplorer"):
            open_store(path)
    assert not list(tmp_path.rglob("backups/*"))


def test_a_copy_is_read_where_sqlite_can_make_no_files_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "copy.sqlite"
    open_store(path).close()
    for name in ("copy.sqlite-wal", "copy.sqlite-shm"):
        (tmp_path / name).mkdir()  # as on a read-only medium they cannot be made
    with closing(connect_read_only(path)) as connection:
        assert connection.execute("SELECT count(*) FROM person").fetchone() == (0,)
