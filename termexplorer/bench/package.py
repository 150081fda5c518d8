"""The program that packaging/linux.sh builds: its size, and how soon it answers."""

import statistics
import subprocess
import sys
import time
from pathlib import Path

from termexplorer.bench.figure import BenchContext, BenchFigure, not_measured

_PLACES = (Path("dist/termexplorer"), Path("/opt/termexplorer"))
_OURSELVES = (sys.executable, "-c", "from termexplorer.cli.main import run; run()")
_RATIO = 3.0


def run(context: BenchContext) -> list[BenchFigure]:
    """Ask it for its commands, and the program as it is installed here, in turn."""
    for folder in _PLACES:
        program = folder / "termexplorer"
        if program.exists():
            return [
                _size_figure(folder),
                _start_figure(program.absolute(), 3 if context.quick else 7),
            ]
    return [not_measured("built program", "packaging/linux.sh has not built one here")]


def _size_figure(folder: Path) -> BenchFigure:
    sizes = [path.stat().st_size for path in folder.rglob("*") if not path.is_symlink()]
    description = f"{folder}: {len(sizes):,} files"
    return BenchFigure(
        "built program, its folder", sum(sizes) / 1e6, "MB", "", None, None, description, None
    )


def _start_figure(program: Path, times: int) -> BenchFigure:
    pairs = [(_time_start(str(program)), _time_start(*_OURSELVES)) for _ in range(times + 1)][1:]
    built, installed = (statistics.median(seconds) for seconds in zip(*pairs, strict=True))
    ratio = built / installed
    return BenchFigure(
        "built program, until it has told its commands", built, "s", "the same, installed by pip",
        installed, ratio, f"under {_RATIO:.0f} times", ratio < _RATIO,
    )  # fmt: skip


def _time_start(*program: str) -> float:
    start = time.perf_counter()
    subprocess.run([*program, "--help"], check=True, capture_output=True)  # noqa: S603 - ourselves
    return time.perf_counter() - start
