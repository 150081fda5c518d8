"""The program that packaging/linux.sh builds: its size, and how soon it answers."""

import statistics
import subprocess
import sys
import time
from pathlib import Path

from termexplorer.bench.figure import Context, Figure, not_measured

_PLACES = (Path("dist/termexplorer"), Path("/opt/termexplorer"))
_OURSELVES = (sys.executable, "-c", "from termexplorer.cli.main import run; run()")
_RATIO = 3.0


def run(context: Context) -> list[Figure]:
    """Ask it for its commands, and the program as it is installed here, in turn."""
    for folder in _PLACES:
        program = folder / "termexplorer"
        if program.exists():
            return [_size(folder), _start(program.absolute(), 3 if context.quick else 7)]
    return [not_measured("built program", "packaging/linux.sh has not built one here")]


def _size(folder: Path) -> Figure:
    sizes = [each.stat().st_size for each in folder.rglob("*") if not each.is_symlink()]
    told = f"{folder}: {len(sizes):,} files"
    return Figure("built program, its folder", sum(sizes) / 1e6, "MB", "", None, None, told, None)


def _start(program: Path, times: int) -> Figure:
    pairs = [(_seconds(str(program)), _seconds(*_OURSELVES)) for _ in range(times + 1)][1:]
    built, installed = (statistics.median(each) for each in zip(*pairs, strict=True))
    ratio = built / installed
    return Figure(
        "built program, until it has told its commands", built, "s", "the same, installed by pip",
        installed, ratio, f"under {_RATIO:.0f} times", ratio < _RATIO,
    )  # fmt: skip


def _seconds(*program: str) -> float:
    start = time.perf_counter()
    subprocess.run([*program, "--help"], check=True, capture_output=True)  # noqa: S603 - ourselves
    return time.perf_counter() - start
