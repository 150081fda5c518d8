"""The commands of a team, from nothing to a log that is checked and exported."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from team_servers import ToyTeam
from typer.testing import CliRunner

from termexplorer.bench.durability import judge_some, make_study_workspace
from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.services.team.background import TeamLoop, TeamState
from termexplorer.services.team.passwords import VARIABLE
from termexplorer.workspace import Workspace


def call(folder: Path, *words: str) -> Any:
    done = CliRunner().invoke(app, ["team", *words, "--workspace", str(folder), "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_from_an_empty_database_to_a_log_that_is_checked(
    team: ToyTeam, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, team.cluster.password)
    team.cluster.run_sql("DROP DATABASE IF EXISTS own")
    team.cluster.run_sql("CREATE DATABASE own")
    address = team.cluster.address("lead", "own")
    done = CliRunner().invoke(app, ["team", "init", address, "--as", "Lea"])
    assert done.exit_code == 0, done.output
    author = make_study_workspace(tmp_path / "author", ["Anna", "Ben"])
    assert call(author, "join", address)["role"] == "author"
    team.cluster.add_logins("anna")
    assert call(author, "admit", "anna", "Anna")["person"] == "Anna"
    assert call(author, "share", "1")["questions"] == {"Anna": 40, "Ben": 40}
    anna = tmp_path / "anna"
    assert call(anna, "join", team.cluster.address("anna", "own"))["role"] == "curator"
    assert call(anna, "sync")["packs"] == 1
    judge_some(anna, 3)
    assert call(anna, "status")["unsent"] == 3
    assert call(anna, "sync") == {"sent": 3, "received": 0, "packs": 0, "lists": 0}
    assert call(author, "sync")["received"] == 3
    status, other = call(author, "status"), call(anna, "status")
    assert (status["rows"], status["unsent"]) == (3, 0)
    assert status["log_hash"] == other["log_hash"]
    assert [member["person"] for member in status["members"]] == ["Lea", "Anna"]
    assert {presence["person"] for presence in status["presence"]} == {"Lea", "Anna"}
    assert call(author, "check") == {"chains": 1, "rows": 3, "problems": []}
    table = tmp_path / "log.jsonl"
    assert call(author, "export", "--out", str(table))["rows"] == 3
    row = json.loads(table.read_text("utf-8").splitlines()[0])
    assert row["annotator"] == "Anna"
    assert row["server time"]
    assert call(author, "open", "1") == {"study": 1, "opened": True}
    assert call(anna, "leave")["address"] == team.cluster.address("anna", "own")
    done = CliRunner().invoke(app, ["team", "status", "--workspace", str(anna)])
    assert "team join" in str(done.exception)
    assert team.cluster.password not in (tmp_path / "anna/workspace.sqlite").read_bytes().decode(
        "latin-1"
    )


def test_a_changed_log_is_told_and_ends_the_check_with_1(
    team: ToyTeam, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, team.cluster.password)
    team.admit("anna", "Anna")
    author = team.share_study(["Anna"])
    with closing(team.join("anna")) as anna:
        team.sync(anna, "anna")
        judge_some(anna.folder, 2)
        team.sync(anna, "anna")
    team.sql("ALTER TABLE termexplorer.verdict DISABLE TRIGGER refuse_change", "lead")
    team.sql("UPDATE termexplorer.verdict SET content = replace(content, 'note', 'nose')", "lead")
    done = CliRunner().invoke(app, ["team", "check", "--workspace", str(author)])
    assert isinstance(done.exception, UserError)
    assert "row 1 of chain" in str(done.exception)


def test_the_background_sends_receives_and_outlives_a_break(team: ToyTeam) -> None:
    team.admit("anna", "Anna")
    folder = team.share_study(["Anna"])
    with closing(team.join("anna")) as anna, closing(Workspace(folder)) as author:
        states: list[TeamState] = []

        def follow(state: TeamState) -> None:
            states.append(state)
            if state.connected and not state.received:
                judge_some(anna.folder, 2)
                with team.connected(anna, "anna") as connected:
                    connected.sync()
            if state.received and not any(state.problem for state in states):
                team.cluster.run_sql(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = "
                    f"'{team.database}'"
                )
            if state.problem:
                judge_some(anna.folder, 2)
                with team.connected(anna, "anna") as connected:
                    connected.sync()
            if state.received == 4:
                loop.stop()

        with team.connected(anna, "anna") as connected:
            connected.sync()
        loop = TeamLoop(author, follow, password=team.cluster.password)
        loop.run()
        assert "stays here and is sent later" in next(s.problem for s in states if s.problem)
        assert states[-1].received == 4
