"""The fault loop of workers, small: nothing is lost, doubled or different."""

from pathlib import Path

import pytest

from termexplorer.bench.figure import BenchContext
from termexplorer.bench.team.cluster import find_postgres
from termexplorer.bench.work.run import run


@pytest.mark.timeout(900)
def test_workers_that_are_killed_lose_and_double_nothing(tmp_path: Path) -> None:
    figures = run(BenchContext(True, None, tmp_path))
    file, server, study = figures
    assert file.ok
    assert server.ok is (None if find_postgres() is None else True)
    assert study.ok
    work = study.details["work"]
    assert isinstance(work, dict)
    assert all(table["kills"] >= 25 and not table["lost"] for table in work["tables"])
