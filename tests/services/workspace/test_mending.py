"""A damaged workspace is put right by checksums, copies and backups, and told of what is left."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from test_flips import judge, needs_pages, settle
from toy_studies import make
from typer.testing import CliRunner

from termexplorer.bench.reliability.flipped_tables import TableBits, list_tables, read_rows
from termexplorer.cli.commands import app
from termexplorer.services.workspace.backups import make_backup, restore_backup
from termexplorer.services.workspace.mending import Mending, mend_workspace
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace


def mend(folder: Path) -> Mending:
    return mend_workspace(folder, JobControl(), lambda _message: None)


def change(store: Path, before: bytes, bit: int) -> None:
    """Change a bit in the middle of a text that stands in a file once more than in its copy."""
    content = bytearray(store.read_bytes())
    content[content.index(before) + len(before) // 2] ^= 1 << bit
    store.write_bytes(content)


@needs_pages
@pytest.mark.parametrize("tables", ["concept|name|is_a|verdict", "study|study_pair|run|encoder"])
def test_flips_are_put_right_or_told_with_what_restores(with_run: Workspace, tables: str) -> None:
    make(with_run)
    judge(with_run, "T:2", "T:3")
    backup = make_backup(with_run)
    store = settle(with_run)
    chosen = [table for table in list_tables(store) if re.fullmatch(tables, table)]
    assert len(chosen) == 4
    mended = 0
    for table in chosen:
        bits = TableBits(store, table)
        before = bits.rows
        bits.flip(Random(3))  # noqa: S311
        done = mend(with_run.folder)
        assert done.found
        assert done.kept is not None
        if done.left:
            assert done.backup == backup
            restore_backup(with_run.folder, backup.name)
        mended += not done.left
        assert read_rows(store, table) == before, done
        bits.put_back()
        done.kept.unlink()
    assert mended >= 3


def test_a_bit_of_a_verdict_goes_back_without_any_backup(workspace: Workspace) -> None:
    judge(workspace, "T:2", "T:3", "T:4")
    store = settle(workspace)
    before = read_rows(store, "verdict")
    for text, bit in ((b"T:3", 0), (b"a note", 7)):
        change(store, text, bit)
        done = mend(workspace.folder)
        assert [(row.table, row.source) for row in done.rows] == [("verdict", "bit")]
        assert done.left == ()
        assert read_rows(store, "verdict") == before


def test_a_row_that_is_no_text_any_more_comes_from_its_copy(with_run: Workspace) -> None:
    title = "a title that stands nowhere else"
    with with_run.store.writing() as connection:
        connection.exec_driver_sql("UPDATE run SET title = ?", (title,))
    store = settle(with_run)
    before = read_rows(store, "run")
    change(store, title.encode(), 7)
    done = mend(with_run.folder)
    assert [(row.table, row.source) for row in done.rows] == [("run", "copy")]
    assert done.left == ()
    assert read_rows(store, "run") == before


def test_what_nothing_tells_is_left_and_told_by_the_command(with_run: Workspace) -> None:
    title = "a title that stands nowhere else"
    with with_run.store.writing() as connection:
        connection.exec_driver_sql("UPDATE run SET title = ?", (title,))
    store = settle(with_run)
    change(store, title.encode(), 1)  # another letter, and no backup: which of the two is right?
    words = ["--workspace", str(with_run.folder), "workspace", "check", "--mend", "--json"]
    ended = CliRunner().invoke(app, words)
    assert ended.exit_code == 1, ended.output
    answer = json.loads(ended.stdout)
    assert [row["source"] for row in answer["rows"]] == ["none"]
    assert [fault["where"] for fault in answer["left"]] == ["run 1"]
    assert Path(answer["kept"]).is_file()
    assert title not in ended.output


def test_a_sound_workspace_is_left_alone(with_run: Workspace) -> None:
    store = settle(with_run)
    before = read_rows(store, "run")
    done = mend(with_run.folder)
    assert (done.found, done.rows, done.kept, done.left) == ((), (), None, ())
    assert read_rows(store, "run") == before
    assert not list((with_run.folder / "backups").iterdir())


def test_the_newest_backup_that_is_sound_is_told_not_the_newest(with_run: Workspace) -> None:
    sound = make_backup(with_run, with_run.folder / "backups" / "first.sqlite")
    broken = make_backup(with_run, with_run.folder / "backups" / "second.sqlite")
    content = broken.read_bytes()
    broken.write_bytes(content.replace(b"viral", b"vitral"[:5], 1))
    store = settle(with_run)
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("DROP TABLE copy_of_run")
    done = mend(with_run.folder)
    assert done.left
    assert done.backup == sound
