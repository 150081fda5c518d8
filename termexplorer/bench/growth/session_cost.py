"""What a command costs with all processes that it starts, on Linux."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_EVERY = 0.1  # seconds between two looks
_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_SESSION, _USER, _SYSTEM = 3, 11, 12  # of what follows the name in /proc/PID/stat
_PROGRAM = str(Path(sys.executable).with_name("termexplorer"))


@dataclass(frozen=True, slots=True)
class SessionCost:
    """What a command took.

    Attributes:
        seconds: of wall time.
        cpu: seconds of all its processes.
        megabytes: the most that they held at a time, pages of files aside.
    """

    seconds: float
    cpu: float
    megabytes: float


def measure_command(words: Sequence[str]) -> SessionCost:
    """Run a command of the program and return what it cost.

    Raises:
        subprocess.CalledProcessError: it failed; its standard error was shown.
    """
    start, most = time.perf_counter(), 0.0
    process = subprocess.Popen(  # noqa: S603 - ourselves
        [_PROGRAM, *words], stdout=subprocess.DEVNULL, start_new_session=True
    )
    spent: dict[int, float] = {}
    while process.poll() is None:
        held = 0.0
        for pid, cpu, megabytes in _list_session(process.pid):
            spent[pid] = cpu
            held += megabytes
        most = max(most, held)
        time.sleep(_EVERY)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, words)
    return SessionCost(time.perf_counter() - start, sum(spent.values()), most)


def _list_session(session: int) -> list[tuple[int, float, float]]:
    """Return id, processor seconds and megabytes of each process of a session."""
    processes = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(fields[_SESSION]) == session:
                cpu = (int(fields[_USER]) + int(fields[_SYSTEM])) / _TICKS
                processes.append((int(folder.name), cpu, _read_megabytes(folder / "status")))
        except (OSError, IndexError, ValueError):  # it has ended
            continue
    return processes


def _read_megabytes(status: Path) -> float:
    lines = (line for line in status.read_text().splitlines() if line.startswith("RssAnon"))
    return next((int(line.split()[1]) / 1024 for line in lines), 0.0)
