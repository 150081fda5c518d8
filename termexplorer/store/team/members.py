"""Who is in a team, in which role, and who is there: rows of its database."""

from dataclasses import dataclass

from sqlalchemy import Connection, text

_ROLE_RANK = ("author", "curator", "reader")
ROLES = ("reader", "curator", "author")
_ROLE_NAMES = {role: f"termexplorer_{role}" for role in ROLES}


@dataclass(frozen=True, slots=True)
class TeamMember:
    """Somebody in a team.

    Attributes:
        login: under which they log in.
        person: as whom their verdicts stand in the log.
        orcid: theirs, or "".
        role: reader, curator or author; "" where the database gave none.
    """

    login: str
    person: str
    orcid: str
    role: str


@dataclass(frozen=True, slots=True)
class Presence:
    """Who is there, or was lately.

    Attributes:
        person: their name.
        seen_at: when their program told, by the server's clock.
        works_on: what they look at, in words; "" where that is not told.
        unsent: how many of their verdicts were still to be sent.
        is_here: whether they were heard of within the last minute.
    """

    person: str
    seen_at: str
    works_on: str
    unsent: int
    is_here: bool


def admit_member(connection: Connection, member: TeamMember) -> None:
    """Give a login of the server a role in the team, and bind it to a person.

    Args:
        connection: of the author.
        member: whom; somebody who is in the team keeps their person.
    """
    quoted = connection.dialect.identifier_preparer.quote_identifier(member.login)
    connection.execute(text(f"GRANT {_ROLE_NAMES[member.role]} TO {_escape_colons(quoted)}"))
    add = (
        "INSERT INTO termexplorer.member (login, person, orcid) VALUES (:login, :person, :orcid) "
        "ON CONFLICT (login) DO NOTHING"
    )
    values = {"login": member.login, "person": member.person, "orcid": member.orcid}
    connection.execute(text(add), values)


def _escape_colons(identifier: str) -> str:
    return identifier.replace(":", "\\:")  # text() would take a name after one as a parameter


def has_login(connection: Connection, login: str) -> bool:
    """Return whether the server lets somebody log in under a name."""
    query = "SELECT 1 FROM pg_roles WHERE rolname = :login AND rolcanlogin"
    return connection.scalar(text(query), {"login": login}) is not None


def find_self(connection: Connection) -> TeamMember | None:
    """Return who is logged in; None where the author admitted nobody of that login."""
    query = "SELECT login, person, orcid FROM termexplorer.member WHERE login = session_user"
    row = connection.execute(text(query)).first()
    if row is None:
        return None
    login, person, orcid = row
    return TeamMember(login, person, orcid, _find_role(connection))


def list_members(connection: Connection) -> list[TeamMember]:
    """Return all members, in the order in which they were admitted."""
    query = (
        "SELECT login, person, orcid, "
        "CASE WHEN pg_has_role(login, 'termexplorer_author', 'member') THEN 'author' "
        "WHEN pg_has_role(login, 'termexplorer_curator', 'member') THEN 'curator' "
        "ELSE 'reader' END FROM termexplorer.member "
        "WHERE EXISTS (SELECT 1 FROM pg_roles WHERE rolname = login) ORDER BY admitted_at, login"
    )
    return [TeamMember(*row) for row in connection.execute(text(query))]


def _find_role(connection: Connection) -> str:
    query = text("SELECT pg_has_role(session_user, :role, 'member')")
    for role in _ROLE_RANK:
        if connection.scalar(query, {"role": _ROLE_NAMES[role]}):
            return role
    return ""


def tell_presence(connection: Connection, works_on: str, unsent: int) -> None:
    """Tell the team that one is there."""
    add = (
        "INSERT INTO termexplorer.presence (works_on, unsent) VALUES (:works_on, :unsent) "
        "ON CONFLICT (login) DO UPDATE SET seen_at = now(), works_on = excluded.works_on, "
        "unsent = excluded.unsent"
    )
    connection.execute(text(add), {"works_on": works_on[:999], "unsent": unsent})


def list_presence(connection: Connection) -> list[Presence]:
    """Return who was there, the latest first."""
    query = (
        "SELECT person, p.seen_at, p.works_on, p.unsent, p.seen_at > now() - interval '1 minute' "
        "FROM termexplorer.presence p JOIN termexplorer.member USING (login) "
        "ORDER BY p.seen_at DESC, person"
    )
    return [
        Presence(person, seen_at.isoformat(timespec="seconds"), works_on, unsent, is_here)
        for person, seen_at, works_on, unsent, is_here in connection.execute(text(query))
    ]
