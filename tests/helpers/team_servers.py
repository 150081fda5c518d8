"""Teams on a real PostgreSQL server, one for all tests of a process."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path

import pytest

from termexplorer.bench.durability import make_study_workspace
from termexplorer.bench.team.cluster import OWNER, Cluster, find_postgres
from termexplorer.services.team.joining import (
    admit,
    connect,
    init_team,
    join_team,
    read_address,
)
from termexplorer.services.team.sharing import share_study
from termexplorer.services.team.sync import SyncCounts, TeamSync
from termexplorer.workspace import Workspace

_NUMBERS = count(1)
_TEMPLATE = "new_team"


class ToyTeam:
    """A team in a database of its own: Lead, its author, and members by login.

    Attributes:
        cluster: the server.
        database: its name.
    """

    def __init__(self, cluster: Cluster, folder: Path) -> None:
        self.cluster = cluster
        self.database = f"team{next(_NUMBERS)}"
        self._folder = folder
        cluster.run_sql(f"CREATE DATABASE {self.database} TEMPLATE {_TEMPLATE} STRATEGY file_copy")

    def close(self) -> None:
        """Drop its database, whoever is connected to it."""
        self.cluster.run_sql(f"DROP DATABASE {self.database} WITH (FORCE)")

    def address(self, login: str) -> str:
        """Return where the team is."""
        return self.cluster.address(login, self.database)

    def admit(self, login: str, name: str, role: str = "curator") -> None:
        """Take somebody in."""
        self.cluster.add_logins(login)
        with connect(read_address(self.address(OWNER)), self.cluster.password) as server:
            admit(server, login, name, role)

    def join(self, login: str) -> Workspace:
        """Return a workspace that is in the team, in a folder named by the login."""
        workspace = Workspace(self._folder / login)
        join_team(workspace, read_address(self.address(login)), self.cluster.password)
        return workspace

    @contextmanager
    def connected(self, workspace: Workspace, login: str) -> Iterator[TeamSync]:
        """Connect a workspace to the team."""
        with connect(read_address(self.address(login)), self.cluster.password) as server:
            yield TeamSync(workspace, server)

    def sync(self, workspace: Workspace, login: str) -> SyncCounts:
        """Do one round."""
        with self.connected(workspace, login) as connected:
            return connected.sync()

    def share_study(self, names: list[str]) -> Path:
        """Share a study of pairs in which people judge; return the author's workspace."""
        folder = make_study_workspace(self._folder / "author", names)
        with closing(Workspace(folder)) as workspace:
            join_team(workspace, read_address(self.address(OWNER)), self.cluster.password)
            with connect(read_address(self.address(OWNER)), self.cluster.password) as server:
                share_study(workspace, server, 1)
        return folder

    def sql(self, statement: str, login: str) -> str:
        """Run SQL as somebody, past the program."""
        return self.cluster.run_sql(statement, login, self.database)


@contextmanager
def started_cluster() -> Iterator[Cluster]:
    """Start a server without waits for the disk, with a database that teams are copies of."""
    if find_postgres() is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt install postgresql)")
    with closing(Cluster(synced=False)) as cluster:
        cluster.run_sql(f"CREATE DATABASE {_TEMPLATE}")
        init_team(
            read_address(cluster.address(OWNER, _TEMPLATE)), "Lead", password=cluster.password
        )
        yield cluster
