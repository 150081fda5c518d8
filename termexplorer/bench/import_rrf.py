"""A made-up Metathesaurus of 5,000,000 names: its import, and search, tree and levels after it."""

import time

from termexplorer.bench.figure import BenchContext, BenchFigure
from termexplorer.bench.releases.import_run import cost_of_import
from termexplorer.bench.releases.plain_inserts import plain_inserts
from termexplorer.bench.releases.rrf_release import RrfSize, write_release
from termexplorer.bench.search import keystrokes
from termexplorer.bench.times import quantile
from termexplorer.bench.tree_walk import walk
from termexplorer.services.explore.ontologies import list_ontologies
from termexplorer.services.levels.lens import LevelChoice, open_lens
from termexplorer.store.releases.corpus import release_names
from termexplorer.workspace import Workspace

_RATIO, _MEGABYTES, _P95, _TREE, _LENS, _AGAIN = 3.0, 1_500.0, 50.0, 100.0, 2.0, 0.1
_QUICK = RrfSize(250_000)
_ALL = {"languages": ["ENG", "FRE"], "suppressed": ["N", "O"]}


def run(context: BenchContext) -> list[BenchFigure]:
    """Write the release, import all of it, look at its levels, walk its tree and search it."""
    size = _QUICK if context.quick else RrfSize()
    source = write_release(context.folder / "rrf", size)
    folder = context.folder / "import-rrf"
    Workspace(folder).close()
    cost = cost_of_import(folder, str(source), _ALL)
    plain = plain_inserts(folder / "workspace.sqlite", context.folder / "plain-rrf.sqlite")
    workspace = Workspace(folder)
    release_id = list_ontologies(workspace)[0].id
    lens, again = (_measure_lens(workspace, release_id) for _ in range(2))
    opened = walk(workspace, release_id)
    with workspace.store.reading() as connection:
        texts = release_names(connection, release_id).texts
    typed = keystrokes(workspace, release_id, texts, 40 if context.quick else 200)
    workspace.close()
    ratio = cost.seconds / plain
    label = f"search box after it, {len(texts):,} names, {len(typed):,} keystrokes"
    return [
        BenchFigure(
            f"import of RRF, {size.names:,} names of {size.concepts:,} concepts", cost.seconds, "s",
            "plain inserts", plain, ratio, f"under {_RATIO:.0f} times", ratio < _RATIO,
        ),
        BenchFigure("CPU time of that import", cost.cpu, "s", "", None, None, "", None),
        _limit_figure("memory of that import, its process", cost.megabytes, "MB", _MEGABYTES),
        _limit_figure(f"{label}, p95", quantile(typed, 0.95), "ms", _P95),
        _limit_figure(f"node of the tree opened, worst of {len(opened):,}",
                      quantile(opened, 1), "ms",
                _TREE),
        _limit_figure("level lens, the first time", lens, "s", _LENS),
        _limit_figure("level lens, from its cache", again, "s", _AGAIN),
    ]  # fmt: skip


def _limit_figure(name: str, value: float, unit: str, limit: float) -> BenchFigure:
    goal = f"under {limit:g} {unit}"
    return BenchFigure(name, value, unit, "limit", limit, value / limit, goal, value < limit)


def _measure_lens(workspace: Workspace, release_id: int) -> float:
    """Seconds until the figures of the first level are there."""
    start = time.perf_counter()
    choice = LevelChoice(depth=2)
    open_lens(workspace, release_id, choice).view(choice)
    return time.perf_counter() - start
