"""Lists of suggestions go to all members who have the releases, and stay away once removed."""

import json
from contextlib import ExitStack, closing
from pathlib import Path

from sqlalchemy import text
from team_servers import ToyTeam
from toy_ontology import write_older_toy
from toy_reviews import keep, suggested
from toy_workspace import load, opened_copy
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.services.curate.answers.blind_answers import find_blind_answers
from termexplorer.services.curate.answers.list_outcomes import AGREED, DECIDED, DIFFER
from termexplorer.services.curate.answers.list_parts import PART_OF, read_parts, split_list
from termexplorer.services.curate.review import read_review, say_all
from termexplorer.services.curate.suggestion_lists import (
    find_list,
    kept_lists,
    read_list,
    remove_list,
)
from termexplorer.services.studies.verdict_files import write_verdicts
from termexplorer.services.team.exporting import export_team_log
from termexplorer.services.team.joining import (
    connect,
    connect_workspace,
    join_team,
    read_address,
)
from termexplorer.services.team.lists import share_list
from termexplorer.services.team.status import read_status
from termexplorer.services.verdicts.log import CURATORS, Answer, Judge, now
from termexplorer.workspace import Workspace


def test_a_list_comes_to_who_has_its_release_and_others_are_told_which(
    team: ToyTeam, toy: Path, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setenv("TERMEXPLORER_TEAM_PASSWORD", team.cluster.password)
    for login, name in (("anna", "Anna"), ("ben", "Ben")):
        team.admit(login, name)
    lead = read_address(team.address("lead"))
    with opened_copy(toy, tmp_path / "a") as author, connect(lead) as server:
        join_team(author, lead)
        keep(author, [suggested("TOY:1", "TOY:2"), suggested("TOY:2", "TOY:3")])
        list_id = kept_lists(author)[0].id
        share_list(author, server, list_id)
        rows = read_list(author, list_id)
        assert team.sync(author, "lead").lists == 0
    with opened_copy(toy, tmp_path / "b") as anna:
        join_team(anna, read_address(team.address("anna")))
        assert team.sync(anna, "anna").lists == 1
        received = kept_lists(anna)[0]
        assert [row.about for row in read_list(anna, received.id)] == [row.about for row in rows]
        remove_list(anna, received.id)
        assert team.sync(anna, "anna").lists == 0
    with closing(team.join("ben")) as ben:
        assert team.sync(ben, "ben").lists == 0
        (missing,) = read_status(ben).missing_releases
        assert "toy.obo" in missing
        assert str(toy.parent) not in missing
        assert "you have" not in missing
        older = load(ben, write_older_toy(tmp_path))
        (missing,) = read_status(ben).missing_releases
        assert f"toy.obo; you have {older.version or older.label})" in missing


def test_only_the_release_that_is_missing_is_named(
    team: ToyTeam, toy: Path, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setenv("TERMEXPLORER_TEAM_PASSWORD", team.cluster.password)
    team.admit("anna", "Anna")
    lead = read_address(team.address("lead"))
    with opened_copy(toy, tmp_path / "a") as author, connect(lead) as server:
        join_team(author, lead)
        older = load(author, write_older_toy(tmp_path))
        keep(author, [suggested("TOY:1", "TOY:2")], releases=(1, older.id))
        share_list(author, server, kept_lists(author)[0].id)
        older_label = older.label
    with opened_copy(toy, tmp_path / "b") as anna:
        join_team(anna, read_address(team.address("anna")))
        assert team.sync(anna, "anna").lists == 0
        (missing,) = read_status(anna).missing_releases
        assert missing.startswith(f"{older_label} (older.obo; you have ")
        with connect(lead) as server, server.transaction() as connection:
            connection.execute(text(_AS_OLDER_PROGRAMS_WROTE))
        assert read_status(anna).missing_releases == ("Toy 1 (/home/lea/toy.obo)",)


_AS_OLDER_PROGRAMS_WROTE = """
    UPDATE termexplorer.suggestion_list
    SET release_hash = 'abc', release_file = 'Toy 1 (/home/lea/toy.obo)'
"""


def give(workspace: Workspace, list_id: int, judge: Judge, answers: list[str]) -> None:
    """Answer the rows of a list in their order."""
    moment = now()
    rows = read_list(workspace, list_id)
    given = {
        row.about: Answer(word, "", moment, moment) for row, word in zip(rows, answers, strict=True)
    }
    say_all(workspace, judge, find_list(workspace, list_id), given)


def test_two_answer_their_parts_blind_and_what_differs_is_decided(
    team: ToyTeam, toy: Path, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setenv("TERMEXPLORER_TEAM_PASSWORD", team.cluster.password)
    for login, name in (("anna", "Anna"), ("ben", "Ben")):
        team.admit(login, name)
    lead = read_address(team.address("lead"))
    people = {login: Judge(login.title()) for login in ("anna", "ben")}
    with ExitStack() as stack:
        author = stack.enter_context(opened_copy(toy, tmp_path / "lead"))
        members = {
            login: stack.enter_context(opened_copy(toy, tmp_path / login)) for login in people
        }
        join_team(author, lead)
        keep(author, [suggested("TOY:2", "TOY:1")])  # so that ids differ from the members'
        whole = keep(author, [suggested("TOY:1", f"TOY:{n}") for n in (2, 3, 4)])
        server = stack.enter_context(connect(lead))
        split_list(author, whole, [*people.values()][:1])
        share_list(author, server, whole)
        parts: dict[str, int] = {}
        for login, member in members.items():
            join_team(member, read_address(team.address(login)))
            assert team.sync(member, login).lists == 2
        split_list(author, whole, list(people.values()), 1.0)
        share_list(author, server, whole)
        for login, member in members.items():
            assert team.sync(member, login).lists == 2
            listed = read_parts(member, received_whole(member)).parts
            assert [(part.person, part.blind) for part in listed] == [
                (person, True) for person in people.values()
            ]
            parts[login] = next(p.list_id for p in listed if p.person == people[login])
            assert list_mine(member) == [(parts[login], people[login].name)]
        give(members["anna"], parts["anna"], people["anna"], ["correct", "correct", "wrong"])
        team.sync(members["anna"], "anna")
        team.sync(members["ben"], "ben")
        bens = read_review(members["ben"], parts["ben"])
        assert not any(bens.verdicts.values())  # Anna's are hidden until Ben is done
        for export in (export_of_team, export_verdicts):
            assert export(members["ben"], tmp_path) == (0, 3)
            assert export(members["anna"], tmp_path) == (3, 0)
        assert export_of_team(author, tmp_path) == (3, 0)
        give(members["ben"], parts["ben"], people["ben"], ["correct", "wrong", "wrong"])
        team.sync(members["ben"], "ben")
        team.sync(author, "lead")
        assert export_of_team(members["ben"], tmp_path) == (6, 0)
        outcomes = read_parts(author, whole).outcomes
        assert [outcome.state for outcome in outcomes.by_subject.values()] == [
            AGREED, DIFFER, AGREED,
        ]  # fmt: skip
        about = read_list(author, whole)[1].about
        moment = now()
        say_all(
            author, Judge("Lead"), find_list(author, whole),
            {about: Answer("correct", "", moment, moment)},
        )  # fmt: skip
        team.sync(author, "lead")
        team.sync(members["anna"], "anna")
        annas = read_parts(members["anna"], received_whole(members["anna"])).outcomes
        assert annas.by_subject[about].state == DECIDED


def list_mine(workspace: Workspace) -> list[tuple[int, str]]:
    """Return the lists that `suggestion list` tells are the member's part, with whose they are."""
    words = ["suggestion", "list", "--json", "--workspace", str(workspace.folder)]
    done = CliRunner().invoke(app, words)
    lists = json.loads(done.stdout)["lists"]
    assert {row["annotator"] for row in lists} == {"", "Anna", "Ben"}
    return [(row["list"], row["annotator"]) for row in lists if row["mine"]]


def export_of_team(workspace: Workspace, folder: Path) -> tuple[int, int]:
    """Return how many rows of the team's log a member exports, and how many may not be read."""
    blind = find_blind_answers(workspace)
    with connect_workspace(workspace) as server:
        return export_team_log(server, folder / "team.csv", blind), blind.left_out


def export_verdicts(workspace: Workspace, folder: Path, name: str = "") -> tuple[int, int]:
    """Return how many verdicts somebody exports, and how many they may not read."""
    blind = find_blind_answers(workspace, name)
    count = write_verdicts(workspace, folder / "verdicts.csv", CURATORS, blind.hides)
    return count, blind.left_out


def received_whole(workspace: Workspace) -> int:
    """The list that is no part."""
    return next(k.id for k in kept_lists(workspace) if PART_OF not in k.head.parameters)
