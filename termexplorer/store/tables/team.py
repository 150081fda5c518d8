"""The typed tables of what a workspace keeps of its team."""

from sqlalchemy import Index
from sqlalchemy.orm import Mapped, mapped_column

from termexplorer.store.tables.releases import Base


class TeamMembershipRow(Base):
    """The team that the workspace is in; one row, or none."""

    __tablename__ = "team_membership"

    id: Mapped[int] = mapped_column(primary_key=True)
    address: Mapped[str]  # without a password
    person: Mapped[str]  # as whom verdicts are sent
    orcid: Mapped[str]
    device: Mapped[str]  # tells the workspace's chains from all others
    joined_at: Mapped[str]


class TeamRow(Base):
    """A row of a chain of the team, which is a row of the log here."""

    __tablename__ = "team_row"

    device: Mapped[str] = mapped_column(primary_key=True)
    study: Mapped[str] = mapped_column(primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True)  # from 1
    link: Mapped[str]  # hash of all of the chain up to here
    identity: Mapped[str]  # hash of the row where it was written first
    row_id: Mapped[int]  # of the log here
    server_time: Mapped[str]  # when it came to the server; empty where that was not told


Index("team_row_of", TeamRow.row_id)
Index("team_row_identity", TeamRow.identity)


class TeamListRow(Base):
    """A list of suggestions that came from the team, or was shared from here."""

    __tablename__ = "team_list"

    key: Mapped[str] = mapped_column(primary_key=True)  # the hash of its content
