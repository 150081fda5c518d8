"""How cost grows with the names of a made-up Metathesaurus; goes on where it was stopped."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from termexplorer.bench.figure import BenchContext, BenchFigure
from termexplorer.bench.growth.stages import STAGES, measure_stage
from termexplorer.files import atomic_write

GROWTH_FILE = "growth.json"
SIZES, QUICK_SIZES = (10**4, 10**5, 10**6, 10**7), (10**4,)

Growth = dict[str, dict[str, Any]]
"""By the number of names, what each stage took."""


def run(context: BenchContext) -> list[BenchFigure]:
    """Measure each stage at each size, unless ``growth.json`` in the folder has it."""
    growth = measure_growth(context.folder, QUICK_SIZES if context.quick else SIZES)
    figures = list(_list_figures(growth))
    return [BenchFigure(*row, "", None, None, "", None) for row in figures[:-1]] + [
        BenchFigure(*figures[-1], "", None, None, "", None, {"growth": growth})
    ]


def measure_growth(folder: Path, sizes: tuple[int, ...]) -> Growth:
    """Measure what the folder's ``growth.json`` does not have yet, and return all that it has."""
    path = folder / GROWTH_FILE
    growth = read_growth(path) if path.exists() else {}
    for names in sizes:
        measured = growth.setdefault(str(names), {})
        at = folder / f"growth-{names}"
        for stage, (most, _) in STAGES.items():
            if stage in measured or names > most:
                continue
            if stage == "import":
                shutil.rmtree(at, ignore_errors=True)
            at.mkdir(parents=True, exist_ok=True)
            measured[stage] = measure_stage(stage, at, names)
            with atomic_write(path) as fresh:
                fresh.write_text(json.dumps(growth, indent=1), "utf-8")
        shutil.rmtree(at, ignore_errors=True)
    return growth


def read_growth(path: Path) -> Growth:
    """Return what a ``growth.json`` has."""
    growth: Growth = json.loads(path.read_text("utf-8"))
    return growth


def _list_figures(growth: Growth) -> Iterator[tuple[str, float, str]]:
    units = {"seconds": "s", "cpu": "s of CPU", "megabytes": "MB", "p95_ms": "ms"}
    units |= {"node_worst_ms": "ms", "median_ms": "ms"}
    for names, stages in growth.items():
        for stage, measured in stages.items():
            for key, unit in units.items():
                if key in measured:
                    yield f"{stage}, {int(names):,} names, {key}", measured[key], unit
