"""The whole import of ICD-10-CM beside its least work: the package, and plain inserts."""

import subprocess
import sys
import time

from termexplorer.bench.figure import BenchContext, BenchFigure
from termexplorer.bench.releases.import_run import cost_of_import
from termexplorer.bench.releases.plain_inserts import plain_inserts
from termexplorer.bench.releases.prepared import ICD10CM
from termexplorer.workspace import Workspace

_RATIO, _MEGABYTES = 2.0, 400.0


def run(context: BenchContext) -> list[BenchFigure]:
    """Import into fresh workspaces, and do the plain work, in turn."""
    pairs = []
    for number in range(1 if context.quick else 3):
        folder = context.folder / f"import-{number}"
        Workspace(folder).close()
        cost = cost_of_import(folder, ICD10CM)
        plain = _time_command([sys.executable, "-c", "import simple_icd_10_cm"])
        plain += plain_inserts(folder / "workspace.sqlite", context.folder / f"plain-{number}")
        pairs.append((cost.seconds / plain, cost, plain))
    ratio, ours, plain = sorted(pairs, key=lambda pair: pair[0])[len(pairs) // 2]
    megabytes = max(cost.megabytes for _, cost, _ in pairs)
    return [
        BenchFigure(
            f"import of {ICD10CM}, whole, searchable", ours.seconds, "s",
            "package + plain inserts", plain, ratio, "under 2 times", ratio < _RATIO,
        ),
        BenchFigure(
            "memory of that import, its largest process", megabytes, "MB", "limit", _MEGABYTES,
            megabytes / _MEGABYTES, "about 400 MB", megabytes < 1.1 * _MEGABYTES,
        ),
    ]  # fmt: skip


def _time_command(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - ourselves
    return time.perf_counter() - start
