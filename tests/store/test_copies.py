"""Copies of a store are made while others write to it."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from termexplorer.store.database.copies import write_copy

PAGES_A_STEP = 2_000


class WrittenMeanwhile(sqlite3.Connection):
    """A connection to a store to which somebody else writes after each step of a copy."""

    writer: sqlite3.Connection
    steps = 0

    def backup(self, target: sqlite3.Connection, **options: Any) -> None:
        def write(_status: int, _remaining: int, _total: int) -> None:
            self.steps += 1
            assert self.steps < 20, "the copy begins anew again and again"
            self.writer.execute("INSERT INTO verdict VALUES ('later')")

        super().backup(target, progress=write, **options)


def test_a_copy_ends_while_somebody_judges_and_is_of_one_moment(tmp_path: Path) -> None:
    store, copy = tmp_path / "store.sqlite", tmp_path / "copy.sqlite"
    with (
        closing(sqlite3.connect(store, isolation_level=None)) as writer,
        closing(sqlite3.connect(store, factory=WrittenMeanwhile, isolation_level=None)) as reader,
    ):
        writer.execute("PRAGMA journal_mode=WAL")
        writer.execute("CREATE TABLE verdict (said)")
        writer.execute("CREATE TABLE content AS SELECT zeroblob(4096 * ?)", (3 * PAGES_A_STEP,))
        reader.writer = writer
        write_copy(reader, copy, store)
        assert 1 < reader.steps < 20
        assert not reader.in_transaction
    with closing(sqlite3.connect(copy)) as copied_store:
        assert copied_store.execute("SELECT count(*) FROM verdict").fetchone() == (0,)
        assert copied_store.execute("PRAGMA integrity_check").fetchone() == ("ok",)
