"""A move of the level slider on ICD-10-CM: the figures of the level and the rows of its table."""

import time

from termexplorer.bench.figure import BenchContext, BenchFigure
from termexplorer.bench.releases.prepared import icd10cm_workspace
from termexplorer.bench.times import quantile
from termexplorer.services.levels.lens import LevelChoice, open_lens

_LIMIT = 100.0
_ROWS = 200  # more than a screen shows


def run(context: BenchContext) -> list[BenchFigure]:
    """Slide over all levels with lenses that have not seen them yet."""
    workspace = icd10cm_workspace(context.folder)
    times = []
    for choice in (LevelChoice(), LevelChoice.for_recipe("few-shot")):
        for _ in range(1 if context.quick else 5):
            lens = open_lens(workspace, 1, choice)
            for level in range(1, lens.levels + 1):
                start = time.perf_counter()
                summary = lens.summary(choice.on(level))
                places, sizes = summary.concepts[:_ROWS], summary.sizes[:_ROWS]
                assert len(lens.rows(places.tolist(), sizes.tolist())) == len(places)  # noqa: S101
                times.append(time.perf_counter() - start)
    workspace.close()
    worst = quantile(times, 1)
    return [
        BenchFigure(
            f"level lens, ICD-10-CM, worst of {len(times)} moves", worst, "ms", "limit", _LIMIT,
            worst / _LIMIT, "under 100 ms", worst < _LIMIT,
        )
    ]  # fmt: skip
