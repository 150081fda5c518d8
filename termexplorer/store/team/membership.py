"""Which team a workspace is in."""

from dataclasses import asdict, dataclass

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from termexplorer.store.tables.team import TeamListRow, TeamMembershipRow, TeamRow


@dataclass(frozen=True, slots=True)
class Membership:
    """The team of a workspace.

    Attributes:
        address: of its database, without a password.
        person: as whom verdicts are sent.
        orcid: theirs, or "".
        device: tells the workspace's chains from all others.
        joined_at: ISO 8601 in UTC.
    """

    address: str
    person: str
    orcid: str
    device: str
    joined_at: str


def find_membership(connection: Connection) -> Membership | None:
    """Return the team of the workspace; None where it is in none."""
    columns = [getattr(TeamMembershipRow, name) for name in Membership.__slots__]
    row = connection.execute(select(*columns)).first()
    return None if row is None else Membership(*row)


def keep_membership(connection: Connection, membership: Membership) -> None:
    """Write down the team of the workspace, which is in none."""
    connection.execute(insert(TeamMembershipRow).values(id=1, **asdict(membership)))


def begin_new_chains(connection: Connection, device: str) -> None:
    """Have what is sent from now on stand in chains of its own."""
    connection.execute(update(TeamMembershipRow).values(device=device))


def change_address(connection: Connection, address: str) -> None:
    """Have the workspace reach its team at another address."""
    connection.execute(update(TeamMembershipRow).values(address=address))


def send_anew(connection: Connection, device: str) -> None:
    """Have all that was sent from here be sent once more, where nobody else has it, in new chains.

    To be called where the server has lost rows; those who have them know them again.
    """
    current = select(TeamMembershipRow.device).scalar_subquery()
    connection.execute(delete(TeamRow).where(TeamRow.device == current))
    begin_new_chains(connection, device)


def forget_membership(connection: Connection) -> None:
    """Leave the team; the log of verdicts stays as it is, with what came from the others."""
    connection.execute(delete(TeamMembershipRow))
    connection.execute(delete(TeamRow))
    connection.execute(delete(TeamListRow))


def list_known_lists(connection: Connection) -> set[str]:
    """Return the keys of the lists of suggestions that came from the team, or were shared."""
    return set(connection.scalars(select(TeamListRow.key)))


def keep_known_list(connection: Connection, key: str) -> None:
    """Write down that a list of suggestions is here, or was."""
    connection.execute(upsert(TeamListRow).on_conflict_do_nothing().values(key=key))
