"""How many processor cores may be used."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_ASKED = "OMP_NUM_THREADS"


def count_cores() -> int:
    """Return ``OMP_NUM_THREADS`` where it is set, and else the cores that this process may use."""
    asked = os.environ.get(_ASKED, "").partition(",")[0].strip()
    if asked.isdecimal() and int(asked):
        return int(asked)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def share_cores() -> Iterator[None]:
    """Have the threads that begin within a ``with`` share as many cores as ``count_cores`` says.

    For libraries that begin more threads than were asked for; where the system cannot, it does
    nothing.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    some = sorted(allowed)[: count_cores()]
    with suppress(OSError):
        os.sched_setaffinity(0, some)
    try:
        yield
    finally:
        with suppress(OSError):
            os.sched_setaffinity(0, allowed)
