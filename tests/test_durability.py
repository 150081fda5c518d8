"""Kills and power cuts at any instant; the check itself sees what a bad disk loses."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from termexplorer.bench.durability import killed, power_cut
from termexplorer.bench.faults.synced_files import SyncedFiles
from termexplorer.store.opening import open_store

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="reaches into SQLite on Linux alone"
)


def test_no_verdict_is_lost_or_doubled_by_a_kill(tmp_path: Path) -> None:
    result = killed(tmp_path, 4, seed=1)
    assert result.acknowledged >= result.rounds == 4
    assert (result.lost, result.doubled) == (0, 0)


def test_no_verdict_is_lost_by_a_power_cut_but_on_a_disk_that_lies(tmp_path: Path) -> None:
    result = power_cut(tmp_path / "honest", 4, seed=1)
    assert result.acknowledged >= result.rounds == 4
    assert (result.lost, result.doubled) == (0, 0)
    lying = power_cut(tmp_path / "lying", 2, seed=1, honest=False)
    assert lying.lost == lying.acknowledged >= 2


def test_a_commit_that_is_not_synced_is_gone(tmp_path: Path) -> None:
    synced = tmp_path / "synced"
    synced.mkdir()
    with SyncedFiles(synced), closing(sqlite3.connect(tmp_path / "a.sqlite")) as live:
        live.isolation_level = None
        live.execute("PRAGMA journal_mode = WAL")
        live.execute("PRAGMA synchronous = FULL")
        live.execute("CREATE TABLE t (x)")
        live.execute("INSERT INTO t VALUES (1)")
        live.execute("PRAGMA synchronous = NORMAL")
        live.execute("INSERT INTO t VALUES (2)")
        with closing(sqlite3.connect(_copied(synced, tmp_path / "after"))) as copied:
            assert [x for (x,) in copied.execute("SELECT x FROM t")] == [1]


def test_rows_that_were_filled_in_are_on_the_disk_with_the_commit_that_shows_them(
    tmp_path: Path,
) -> None:
    synced = tmp_path / "synced"
    synced.mkdir()
    with SyncedFiles(synced), closing(open_store(tmp_path / "a.sqlite")) as store:
        with store.filling() as connection:
            connection.exec_driver_sql("INSERT INTO person (name, orcid) VALUES ('filled', '')")
        assert _people(_copied(synced, tmp_path / "before")) == []
        with store.writing() as connection:
            connection.exec_driver_sql("INSERT INTO person (name, orcid) VALUES ('shown', '')")
        assert _people(_copied(synced, tmp_path / "after")) == ["filled", "shown"]


def _people(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as copied:
        return [name for (name,) in copied.execute("SELECT name FROM person ORDER BY id")]


def _copied(synced: Path, to: Path) -> Path:
    to.mkdir()
    for path in synced.iterdir():
        (to / path.name).write_bytes(path.read_bytes())
    return to / "a.sqlite"
