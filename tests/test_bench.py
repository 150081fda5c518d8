"""What every bench has in common."""

import os

import pytest

from termexplorer.bench import bench


def test_a_bench_runs_with_threads_that_wait_as_in_the_children(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OMP_WAIT_POLICY", "ACTIVE")
    assert callable(bench("levels"))
    assert callable(bench("gate"))  # in a folder
    assert os.environ["OMP_WAIT_POLICY"] == "PASSIVE"
