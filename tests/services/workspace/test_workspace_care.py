"""A workspace that is checked, copied, put back, made smaller and moved."""

import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.services.explore.ontologies import list_ontologies
from termexplorer.services.levels.lens import LevelChoice, open_lens
from termexplorer.services.verdicts.log import (
    Answer,
    Judge,
    VerdictSubject,
    check_log,
    give_verdict,
    now,
)
from termexplorer.services.workspace.backups import backups, make_backup, restore_backup
from termexplorer.services.workspace.check import check_workspace
from termexplorer.services.workspace.room import compact_workspace, move_workspace
from termexplorer.store.database.process_lock import ProcessLock
from termexplorer.store.health import kept_files
from termexplorer.trainer.files.folders import replacing
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

ANNA = Judge("Anna", "")


def faults(workspace: Workspace) -> list[tuple[str, str]]:
    return [(fault.kind, fault.where) for fault in check_workspace(workspace, JobControl()).faults]


def judge(workspace: Workspace, subject: str) -> None:
    about = VerdictSubject("T:1", "skos:exactMatch", subject)
    at = now()
    give_verdict(workspace, ANNA, about, Answer("correct", "", at, at))


def age(path: Path) -> None:
    os.utime(path, (0, 0))


def test_a_sound_workspace_has_no_fault(with_run: Workspace) -> None:
    judge(with_run, "T:2")
    health = check_workspace(with_run, JobControl())
    assert health.faults == ()
    assert (health.verdicts, health.files) == (1, 8)  # seven of rows, one of levels


def test_every_damaged_array_is_named(with_run: Workspace) -> None:
    with with_run.store.reading() as connection:
        known_files = kept_files(connection)
    for file in known_files:
        path = with_run.folder / file.path
        arrays = [path] if path.is_file() else [p for p in path.iterdir() if p.name != "meta.json"]
        whole = arrays[0].read_bytes()
        arrays[0].write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        assert faults(with_run) == [("changed", file.path)]
        arrays[0].write_bytes(whole)
    gone = with_run.folder / next(file.path for file in known_files if file.kind == "vectors")
    shutil.rmtree(gone) if gone.is_dir() else gone.unlink()
    assert ("missing", str(gone.relative_to(with_run.folder))) in faults(with_run)


def test_the_files_of_levels_are_checked_and_go_with_their_ontology(workspace: Workspace) -> None:
    file = workspace.folder / "levels" / "1.npz"
    file.unlink(missing_ok=True)
    rows = check_workspace(workspace, JobControl()).files
    open_lens(workspace, 1, LevelChoice())
    age(file)
    assert (faults(workspace), check_workspace(workspace, JobControl()).files) == ([], rows + 1)
    whole = file.read_bytes()
    file.write_bytes(whole.replace(b"parents", b"parentz"))
    assert faults(workspace) == [("changed", "levels/1.npz")]
    file.unlink()
    assert faults(workspace) == []  # it is a copy, made anew when it is asked for
    gone = file.with_name("9.npz")
    gone.write_bytes(whole)
    age(gone)
    assert faults(workspace) == [("stray", "levels/9.npz")]


def test_a_changed_row_of_the_log_is_found(workspace: Workspace) -> None:
    judge(workspace, "T:2")
    store = workspace.store.path
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("DROP TRIGGER verdict_no_update")
        connection.execute("UPDATE verdict SET answer = 'wrong'")
    _trigger, fault = check_workspace(workspace, JobControl()).faults
    assert fault.kind == "log"
    assert "row 1: it was changed" in fault.what


def test_what_no_row_tells_of_goes_once_it_is_settled(workspace: Workspace) -> None:
    stray = workspace.folder / "vectors" / "99-1.npy"
    stray.write_bytes(b"x" * 1000)
    assert faults(workspace) == []  # somebody may be making it
    age(stray)
    assert faults(workspace) == [("stray", "vectors/99-1.npy")]
    workspace.close()
    done = compact_workspace(workspace.folder)
    assert done.removed == ("vectors/99-1.npy",)
    assert done.after < done.before
    again = Workspace(workspace.folder)
    assert faults(again) == []
    assert list_ontologies(again)
    again.close()


def test_locks_of_runs_and_what_is_in_the_making_are_no_strays(with_run: Workspace) -> None:
    lock, vectors_folder = (
        with_run.folder / "runs" / "1.lock",
        with_run.folder / "vectors" / "fasttext-1.x",
    )
    assert lock.is_file()
    vectors_folder.mkdir()
    (vectors_folder / "corpus.txt").write_text("viral pneumonia")
    age(lock)
    age(vectors_folder)  # as a folder stays while a file in it grows
    assert faults(with_run) == []
    with_run.close()
    assert compact_workspace(with_run.folder).removed == ()
    age(vectors_folder / "corpus.txt")
    age(vectors_folder)
    assert faults(with_run) == [("stray", "vectors/fasttext-1.x")]


def test_what_a_killed_writer_left_is_a_stray(workspace: Workspace) -> None:
    writing = replacing(workspace.folder / "vectors" / "1-1", {})
    (writing.__enter__() / "begun.npy").write_bytes(b"x")
    (begun,) = (workspace.folder / "vectors").glob(".1-1.*")
    assert faults(workspace) == []
    for path in (*begun.rglob("*"), begun):
        age(path)
    assert faults(workspace) == [("stray", str(begun.relative_to(workspace.folder)))]
    workspace.close()
    compact_workspace(workspace.folder)
    assert not begun.exists()


def test_a_backup_brings_back_what_was_there(workspace: Workspace) -> None:
    judge(workspace, "T:2")
    mine = workspace.folder / "backups" / "mine.part"
    mine.write_text("mine")
    make_backup(workspace, mine.with_suffix("")).unlink()
    assert mine.read_text() == "mine"
    backup = make_backup(workspace)
    judge(workspace, "T:3")
    workspace.close()
    (listed,) = backups(workspace.folder)
    assert (listed.path, listed.verdicts, listed.fault) == (backup, 1, "")
    done = restore_backup(workspace.folder, backup.name)
    assert done.fewer_verdicts == 1
    again = Workspace(workspace.folder)
    assert check_workspace(again, JobControl()).verdicts == 1
    again.close()
    assert restore_backup(workspace.folder, done.kept.name).fewer_verdicts == 0
    last = Workspace(workspace.folder)
    assert check_workspace(last, JobControl()).verdicts == 2
    last.close()


def test_a_store_that_is_damaged_is_replaced_and_kept(workspace: Workspace) -> None:
    backup = make_backup(workspace)
    workspace.close()
    store = workspace.store.path
    damaged = b"not a database at all" * 400
    store.write_bytes(damaged)
    done = restore_backup(workspace.folder, str(backup))
    assert done.fewer_verdicts is None
    assert done.kept.read_bytes() == damaged
    again = Workspace(workspace.folder)
    assert check_workspace(again, JobControl()).faults == ()
    again.close()
    with pytest.raises(UserError, match="is damaged"):
        restore_backup(workspace.folder, done.kept.name)
    with pytest.raises(UserError, match="there is no backup x"):
        restore_backup(workspace.folder, "x")


@pytest.mark.parametrize("text", [b"T:2", b"lung disease"])  # of the log, and of a release
def test_a_backup_with_a_flipped_bit_replaces_nothing(workspace: Workspace, text: bytes) -> None:
    judge(workspace, "T:2")
    backup = make_backup(workspace)
    content = bytearray(backup.read_bytes())
    content[content.index(text)] ^= 1
    backup.write_bytes(content)
    workspace.close()
    before = workspace.store.path.read_bytes()
    with pytest.raises(UserError, match="is damaged"):
        restore_backup(workspace.folder, backup.name)
    assert workspace.store.path.read_bytes() == before
    assert list((workspace.folder / "backups").glob("replaced*")) == []
    command = ["workspace", "restore", backup.name, "--workspace", str(workspace.folder)]
    assert CliRunner().invoke(app, command).exit_code == 1
    done = CliRunner().invoke(app, [*command, "--anyway"])
    assert done.exit_code == int(text == b"T:2")  # an index of it is damaged, no row alone


def test_a_copy_that_cannot_be_read_is_listed_as_such(workspace: Workspace) -> None:
    sound, damaged = make_backup(workspace), make_backup(workspace)
    damaged.write_bytes(b"not a database at all" * 400)
    counts = {backup.path: backup.verdicts for backup in backups(workspace.folder)}
    assert counts == {sound: check_log(workspace), damaged: None}
    workspace_option = ["--workspace", str(workspace.folder)]
    listed = CliRunner().invoke(app, ["backup", "list", *workspace_option]).stdout
    assert "cannot be read" in listed
    assert "-1" not in listed.split()
    answer = json.loads(
        CliRunner().invoke(app, ["backup", "list", "--json", *workspace_option]).stdout
    )
    assert None in [backup["verdicts"] for backup in answer["backups"]]


def test_nobody_is_pulled_away_from_under(workspace: Workspace, tmp_path: Path) -> None:
    backup = make_backup(workspace)
    for right in ("window.lock", "runs/7.lock"):
        with ProcessLock(workspace.folder / right):
            for attempt in (
                lambda: restore_backup(workspace.folder, backup.name),
                lambda: compact_workspace(workspace.folder),
                lambda: move_workspace(workspace.folder, tmp_path / "there"),
            ):
                with pytest.raises(UserError, match="is in use"):
                    attempt()


def test_what_a_command_says_meanwhile_is_not_lost(workspace: Workspace) -> None:
    backup = make_backup(workspace)
    with pytest.raises(UserError, match="wait for imports, judging, training and other commands"):
        restore_backup(workspace.folder, backup.name)
    judge(workspace, "T:2")
    workspace.close()
    done = restore_backup(workspace.folder, backup.name)
    assert done.fewer_verdicts == 1


def test_a_moved_workspace_is_whole(workspace: Workspace, tmp_path: Path) -> None:
    workspace.close()
    before = len(list_ontologies(workspace))
    workspace.close()
    for bad in (tmp_path, workspace.folder / "inside"):
        with pytest.raises(UserError, match="choose another folder"):
            move_workspace(workspace.folder, bad)
    target = tmp_path / "there" / "ours"
    move_workspace(workspace.folder, target)
    assert not workspace.folder.exists()
    again = Workspace(target)
    assert (len(list_ontologies(again)), faults(again)) == (before, [])
    again.close()


def test_a_workspace_is_carried_to_another_disk_past_what_lies_there(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.close()
    rename = Path.rename

    def refused(path: Path, target: Path) -> Path:
        if path == workspace.folder:
            raise OSError("another disk")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", refused)
    folder = tmp_path / "there"
    mine = folder / "ours.part" / "notes.txt"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    move_workspace(workspace.folder, folder / "ours")
    assert not workspace.folder.exists()
    assert mine.read_text() == "mine"
    assert sorted(path.name for path in folder.iterdir()) == ["ours", "ours.part"]
    again = Workspace(folder / "ours")
    assert faults(again) == []
    again.close()


def test_a_tail_that_was_cut_off_the_log_is_missed(workspace: Workspace) -> None:
    for number in range(5):
        judge(workspace, f"T:{number + 2}")
    workspace.close()
    with closing(sqlite3.connect(workspace.store.path)) as connection, connection:
        connection.execute("DROP TRIGGER verdict_no_delete")
        connection.execute("DELETE FROM verdict WHERE id > 3")
    again = Workspace(workspace.folder)
    triggers, fault = check_workspace(again, JobControl()).faults
    assert (triggers.kind, fault.kind) == ("store", "log")
    assert "had 5 rows" in fault.what
    with pytest.raises(UserError, match="had 5 rows"):
        check_log(again)
    again.close()


def test_a_log_is_whole_after_an_older_copy_was_put_back(workspace: Workspace) -> None:
    judge(workspace, "T:2")
    backup = make_backup(workspace)
    judge(workspace, "T:3")
    workspace.close()
    restore_backup(workspace.folder, backup.name)
    again = Workspace(workspace.folder)
    assert check_workspace(again, JobControl()).faults == ()
    judge(again, "T:4")
    again.close()
