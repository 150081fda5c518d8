"""Backups of a workspace from the command line, however its path is written."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from termexplorer.errors import UserError
from termexplorer.workspace import Workspace

Command = Callable[..., str]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs a command in the folder above a workspace `ws`, which is named by a relative path."""
    from termexplorer.cli.commands import app

    Workspace(tmp_path / "ws").close()
    monkeypatch.chdir(tmp_path)

    def called(*words: str, workspace: str = "ws") -> str:
        done = CliRunner().invoke(app, [*words, "--workspace", workspace])
        if done.exception is not None:
            raise done.exception
        return done.stdout

    return called


def make_backup(command: Command) -> Path:
    return Path(json.loads(command("workspace", "backup", "--json"))["backup"])


def test_a_workspace_is_restored_by_a_relative_path(command: Command) -> None:
    backup = make_backup(command)
    assert backup.name in command("backup", "list")
    assert f"{backup.name} is in place" in command("workspace", "restore", backup.name)
    assert "all is well" in command("workspace", "check")


def test_a_workspace_is_restored_from_another_directory(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup = make_backup(command)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    backup.rename(elsewhere / "mine.sqlite")
    monkeypatch.chdir(elsewhere)
    output = command("workspace", "restore", "mine.sqlite", workspace="../ws")
    assert "mine.sqlite is in place" in output
    assert "all is well" in command("workspace", "check", workspace="../ws")


def test_a_damaged_store_is_restored_from_a_read_only_copy(
    command: Command, tmp_path: Path
) -> None:
    backup = make_backup(command)
    backup.chmod(0o400)
    for side in ("-wal", "-shm"):
        backup.with_name(f"{backup.name}{side}").mkdir()  # as where SQLite may make no files
    (tmp_path / "ws" / "workspace.sqlite").write_bytes(b"damaged" * 1000)
    assert f"{backup.name} is in place" in command("workspace", "restore", backup.name)
    assert "all is well" in command("workspace", "check")
    Workspace(tmp_path / "ws").close()  # and it can be written to


@pytest.mark.parametrize("word", ["check", "backup", "backups"])
def test_a_mistyped_workspace_is_not_made(command: Command, tmp_path: Path, word: str) -> None:
    with pytest.raises(UserError, match="is no workspace"):
        command("workspace", word, workspace="sw")
    assert not (tmp_path / "sw").exists()


def test_a_quick_check_leaves_search_indexes_out(command: Command, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "ws" / "workspace.sqlite")) as store, store:
        store.execute("INSERT INTO search_words(rowid, text) VALUES (2, 'of no row')")
    from termexplorer.cli.commands import app

    assert json.loads(command("workspace", "check", "--quick", "--json"))["faults"] == []
    done = CliRunner().invoke(app, ["workspace", "check", "--workspace", "ws"])
    assert (done.exit_code, "search_words" in done.stdout) == (1, True)
