"""Lists of suggestions go to all members who have the releases, and stay away once removed."""

from contextlib import closing
from pathlib import Path

from team_servers import ToyTeam
from toy_reviews import keep, suggested
from toy_workspace import opened_copy

from termexplorer.services.curate.suggestion_lists import kept_lists, read_list, remove_list
from termexplorer.services.team.joining import connect, join_team, read_address
from termexplorer.services.team.lists import share_list
from termexplorer.services.team.status import read_status


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
