import multiprocessing
import sqlite3
import threading
import warnings
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from termexplorer.errors import UserError
from termexplorer.store import opening
from termexplorer.store.encoders import LEXICAL, add_encoder, encoders
from termexplorer.store.engine import ChangeWatch, Store
from termexplorer.store.opening import HEAD, open_store
from termexplorer.store.tables import Base


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "workspace.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    store = open_store(path)
    yield store
    store.close()


def test_settings_are_the_safe_ones(store: Store) -> None:
    with store.reading() as connection:
        values = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "foreign_keys", "synchronous")
        }
    assert values == {"journal_mode": "wal", "foreign_keys": 1, "synchronous": 2}


def test_the_migrations_make_the_tables_that_are_mapped(store: Store) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    def ours(_object: object, name: str | None, kind: str, *_rest: object) -> bool:
        return not (kind == "table" and name and name.startswith("search_"))

    with store.reading() as connection, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "autogenerate skipping .*expression-based")
        warnings.filterwarnings("ignore", "Skipped unsupported reflection of expression-based")
        context = MigrationContext.configure(connection, opts={"include_object": ours})
        differences = compare_metadata(context, Base.metadata)
    assert differences == []


def test_the_head_is_the_newest_migration() -> None:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(opening.__file__).parent / "migrations"))
    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


def test_an_older_store_is_backed_up_and_brought_up_to_date(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
    store = open_store(path)
    with store.reading() as connection:
        assert encoders(connection)[0].id == LEXICAL
    store.close()
    (backup,) = (path.parent / "backups").iterdir()
    with closing(sqlite3.connect(backup)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master").fetchall()
    assert tables == [("alembic_version",)]


def test_other_databases_newer_stores_and_other_files_are_refused(path: Path) -> None:
    path.write_bytes(b"no database at all, but long enough to look at" * 100)
    with pytest.raises(UserError, match="is not a termexplorer store"):
        open_store(path)
    path.unlink()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE other (a)")
    before = path.read_bytes()
    with pytest.raises(UserError, match="another program"):
        open_store(path)
    assert path.read_bytes() == before
    path.unlink()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
        connection.execute("INSERT INTO alembic_version VALUES ('9999')")
    with pytest.raises(UserError, match="newer termexplorer"):
        open_store(path)


def test_a_write_is_whole_or_not_at_all(store: Store) -> None:
    def failing() -> None:
        with store.writing() as connection:
            add(connection)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        failing()
    with store.reading() as connection:
        assert len(encoders(connection)) == 1


def add(connection: object) -> int:
    return add_encoder(
        connection,  # type: ignore[arg-type]
        kind="untrained",
        method="words",
        title="some",
        dimension=2,
        path="",
        content_hash="",
        parameters={},
    )


def count_up(path: Path, times: int) -> None:
    store = open_store(path)
    for _ in range(times):
        with store.writing() as connection:
            value = connection.exec_driver_sql(
                "SELECT dimension FROM encoder WHERE id = 1"
            ).scalar()
            connection.exec_driver_sql(
                "UPDATE encoder SET dimension = ? WHERE id = 1", (int(value or 0) + 1,)
            )
    store.close()


def test_updates_of_several_writers_are_not_lost(store: Store, path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=count_up, args=(path, 30)) for _ in range(2)]
    for writer in writers:
        writer.start()
    count_up(path, 30)
    for writer in writers:
        writer.join()
    with store.reading() as connection:
        assert encoders(connection)[0].dimension == 90


def test_a_watch_sees_what_others_write(store: Store, path: Path) -> None:
    watch = ChangeWatch(path)
    assert not watch.changed()
    with store.writing() as connection:
        add(connection)
    assert watch.changed()
    assert not watch.changed()
    watch.close()


def test_a_long_statement_is_interrupted(store: Store) -> None:
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    timer = threading.Timer(0.2, store.interrupt)
    timer.start()
    with pytest.raises(InterruptedError), store.reading() as connection:
        connection.exec_driver_sql(endless).scalar()
    timer.join()
