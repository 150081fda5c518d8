"""Copies that the program makes of a store by itself, and which of them are kept."""

import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.services.workspace import automatic_backups
from termexplorer.services.workspace.automatic_backups import (
    back_up_before,
    back_up_daily,
    newest_backup,
    thin_backups,
)
from termexplorer.services.workspace.backups import make_backup
from termexplorer.services.workspace.removal import remove_ontology
from termexplorer.services.workspace.room import compact_workspace
from termexplorer.store.health import check_copy
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)


def backup_names(workspace: Workspace) -> list[str]:
    return sorted(path.name for path in (workspace.folder / "backups").iterdir())


def test_a_copy_is_made_each_day_and_not_twice(workspace: Workspace) -> None:
    for hours in (0, 23, 24):
        assert back_up_daily(workspace, NOON + timedelta(hours=hours)) == ""
    assert backup_names(workspace) == [
        "automatic-daily-20261127T120000.sqlite",
        "automatic-daily-20261128T120000.sqlite",
    ]
    for name in backup_names(workspace):
        check_copy(workspace.folder / "backups" / name)


def test_days_are_kept_for_a_week_and_weeks_for_two_months(workspace: Workspace) -> None:
    folder = workspace.folder / "backups"
    moments = [NOON - timedelta(hours=6 * n) for n in range(4 * 100)]
    for moment in moments:
        (folder / f"automatic-daily-{moment.strftime('%Y%m%dT%H%M%S')}.sqlite").touch()
    (folder / "mine.sqlite").touch()
    asked = make_backup(workspace)
    thin_backups(workspace.folder, NOON)
    names = backup_names(workspace)
    assert {"mine.sqlite", asked.name} < set(names)
    kept_moments = [
        datetime.strptime(name[16:31], "%Y%m%dT%H%M%S") for name in names if "daily" in name
    ]
    noon = NOON.replace(tzinfo=None)
    days = [moment.date() for moment in kept_moments if noon - moment <= timedelta(days=7)]
    today = [moment for moment in kept_moments if noon - moment <= timedelta(days=1)]
    assert len(today) == 5  # all of them
    days = [day for day in days if day not in {moment.date() for moment in today}]
    assert len(days) == len(set(days)) == 6
    weeks = [
        moment.isocalendar()[:2] for moment in kept_moments if noon - moment > timedelta(days=7)
    ]
    assert len(weeks) == len(set(weeks)) == 9
    assert noon - min(kept_moments) <= timedelta(days=61)


def test_the_newest_copy_is_kept_however_old(workspace: Workspace) -> None:
    back_up_before(workspace, "daily", NOON - timedelta(days=400))
    thin_backups(workspace.folder, NOON)
    assert len(backup_names(workspace)) == 1


def test_a_copy_that_is_not_sound_is_not_kept(workspace: Workspace) -> None:
    with closing(sqlite3.connect(workspace.store.path)) as connection, connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("INSERT INTO is_a (child_id, parent_id) VALUES (987654, 1)")
    assert "refers to no row" in back_up_before(workspace, "daily")
    assert backup_names(workspace) == []


def test_removing_and_compacting_copy_the_store_first(workspace: Workspace) -> None:
    remove_ontology(workspace, 1, JobControl(), lambda _message: None)
    (name,) = backup_names(workspace)
    assert name.startswith("automatic-removal-")
    with closing(sqlite3.connect(workspace.folder / "backups" / name)) as copy:
        assert copy.execute("SELECT count(*) FROM release").fetchone() == (1,)
    workspace.close()
    compact_workspace(workspace.folder)
    assert any("-compact-" in name for name in backup_names(workspace))


def test_want_of_room_for_a_copy_is_told_and_refuses_nothing(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_workspace: Workspace, path: Path) -> Path:
        raise UserError(f"{path}: No space left on device")

    monkeypatch.setattr(automatic_backups, "make_backup", refuse)
    seen: list[object] = []
    remove_ontology(workspace, 1, JobControl(), seen.append)
    assert "no backup could be made" in str(seen[0])


def test_the_newest_copy_is_told(workspace: Workspace) -> None:
    assert newest_backup(workspace.folder) is None
    back_up_before(workspace, "daily")
    newest = newest_backup(workspace.folder)
    assert newest is not None
    assert Path(newest.path).parent.name == "backups"
    assert newest.fault == ""


def test_a_store_that_nobody_wrote_to_is_not_copied_twice(workspace: Workspace) -> None:
    later = datetime.now(UTC) + timedelta(seconds=5)
    assert back_up_before(workspace, "verdicts", later) == ""
    assert back_up_before(workspace, "removal", later + timedelta(seconds=5)) == ""
    assert len(backup_names(workspace)) == 1
    with workspace.store.writing() as connection:
        connection.exec_driver_sql("UPDATE concept SET label = 'another' WHERE id = 1")
    written = later.timestamp() + 7
    for path in workspace.folder.glob("workspace.sqlite*"):
        os.utime(path, (written, written))
    assert back_up_before(workspace, "removal", later + timedelta(seconds=9)) == ""
    assert len(backup_names(workspace)) == 2


def test_a_command_that_writes_copies_the_store_once_a_day(
    workspace: Workspace, tmp_path: Path
) -> None:
    mappings = tmp_path / "mappings.sssom.tsv"
    mappings.write_text(
        "subject_id\tpredicate_id\tobject_id\tmapping_justification\n"
        "T:2\tskos:exactMatch\tT:3\tsemapv:ManualMappingCuration\n",
        "utf-8",
    )
    workspace_option = ["--workspace", str(workspace.folder)]
    reading = ["ontology", "list", *workspace_option]
    writing = ["suggestion", "import", str(mappings), *workspace_option]
    assert CliRunner().invoke(app, reading).exit_code == 0
    assert backup_names(workspace) == []
    for _ in range(2):
        output = CliRunner().invoke(app, writing)
        assert output.exit_code == 0, output.output
        (name,) = backup_names(workspace)
        assert "daily" in name


def test_suggestions_that_a_command_removes_are_in_a_copy(
    workspace: Workspace, tmp_path: Path
) -> None:
    test_a_command_that_writes_copies_the_store_once_a_day(workspace, tmp_path)
    words = ["suggestion", "remove", "1", "--yes", "--workspace", str(workspace.folder)]
    assert CliRunner().invoke(app, words).exit_code == 0
    (name,) = (backup_name for backup_name in backup_names(workspace) if "removal" in backup_name)
    with closing(sqlite3.connect(workspace.folder / "backups" / name)) as copy:
        assert copy.execute("SELECT count(*) FROM suggestion").fetchone()[0] > 0
