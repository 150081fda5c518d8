"""Processes that take all the time that they get, as other programs on a busy machine do."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

NEIGHBOURS = 2


@contextmanager
def busy_neighbours(count: int = NEIGHBOURS) -> Iterator[None]:
    """Have so many processes spin meanwhile, with the priority that programs usually have."""
    spin = [sys.executable, "-c", "while True: pass"]
    neighbours = [subprocess.Popen(spin) for _ in range(count)]  # noqa: S603 - ourselves
    try:
        yield
    finally:
        for neighbour in neighbours:
            neighbour.kill()
            neighbour.wait()
