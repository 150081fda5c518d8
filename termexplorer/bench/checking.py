"""How long a check of a workspace takes at the size of SNOMED CT, and its memory."""

import subprocess
import sys
import time
from pathlib import Path

from termexplorer.bench.figure import BenchContext, BenchFigure
from termexplorer.bench.releases.import_run import cost_of_import
from termexplorer.bench.releases.rf2_release import Rf2Size, write_release

_QUICK = Rf2Size(35_000, 150_000, 300_000)
_WHOLE, _WITHOUT_INDEXES, _MEGABYTES = 90.0, 60.0, 250.0
_CHECK = """
import resource, sys
from pathlib import Path
from termexplorer.services.workspace.check import check_workspace
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace
workspace = Workspace(Path(sys.argv[1]))
assert check_workspace(workspace, JobControl(), quick=sys.argv[2] == "quick").faults == ()
workspace.close()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def run(context: BenchContext) -> list[BenchFigure]:
    """Import a made-up release, and check it in a process of its own."""
    size = _QUICK if context.quick else Rf2Size()
    folder = context.folder / "checking"
    source = write_release(context.folder / "checking-rf2", size, ["Snapshot"])
    cost_of_import(folder, str(source))
    of = f"{size.concepts:,} concepts, {size.descriptions:,} descriptions"
    whole, megabytes = _time_check(folder, "whole")
    quick, _ = _time_check(folder, "quick")
    return [
        _limit_figure(f"workspace check, {of}", whole, "s", _WHOLE),
        _limit_figure("workspace check --quick of it", quick, "s", _WITHOUT_INDEXES),
        _limit_figure("memory of that check", megabytes, "MB", _MEGABYTES),
    ]


def _time_check(folder: Path, how: str) -> tuple[float, float]:
    """Return the seconds that a check takes, its start too, and the megabytes that it holds."""
    start = time.perf_counter()
    output = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-c", _CHECK, str(folder), how],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
    return time.perf_counter() - start, float(output.splitlines()[-1])


def _limit_figure(name: str, value: float, unit: str, limit: float) -> BenchFigure:
    goal = f"under {limit:.0f} {unit}"
    return BenchFigure(name, value, unit, "limit", limit, value / limit, goal, value < limit)
