"""Processes that keep a machine busy for a measurement end with what measures."""

import subprocess
import sys

import pytest

_MEASURES = """
from termexplorer.bench.windows.neighbours import busy_neighbours
with busy_neighbours(1):
    print("busy", flush=True)
    input()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="a killed parent is seen as on Linux")
def test_they_end_even_if_what_measures_is_killed() -> None:
    command = [sys.executable, "-c", _MEASURES]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as measures:
        assert measures.stdout is not None
        assert measures.stdout.readline() == "busy\n"
        measures.kill()
        # a neighbour has the output open until it ends
        assert measures.stdout.read() == ""
