"""What each role may read and write on a team's server, tried by SQL, past the program."""

import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from team_servers import ToyTeam

from termexplorer.bench.durability import judge_some
from termexplorer.errors import UserError
from termexplorer.services.team.joining import admit, connect, init_team, join_team, read_address
from termexplorer.services.team.sharing import open_to_all, share_study
from termexplorer.store.team.members import list_members, list_presence, tell_presence
from termexplorer.workspace import Workspace

HOSTILE = (
    "x'); DROP TABLE termexplorer.verdict; --",
    '"; DROP SCHEMA termexplorer CASCADE; --',
    "$$; SELECT pg_sleep(9); $$",
    ":person\\:x %s %(x)s",
    "<script>alert(1)</script>",
)
VERDICTS = "SELECT count(*) FROM termexplorer.verdict"
ADD = (
    "INSERT INTO termexplorer.verdict (device, study, seq, judge, orcid, identity, undoes, content,"
    " row_hash, before) VALUES ('{device}', '{study}', 1, '{judge}', '', '{hash}', '', '{{}}', "
    "'{hash}', '{zeros}')"
)


def add(judge: str, study: str = "", device: str = "d" * 32) -> str:
    hash_ = "a" * 64
    return ADD.format(judge=judge, study=study, device=device, hash=hash_, zeros="0" * 64)


def refused(team: ToyTeam, login: str, statement: str) -> str:
    with pytest.raises(subprocess.CalledProcessError) as error:
        team.sql(statement, login)
    return str(error.value.stderr)


@pytest.fixture
def judged(team: ToyTeam) -> ToyTeam:
    """A team whose study Anna has judged some of; Ben judges in it too, Rita only reads."""
    for login, name, role in (("anna", "Anna", "curator"), ("ben", "Ben", "curator")):
        team.admit(login, name, role)
    team.admit("rita", "Rita", "reader")
    team.share_study(["Anna", "Ben"])
    with closing(team.join("anna")) as anna:
        team.sync(anna, "anna")
        judge_some(anna.folder, 2)
        team.sync(anna, "anna")
    return team


def test_others_verdicts_and_packs_are_hidden_until_the_author_opens_them(judged: ToyTeam) -> None:
    packs = "SELECT string_agg(annotator, ' ' ORDER BY annotator) FROM termexplorer.pack"
    chains = "SELECT count(*) FROM termexplorer.chain"
    seen = {
        login: tuple(judged.sql(query, login) for query in (VERDICTS, chains, packs))
        for login in ("anna", "ben", "rita", "lead")
    }
    assert seen["anna"] == ("2", "1", "Anna")
    assert seen["ben"] == ("0", "0", "Ben")
    assert seen["rita"] == ("0", "0", "")
    assert seen["lead"] == ("2", "1", "Anna Ben")
    study = judged.sql("SELECT DISTINCT study FROM termexplorer.pack", "lead")
    judged.sql(f"INSERT INTO termexplorer.opening (study) VALUES ('{study}')", "lead")
    assert {judged.sql(VERDICTS, login) for login in ("anna", "ben", "rita", "lead")} == {"2"}


TRICKS = (
    "SET ROLE termexplorer_author; " + VERDICTS,
    "SET SESSION AUTHORIZATION anna; " + VERDICTS,
    "SET row_security = off; " + VERDICTS,
    "SELECT content FROM termexplorer.verdict ORDER BY position FOR UPDATE",
    "COPY termexplorer.verdict TO STDOUT; SET ROLE termexplorer_author",
    "ALTER TABLE termexplorer.verdict DISABLE ROW LEVEL SECURITY",
    "CREATE OR REPLACE FUNCTION termexplorer.is_author() RETURNS boolean LANGUAGE sql "
    "AS 'SELECT true'",
    "INSERT INTO termexplorer.opening (study) SELECT study FROM termexplorer.pack",
    "INSERT INTO termexplorer.member (login, person) VALUES ('ben', 'Anna')",
    "UPDATE termexplorer.member SET person = 'Anna'",
    "UPDATE termexplorer.verdict SET judge = 'Ben'",
    "DELETE FROM termexplorer.verdict",
    "TRUNCATE termexplorer.verdict",
    "UPDATE termexplorer.chain SET login = 'ben'",
    "UPDATE termexplorer.presence SET login = 'anna'",
    "INSERT INTO termexplorer.pack (study, annotator, title, content, turns) "
    "VALUES ('s', 'Ben', '', '', 1)",
    "GRANT termexplorer_author TO ben",
)


def test_who_annotates_cannot_get_around_it(judged: ToyTeam) -> None:
    for trick in TRICKS:
        assert "ERROR" in refused(judged, "ben", trick), trick


def test_nobody_speaks_for_another(judged: ToyTeam) -> None:
    study = judged.sql("SELECT DISTINCT study FROM termexplorer.pack", "lead")
    assert "row-level security" in refused(judged, "ben", add("Anna"))
    assert "row-level security" in refused(judged, "ben", add("Ben", "another study"))
    assert "permission denied" in refused(judged, "rita", add("Rita"))
    device = judged.sql("SELECT device FROM termexplorer.chain", "anna")
    assert "another member" in refused(judged, "ben", add("Ben", study, device))
    for column, value in (("server_time", "2026-01-01"), ("login", "anna"), ("link", "x")):
        forged = add("Ben").replace("before)", f"before, {column})")
        forged = forged.replace("000')", f"000', '{value}')")
        assert "permission denied" in refused(judged, "ben", forged)
    judged.sql(add("Ben"), "ben")
    assert judged.sql("SELECT login FROM termexplorer.verdict WHERE judge = 'Ben'", "ben") == "ben"


def test_the_log_is_only_added_to_even_by_who_owns_it(judged: ToyTeam) -> None:
    for change in ("DELETE FROM", "TRUNCATE"):
        assert "only ever added to" in refused(judged, "lead", f"{change} termexplorer.verdict")


def test_a_chain_has_no_gap_and_no_second_row_of_one_number(team: ToyTeam) -> None:
    team.admit("ben", "Ben")
    team.sql(add("Ben"), "ben")
    team.sql(add("Ben"), "ben")  # again, which changes nothing
    assert team.sql(VERDICTS, "ben") == "1"
    other = add("Ben").replace("a" * 64, "b" * 64)
    assert "goes on otherwise" in refused(team, "ben", other)
    assert "missing before" in refused(team, "ben", other.replace(", 1, ", ", 3, "))


def test_hostile_texts_stay_texts(team: ToyTeam) -> None:
    with connect(read_address(team.address("lead")), team.cluster.password) as server:
        for number, hostile in enumerate(HOSTILE):
            with pytest.raises(UserError, match="no such login"):
                admit(server, hostile, "Ben")
            team.cluster.add_logins(f"hostile{number}")
            admit(server, f"hostile{number}", hostile)
            with server.transaction() as connection:
                tell_presence(connection, hostile, 0)
                assert [presence.works_on for presence in list_presence(connection)] == [hostile]
                assert list_members(connection)[-1].person == hostile


def test_a_login_with_quotes_in_its_name_is_admitted(team: ToyTeam) -> None:
    login = 'b"e:n'
    quoted = login.replace('"', '""')
    team.cluster.run_sql(f'DROP ROLE IF EXISTS "{quoted}"')
    team.cluster.run_sql(f'CREATE ROLE "{quoted}" LOGIN')
    with connect(read_address(team.address("lead")), team.cluster.password) as server:
        admit(server, login, "Ben")
    assert (
        team.sql(f"SELECT pg_has_role('{login}', 'termexplorer_curator', 'member')", "lead") == "t"
    )
    team.cluster.run_sql(f'DROP OWNED BY "{quoted}"')


def test_only_an_author_shares_opens_and_admits(judged: ToyTeam, tmp_path: Path) -> None:
    with closing(Workspace(tmp_path / "ben")) as ben:
        join_team(ben, read_address(judged.address("ben")), judged.cluster.password)
        with connect(read_address(judged.address("ben")), judged.cluster.password) as server:
            for act in (share_study, open_to_all):
                with pytest.raises(UserError, match="only an author"):
                    act(ben, server, 1)
            with pytest.raises(UserError, match="does not allow"):
                admit(server, "rita", "Anna 2", "author")


def test_passwords_stand_in_no_address_and_no_message(team: ToyTeam) -> None:
    secret = "-".join(("hunter", "two"))
    with pytest.raises(UserError) as error:
        read_address(f"postgresql://ben:{secret}@127.0.0.1/x")
    assert secret not in str(error.value)
    team.admit("ben", "Ben")
    with (
        pytest.raises(UserError, match="password is wrong") as error,
        connect(read_address(team.address("ben")), secret),
    ):
        pass
    assert secret not in str(error.value)
    assert error.value.__cause__ is None


@pytest.mark.parametrize(
    ("address", "part"),
    [
        ("nonsense", "no address of a database"),
        ("postgresql://h:port/x", "no address of a database"),
        ("sqlite:///x", "no address of PostgreSQL"),
        ("postgresql://127.0.0.1/x", "no name to log in"),
        ("postgresql://ben@127.0.0.1", "no database"),
    ],
)
def test_addresses_that_are_none(address: str, part: str) -> None:
    with pytest.raises(UserError, match=part):
        read_address(address)


def test_another_host_is_reached_by_tls_alone() -> None:
    assert dict(read_address("postgresql://ben@team.example.org/x").url.query) == {
        "sslmode": "require"
    }


def test_what_is_wrong_with_a_server_is_told(team: ToyTeam, tmp_path: Path) -> None:
    team.cluster.add_logins("nobody")
    team.cluster.run_sql("DROP DATABASE IF EXISTS bare")
    team.cluster.run_sql("CREATE DATABASE bare")
    for address, part in (
        (team.cluster.address("lead", "bare"), "no team's yet"),
        (team.cluster.address("lead", "missing"), "no such database"),
        (team.cluster.address("lead", "bare", port=1), "not reached"),
        (team.address("nobody"), "no team's yet|does not allow"),
    ):
        with closing(Workspace(tmp_path / "w")) as w, pytest.raises(UserError, match=part):
            join_team(w, read_address(address), team.cluster.password)


def test_both_sides_hold_the_version(team: ToyTeam) -> None:
    team.admit("anna", "Anna")
    for version, part in (("0000", "team init"), ("9999", "update this program")):
        team.sql(f"UPDATE termexplorer.schema_version SET version_num = '{version}'", "lead")
        with pytest.raises(UserError, match=part):
            team.join("anna")
    with pytest.raises(UserError, match="update this program"):
        init_team(read_address(team.address("lead")), "Lead", password=team.cluster.password)
