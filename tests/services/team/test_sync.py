"""Verdicts go to a team's server and come from it: each once, in any order, after any break."""

from contextlib import closing
from pathlib import Path

import pytest
from team_servers import ToyTeam

from termexplorer.bench.durability import judge_some
from termexplorer.errors import UserError
from termexplorer.services.studies.answers import merge_answers, write_answers
from termexplorer.services.studies.studies import studies_of
from termexplorer.services.team.joining import join_team, leave_team, read_address
from termexplorer.services.team.sharing import open_to_all
from termexplorer.services.verdicts.log import (
    Answer,
    Judge,
    VerdictSubject,
    check_log,
    give_verdict,
    judged,
    now,
    undo_verdict,
)
from termexplorer.store.judging.verdicts import counting
from termexplorer.store.team.incoming import compute_log_hash, count_refused
from termexplorer.workspace import Workspace

ANNA, BEN = Judge("Anna"), Judge("Ben")
Two = tuple[Workspace, Workspace]


def say(workspace: Workspace, judge: Judge, subject: str, answer: str = "correct") -> None:
    moment = now()
    about = VerdictSubject("skos:broadMatch", subject, "B")
    give_verdict(workspace, judge, about, Answer(answer, "", moment, moment, details={"x": 0.5}))


def said(workspace: Workspace) -> list[tuple[str, str, str]]:
    return sorted((v.judge.name, v.subject.subject, v.answer.answer) for v in judged(workspace))


def log_hash(workspace: Workspace) -> tuple[int, str]:
    with workspace.store.reading() as connection:
        return compute_log_hash(connection)


@pytest.fixture
def two(team: ToyTeam) -> Two:
    team.admit("anna", "Anna")
    team.admit("ben", "Ben")
    return team.join("anna"), team.join("ben")


def test_what_each_says_and_takes_back_comes_to_the_other(team: ToyTeam, two: Two) -> None:
    anna, ben = two
    say(anna, ANNA, "A1")  # before the first round, and offline
    say(anna, ANNA, "A2", "wrong")
    undo_verdict(anna, ANNA)
    say(ben, BEN, "A1", "unsure")
    assert team.sync(anna, "anna").sent == 3
    assert (team.sync(ben, "ben").received, team.sync(anna, "anna").received) == (3, 1)
    assert said(anna) == said(ben) == [("Anna", "A1", "correct"), ("Ben", "A1", "unsure")]
    assert log_hash(anna) == log_hash(ben)
    assert log_hash(anna)[0] == check_log(anna) == check_log(ben) == 4
    assert {team.sync(w, n).received for w, n in ((anna, "anna"), (ben, "ben"))} == {0}


def test_nobody_sends_what_another_said_at_the_same_desk(team: ToyTeam, two: Two) -> None:
    anna, ben = two
    say(anna, Judge("Guest"), "A1")
    team.sync(anna, "anna")
    team.sync(ben, "ben")
    assert said(ben) == []


def test_a_break_after_the_server_took_rows_doubles_nothing(
    team: ToyTeam, two: Two, monkeypatch
) -> None:
    anna, ben = two
    say(anna, ANNA, "A1")

    def die(*_arguments: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("termexplorer.services.team.sync.mark_sent", die)
        with pytest.raises(KeyboardInterrupt):
            team.sync(anna, "anna")
    say(anna, ANNA, "A2")
    team.sync(anna, "anna")
    team.sync(ben, "ben")
    assert said(anna) == said(ben) == [("Anna", "A1", "correct"), ("Anna", "A2", "correct")]
    assert log_hash(anna) == log_hash(ben)


def test_a_member_who_leaves_and_joins_again_doubles_nothing(team: ToyTeam, two: Two) -> None:
    anna, ben = two
    say(anna, ANNA, "A1")
    say(ben, BEN, "A1")
    undo_verdict(ben, BEN)
    for _ in range(2):
        team.sync(anna, "anna")
        team.sync(ben, "ben")
    leave_team(anna)
    say(anna, ANNA, "A2")
    with pytest.raises(UserError, match="team join"):
        team.sync(anna, "anna")
    join_team(anna, read_address(team.address("anna")), team.cluster.password)
    counts = team.sync(anna, "anna")
    assert (counts.received, counts.sent) == (0, 1)
    team.sync(ben, "ben")
    assert log_hash(anna) == log_hash(ben)
    assert check_log(anna) == 4


def test_a_copied_workspace_goes_on_beside_the_first(
    team: ToyTeam, two: Two, tmp_path: Path
) -> None:
    anna, ben = two
    say(anna, ANNA, "A1")
    team.sync(anna, "anna")
    (tmp_path / "copy").mkdir(mode=0o700)
    anna.store.save_copy(tmp_path / "copy" / "workspace.sqlite")
    with closing(Workspace(tmp_path / "copy")) as copy, team.connected(copy, "anna") as slow:
        say(anna, ANNA, "A2")
        say(copy, ANNA, "A3")
        team.sync(anna, "anna")
        slow.send_rows()  # without having received what the first one sent
        slow.sync()
        for workspace, login in ((anna, "anna"), (ben, "ben")):
            team.sync(workspace, login)
        assert log_hash(copy) == log_hash(anna) == log_hash(ben)
        assert [subject for _, subject, _ in said(ben)] == ["A1", "A2", "A3"]


def test_a_restored_workspace_gets_back_what_it_lost(
    team: ToyTeam, two: Two, tmp_path: Path
) -> None:
    anna, ben = two
    (tmp_path / "old").mkdir(mode=0o700)
    anna.store.save_copy(tmp_path / "old" / "workspace.sqlite")
    say(anna, ANNA, "A1")
    team.sync(anna, "anna")
    with closing(Workspace(tmp_path / "old")) as restored:
        say(restored, ANNA, "A2")
        team.sync(restored, "anna")
        team.sync(ben, "ben")
        assert said(restored) == said(ben)
        assert log_hash(restored) == log_hash(ben)


def test_a_server_put_back_to_an_older_state_gets_the_rest_again(team: ToyTeam, two: Two) -> None:
    anna, ben = two
    for subject in ("A1", "A2"):
        say(anna, ANNA, subject)
    team.sync(anna, "anna")
    team.sql("ALTER TABLE termexplorer.verdict DISABLE TRIGGER refuse_change", "lead")
    team.sql("DELETE FROM termexplorer.verdict", "lead")
    team.sql("DELETE FROM termexplorer.chain", "lead")
    team.sync(anna, "anna")
    team.sync(ben, "ben")
    assert log_hash(anna) == log_hash(ben)


def test_rows_that_were_changed_on_the_server_are_not_taken(team: ToyTeam, two: Two) -> None:
    anna, ben = two
    say(anna, ANNA, "A1")
    team.sync(anna, "anna")
    team.sql("ALTER TABLE termexplorer.verdict DISABLE TRIGGER refuse_change", "lead")
    team.sql(
        "UPDATE termexplorer.verdict SET content = replace(content, 'correct', 'wrong')", "lead"
    )
    team.sync(ben, "ben")
    assert said(ben) == []
    with ben.store.reading() as connection:
        assert count_refused(connection) == 1


def test_rows_missing_on_the_server_are_told(team: ToyTeam, two: Two) -> None:
    anna, ben = two
    for subject in ("A1", "A2"):
        say(anna, ANNA, subject)
    team.sync(anna, "anna")
    team.sql("ALTER TABLE termexplorer.verdict DISABLE TRIGGER refuse_change", "lead")
    team.sql("DELETE FROM termexplorer.verdict WHERE seq = 1", "lead")
    with pytest.raises(UserError, match="team check"):
        team.sync(ben, "ben")


def test_annotators_judge_a_shared_study_blind_until_it_is_opened(team: ToyTeam) -> None:
    team.admit("anna", "Anna")
    team.admit("ben", "Ben")
    folder = team.share_study(["Anna", "Ben"])
    anna, ben = team.join("anna"), team.join("ben")
    assert [team.sync(anna, "anna").packs, team.sync(ben, "ben").packs] == [1, 1]
    judge_some(anna.folder, 5)
    team.sync(anna, "anna")
    assert team.sync(ben, "ben").received == 0
    with closing(Workspace(folder)) as author:
        assert team.sync(author, "lead").received == 5
        key = studies_of(author)[0].head.key
        with author.store.reading() as connection:
            assert {row.judge.name for row in counting(connection, key)} == {"Anna"}
        with team.connected(author, "lead") as connected:
            open_to_all(author, connected._server, 1)
    counts = team.sync(ben, "ben")
    assert (counts.packs, counts.received) == (1, 5)
    assert log_hash(ben) == log_hash(anna)


def test_answers_that_came_by_file_and_by_the_team_are_one(team: ToyTeam, tmp_path: Path) -> None:
    team.admit("anna", "Anna")
    folder = team.share_study(["Anna", "Ben"])
    anna = team.join("anna")
    team.sync(anna, "anna")
    judge_some(anna.folder, 3)
    write_answers(anna, 1, "Anna", tmp_path / "anna.answers")
    with closing(Workspace(folder)) as author:
        merge_answers(author, [tmp_path / "anna.answers"])
        team.sync(author, "lead")  # who sends them before Anna does
        team.sync(anna, "anna")
        team.sync(author, "lead")
        assert check_log(author) == check_log(anna) == 3
        assert log_hash(author) == log_hash(anna)
