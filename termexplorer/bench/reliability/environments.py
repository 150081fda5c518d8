"""Surroundings of a program: no home, ASCII, closed output, few files, read-only folders."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from termexplorer.bench.reliability.fault import Attempt, BreakingFault
from termexplorer.bench.reliability.interruptions import find_damage
from termexplorer.bench.reliability.program import Ended, call_program

# the administrator may do all: without these two rights of theirs (1 and 2, to look past the
# rights of files) they are as anybody; nothing happens to anybody else
_AS_ANYBODY = """
import ctypes
_libc, _head = ctypes.CDLL(None), (ctypes.c_uint32 * 2)(0x20080522, 0)
_data = (ctypes.c_uint32 * 6)()
if _libc.capget(_head, _data) == 0:
    for _place in (0, 1):
        _data[_place] &= ~0b110
    _libc.capset(_head, _data)
"""
_COMMANDS = (
    ("ontology", "list"),
    ("verdicts", "check"),
    ("search", "term 7"),
    ("doctor",),
)


def _without_home(workspace: Path, words: tuple[str, ...]) -> Ended:
    return call_program("--workspace", workspace, *words, environment={"PATH": os.defpath})


def _in_ascii(workspace: Path, words: tuple[str, ...]) -> Ended:
    environment = {**os.environ, "LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0"}
    environment["PYTHONIOENCODING"] = "ascii"
    return call_program("--workspace", workspace, *words, environment=environment)


def _call_with_closed_output(workspace: Path, words: tuple[str, ...]) -> Ended:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        return call_program("--workspace", workspace, *words, output=writing)
    finally:
        os.close(writing)


def _with_few_files(workspace: Path, words: tuple[str, ...]) -> Ended:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20))"
    return call_program("--workspace", workspace, *words, before=limit)


def _with_umask(workspace: Path, words: tuple[str, ...]) -> Ended:
    return call_program("--workspace", workspace, *words, before="import os; os.umask(0o777)")


def _call_with_full_pipe(workspace: Path, words: tuple[str, ...]) -> Ended:
    """Have nobody read from a pipe that is full, and whose writer does not wait."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    try:
        with suppress(BlockingIOError):
            while True:
                os.write(writing, b"x" * 4096)
        return call_program("--workspace", workspace, *words, output=writing)
    finally:
        os.close(writing)
        os.close(reading)


def _call_with_full_device(workspace: Path, words: tuple[str, ...]) -> Ended:
    writing = os.open("/dev/full", os.O_WRONLY)
    try:
        return call_program("--workspace", workspace, *words, output=writing)
    finally:
        os.close(writing)


@contextmanager
def _without_rights(paths: Iterable[Path], rights: int) -> Iterator[None]:
    before = [(path, path.stat().st_mode) for path in paths]
    for path, mode in before:
        path.chmod(mode & ~rights)
    try:
        yield
    finally:
        for path, mode in before:
            path.chmod(mode)


def _read_only(workspace: Path, words: tuple[str, ...]) -> Ended:
    with _without_rights((workspace, *workspace.rglob("*")), 0o222):
        return call_program("--workspace", workspace, *words, before=_AS_ANYBODY)


def _forbid_store(workspace: Path, words: tuple[str, ...]) -> Ended:
    with _without_rights([workspace / "workspace.sqlite"], 0o777):
        return call_program("--workspace", workspace, *words, before=_AS_ANYBODY)


def _forbid_folder(workspace: Path, words: tuple[str, ...]) -> Ended:
    with _without_rights([workspace], 0o777):
        return call_program("--workspace", workspace, *words, before=_AS_ANYBODY)


_SURROUNDINGS: dict[str, Callable[[Path, tuple[str, ...]], Ended]] = {
    "no HOME": _without_home,
    "LANG=C, output in ASCII": _in_ascii,
    "closed output": _call_with_closed_output,
    "a full pipe": _call_with_full_pipe,
    "a full device as output": _call_with_full_device,
    "20 open files": _with_few_files,
    "umask 777": _with_umask,
    "read-only folder": _read_only,
    "permission denied to the store": _forbid_store,
    "permission denied to the folder": _forbid_folder,
}


def _make_fault(name: str, call: Callable[[Path, tuple[str, ...]], Ended]) -> BreakingFault:
    def attempt(given: Attempt) -> list[str]:
        workspace = given.sample.copy_to(given.folder)
        words = given.draw.choice(_COMMANDS)
        fault = call(workspace, words).find_fault(0, 1, 2)  # 2: of the command line
        return [f"{' '.join(words)}: {fault}"] if fault else find_damage(workspace, given.sample)

    return BreakingFault(name, 0.005, attempt)


ENVIRONMENTS = tuple(_make_fault(*arguments) for arguments in _SURROUNDINGS.items())
