"""When a process that does nothing but wait is held up: what that is, the machine does.

One is tied to each core where the system can do that. Prints when ticks came late, in seconds of
the clock that all processes share. Run it beside what is measured.
"""

import json
import multiprocessing
import os
import sys
import time
from functools import partial

_TICK = 0.002  # seconds, as the window's
_LATE = 0.01  # seconds; sooner, it may be what is measured that had the core

Pause = tuple[float, float]


def pauses(seconds: float, core: int) -> list[Pause]:
    """Ticks for so long on a core; returns when it was not let."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})
    last = time.perf_counter()
    end, late = last + seconds, []
    while last < end:
        time.sleep(_TICK)
        now = time.perf_counter()
        if now - last > _LATE:
            late.append((last + _TICK, now))
        last = now
    return late


def without(began: float, ended: float, late: list[Pause]) -> float:
    """How much of a time is left, in seconds, without the pauses in it; they may overlap."""
    left = 0.0
    for start, stop in sorted(late):
        if stop > began:
            left += max(min(start, ended) - began, 0.0)
            began = max(began, min(stop, ended))
    return left + max(ended - began, 0.0)


def main(seconds: float) -> None:
    """Prints the pauses of all cores as JSON."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]
    with multiprocessing.Pool(len(cores)) as pool:
        late_pauses = pool.map(partial(pauses, seconds), cores, chunksize=1)
    print(json.dumps({"pauses": sorted(pause for late in late_pauses for pause in late)}))  # noqa: T201


if __name__ == "__main__":
    main(float(sys.argv[1]))
