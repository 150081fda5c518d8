"""Processes that a process began, and those that they began, as Linux tells them."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path


def list_ancestors(process: int) -> Iterator[int]:
    """Yield the parent of a process, its parent, and so on."""
    while process > 1:
        status = Path(f"/proc/{process}/stat").read_text("utf-8")
        process = int(status.rpartition(")")[2].split()[1])
        yield process


def find_descendants(process: int, word: str) -> list[int]:
    """Return what a process began, at once or by others, whose command line has a word."""
    descendants = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
            if word.encode() in words and process in list_ancestors(int(folder.name)):
                descendants.append(int(folder.name))
        except OSError:  # it has ended
            continue
    return descendants


def kill_all(processes: list[int]) -> int:
    """Kill processes; return how many."""
    for process in processes:
        os.kill(process, signal.SIGKILL)
    return len(processes)


def wait_for_end(processes: list[int], seconds: float) -> list[int]:
    """Wait until processes have ended; return those that have not after some time."""
    end = time.monotonic() + seconds
    while (left := [p for p in processes if _is_running(p)]) and time.monotonic() < end:
        time.sleep(0.05)
    return left


def _is_running(process: int) -> bool:
    try:
        status = Path(f"/proc/{process}/stat").read_text("utf-8")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"
