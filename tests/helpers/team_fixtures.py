"""Fixtures of tests that need a team: a real PostgreSQL server, and a team of its own for each."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from team_servers import ToyTeam, started_cluster

from termexplorer.bench.team.cluster import Cluster


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A server; the test is skipped where PostgreSQL is missing."""
    with started_cluster() as cluster:
        yield cluster


@pytest.fixture
def team(cluster: Cluster, tmp_path: Path) -> Iterator[ToyTeam]:
    """A new team, of Lead alone, who is its author."""
    with closing(ToyTeam(cluster, tmp_path)) as team:
        yield team
