"""A team made, its members admitted, joined and left."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

from termexplorer.errors import UserError
from termexplorer.services.team.passwords import find_password, forget_password, keep_password
from termexplorer.services.verdicts.log import CURATORS, now
from termexplorer.services.verdicts.people import add_person, read_orcid
from termexplorer.store.team.members import (
    ROLES,
    TeamMember,
    admit_member,
    find_self,
    has_login,
)
from termexplorer.store.team.membership import (
    Membership,
    find_membership,
    forget_membership,
    keep_membership,
)
from termexplorer.store.team.server import TeamAddress, TeamServer, read_address
from termexplorer.store.team.shared import open_study
from termexplorer.store.team.upgrading import check_team_version, upgrade_team
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

__all__ = [
    "ROLES",
    "Membership",
    "TeamMember",
    "connect",
    "connect_workspace",
    "init_team",
    "join_team",
    "leave_team",
    "read_address",
    "read_membership",
]


@contextmanager
def connect(address: TeamAddress, password: str = "") -> Iterator[TeamServer]:
    """Open a connection to a team's database, which is closed after it.

    Args:
        address: of the database.
        password: to log in with; by default the one of the environment or the keyring.

    Raises:
        UserError: it is not reached, lets nobody in, or the extra `team` is missing.
    """
    server = TeamServer(address, password or find_password(address))
    try:
        yield server
    finally:
        server.close()


@contextmanager
def connect_workspace(workspace: Workspace, password: str = "") -> Iterator[TeamServer]:
    """Open a connection to the database of a workspace's team, which is closed after it.

    Args:
        workspace: that is in a team.
        password: see `connect`.

    Raises:
        UserError: the workspace is in no team, or as `connect`.
    """
    with connect(read_address(need_membership(workspace).address), password) as server:
        yield server


def init_team(
    address: TeamAddress,
    name: str,
    orcid: str = "",
    *,
    password: str = "",
    blind_curation: bool = False,
) -> TeamMember:
    """Make the tables, roles and rules of a team, or bring them up to date; everything stays.

    Args:
        address: of a database that its owner logs in to, who becomes the first author.
        name: the author's, as it will stand in the log.
        orcid: theirs.
        password: to log in with; see `connect`.
        blind_curation: whether curators see each other's verdicts on suggestions only when the
            author opens them; else from the start.

    Raises:
        UserError: no name, no such ORCID, or what the server refuses.
    """
    author = TeamMember(address.login, _read_person(name), read_orcid(orcid), "author")
    with connect(address, password) as server, server.transaction() as connection:
        upgrade_team(connection)
        is_new = find_self(connection) is None
        admit_member(connection, author)
        if is_new and not blind_curation:
            open_study(connection, CURATORS)
        return find_self(connection) or author


def admit(
    server: TeamServer, login: str, name: str, role: str = "curator", orcid: str = ""
) -> TeamMember:
    """Take somebody into the team, who has a login on the server already.

    Args:
        server: to which an author is connected.
        login: theirs.
        name: as it will stand in the log; of annotators as the study has it.
        role: reader, curator or author.
        orcid: theirs.

    Raises:
        UserError: no name, no such ORCID, role or login, or what the server refuses.
    """
    if role not in ROLES:
        raise UserError(tr("{role}: there are {roles}", role=role, roles=", ".join(ROLES)))
    member = TeamMember(login, _read_person(name), read_orcid(orcid), role)
    with server.transaction() as connection:
        check_team_version(connection)
        if not has_login(connection, login):
            raise UserError(
                tr(
                    "{login}: there is no such login on the server; who runs it makes one by "
                    "`createuser --pwprompt {login}`",
                    login=login,
                )
            )
        admit_member(connection, member)
    return member


def _read_person(name: str) -> str:
    person = " ".join(name.split())
    if not person:
        raise UserError(tr("give the member's name"))
    return person


def read_membership(workspace: Workspace) -> Membership | None:
    """Return the team that a workspace is in; None where it is in none."""
    with workspace.store.reading() as connection:
        return find_membership(connection)


def join_team(workspace: Workspace, address: TeamAddress, password: str = "") -> TeamMember:
    """Bind a workspace to a team; what is judged in it from now on, and before, is the team's.

    Args:
        workspace: that is in no team.
        address: of the team's database.
        password: which is tried, and then kept in the system's keyring where there is one; by
            default the one of the environment or the keyring.

    Raises:
        UserError: the workspace is in a team, the server lets nobody in, its version is another,
            or its author admitted nobody of this login.
    """
    if (current := read_membership(workspace)) is not None:
        raise UserError(
            tr(
                "the workspace is in the team {address} as {name}; leave it first by `termexplorer "
                "team leave`, or take another workspace",
                address=current.address,
                name=current.person,
            )
        )
    with connect(address, password) as server:
        member = check_member(server)
    if member.role != "reader":
        add_person(workspace, member.person, member.orcid)
    membership = Membership(address.shown, member.person, member.orcid, uuid4().hex, now())
    with workspace.store.writing() as connection:
        keep_membership(connection, membership)
    if password:
        keep_password(address, password)
    return member


def check_member(server: TeamServer) -> TeamMember:
    """Return who is logged in, at a server of this program's version.

    Raises:
        UserError: another version, or the author admitted nobody of this login.
    """
    with server.transaction() as connection:
        check_team_version(connection)
        member = find_self(connection)
    if member is None:
        raise UserError(
            tr(
                "{login} is not in the team yet; its author admits them by `termexplorer team "
                'admit {login} "NAME"`',
                login=server.address.login,
            )
        )
    return member


def check_author(server: TeamServer) -> None:
    """Refuse what only an author may do.

    Raises:
        UserError: the member is none.
    """
    member = check_member(server)
    if member.role != "author":
        raise UserError(
            tr(
                "only an author of the team may do this; {name} is {role} there",
                name=member.person,
                role=member.role or "–",
            )
        )


def leave_team(workspace: Workspace) -> Membership:
    """Leave a team; the log stays as it is, and what was not sent is not sent any more.

    Raises:
        UserError: the workspace is in none.
    """
    membership = need_membership(workspace)
    with workspace.store.writing() as connection:
        forget_membership(connection)
    forget_password(read_address(membership.address))
    return membership


def need_membership(workspace: Workspace) -> Membership:
    """Return the team that a workspace is in.

    Raises:
        UserError: it is in none.
    """
    membership = read_membership(workspace)
    if membership is None:
        raise UserError(
            tr("the workspace is in no team; join one by `termexplorer team join ADDRESS`")
        )
    return membership
