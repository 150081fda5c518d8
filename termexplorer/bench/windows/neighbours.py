"""Processes that take all the time that they get, as other programs on a busy machine do."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

NEIGHBOURS = 2
_SPIN = """
import os, sys
while os.getppid() == int(sys.argv[1]):  # they end with what measures, even if it is killed
    pass
"""


@contextmanager
def busy_neighbours(count: int = NEIGHBOURS) -> Iterator[None]:
    """Have so many processes spin meanwhile, with the priority that programs usually have."""
    spin = [sys.executable, "-c", _SPIN, str(os.getpid())]
    neighbours = [subprocess.Popen(spin) for _ in range(count)]  # noqa: S603 - ourselves
    try:
        yield
    finally:
        for neighbour in neighbours:
            neighbour.kill()
            neighbour.wait()
