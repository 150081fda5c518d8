"""The number of threads that a user asks for holds for every library."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from termexplorer.trainer.tensors.cores import count_cores, share_cores

_RESTRICTED = """
from termexplorer.workers.process.child import restrict
from termexplorer.workers.process.protocol import Limits
restrict(Limits(), behind=False)
import os, torch
print(torch.get_num_threads(), os.environ["RAYON_NUM_THREADS"], os.environ["OPENBLAS_NUM_THREADS"])
"""


@pytest.mark.parametrize(("asked", "expected"), [("3", 3), ("2,1", 2)])
def test_the_number_that_was_asked_for_is_taken(
    monkeypatch: pytest.MonkeyPatch, asked: str, expected: int
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", asked)
    assert count_cores() == expected


@pytest.mark.parametrize("asked", ["", "0", "many", "-1"])
def test_what_is_no_number_leaves_all_cores(monkeypatch: pytest.MonkeyPatch, asked: str) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    every = count_cores()
    monkeypatch.setenv("OMP_NUM_THREADS", asked)
    assert count_cores() == every >= 1


def test_a_child_has_no_more_threads_than_were_asked_for() -> None:
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    run = subprocess.run(
        [sys.executable, "-c", _RESTRICTED], capture_output=True, text=True, env=environment
    )
    assert run.stdout.split() == ["1", "1", "1"], run.stderr


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="the system cannot")
def test_more_threads_than_were_asked_for_share_the_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    before = os.sched_getaffinity(0)
    with share_cores(), ThreadPoolExecutor(1) as pool:
        assert len(pool.submit(os.sched_getaffinity, 0).result()) == 1
    assert os.sched_getaffinity(0) == before
