"""Mutations of a group's files in children; after one that dies or hangs the next is started."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

_MODULE = "termexplorer.bench.mutations.child"
_STARTS = 120.0  # seconds in which sound files are made
_LONGEST = 20.0  # seconds of one damaged file
_TOLD = 4000  # characters of a child's last words


def try_mutations(group: str, count: int, seed: int) -> Iterator[tuple[int, str]]:
    """Yield the number and fault of each mutation that fell.

    Args:
        group: of `groups.GROUPS`.
        count: of mutations.
        seed: of all of them.
    """
    first = 0
    while first < count:
        with tempfile.TemporaryDirectory(prefix="termexplorer-mutations-") as folder:
            for number, fault in _run_child(group, Path(folder), seed, first, count):
                if fault:
                    yield number, fault
                first = number + 1


def _run_child(
    group: str, folder: Path, seed: int, first: int, count: int
) -> Iterator[tuple[int, str]]:
    """Yield what comes of each mutation, the last one that of which the child dies."""
    words = [sys.executable, "-m", _MODULE, group, str(folder), *map(str, (seed, first, count))]
    with (folder / "errors").open("w+", encoding="utf-8", errors="replace") as errors:
        process = subprocess.Popen(  # noqa: S603 - this very program
            words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True
        )
        lines: SimpleQueue[str | None] = SimpleQueue()
        listener = Thread(target=_put_lines, args=(process, lines), daemon=True)
        listener.start()
        try:
            yield from _follow_child(process, _take_lines(lines), first, count)
        except RuntimeError as error:
            errors.seek(0)
            raise RuntimeError(f"{group}: {error}: {errors.read()[-_TOLD:]}") from None
        finally:
            process.kill()
            process.wait()
            listener.join()


def _follow_child(
    process: subprocess.Popen[str], lines: Iterator[str | None], first: int, count: int
) -> Iterator[tuple[int, str]]:
    if next(lines) != "ready":
        raise RuntimeError("its sound files were not made or read")
    for number in range(first, count):
        line = next(lines)
        if line is None:
            code = process.wait(1) if process.poll() is None else process.returncode
            yield number, f"the process ended with {code}"
            return
        yield number, line
        if line == _HUNG:
            return


_HUNG = f"takes longer than {_LONGEST:.0f} s"


def _put_lines(process: subprocess.Popen[str], lines: SimpleQueue[str | None]) -> None:
    assert process.stdout  # noqa: S101 - it is a pipe
    with process.stdout:
        for line in process.stdout:
            lines.put(line.removesuffix("\n"))
    lines.put(None)


def _take_lines(lines: SimpleQueue[str | None]) -> Iterator[str | None]:
    """Yield lines without their ends; `_HUNG` where none comes, and None at the end, for ever."""
    seconds = _STARTS
    while True:
        try:
            yield lines.get(timeout=seconds)
        except Empty:
            yield _HUNG
        seconds = _LONGEST
