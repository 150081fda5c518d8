"""Surroundings of a program: no home, ASCII, closed output, few files, read-only folders."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from termexplorer.bench.reliability.fault import Attempt, BreakingFault
from termexplorer.bench.reliability.interruptions import find_damage
from termexplorer.bench.reliability.program import Ended, call_program

_COMMANDS = (("ontologies",), ("verdicts", "check"), ("search", "term 7"), ("doctor",))


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


def _read_only(workspace: Path, words: tuple[str, ...]) -> Ended:
    paths = (workspace, *workspace.rglob("*"))
    before = [(path, path.stat().st_mode) for path in paths]
    for path, mode in before:
        path.chmod(mode & ~0o222)
    try:
        return call_program("--workspace", workspace, *words)
    finally:
        for path, mode in before:
            path.chmod(mode)


_SURROUNDINGS: dict[str, Callable[[Path, tuple[str, ...]], Ended]] = {
    "no HOME": _without_home,
    "LANG=C, output in ASCII": _in_ascii,
    "closed output": _call_with_closed_output,
    "20 open files": _with_few_files,
    "umask 777": _with_umask,
    "read-only folder": _read_only,
}


def _make_fault(name: str, call: Callable[[Path, tuple[str, ...]], Ended]) -> BreakingFault:
    def attempt(given: Attempt) -> list[str]:
        workspace = given.sample.copy_to(given.folder)
        words = given.draw.choice(_COMMANDS)
        fault = call(workspace, words).find_fault(0, 1)
        return [f"{' '.join(words)}: {fault}"] if fault else find_damage(workspace, given.sample)

    return BreakingFault(name, 0.005, attempt)


ENVIRONMENTS = tuple(_make_fault(*each) for each in _SURROUNDINGS.items())
