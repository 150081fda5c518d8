"""A made-up SNOMED CT release of the real size: its import, and search and tree after it."""

from pathlib import Path

from termexplorer.bench.figure import BenchContext, BenchFigure
from termexplorer.bench.releases.import_run import Cost, cost_of_import
from termexplorer.bench.releases.rf2_release import Rf2Size, write_release
from termexplorer.bench.search import keystrokes
from termexplorer.bench.times import quantile
from termexplorer.bench.tree_walk import walk
from termexplorer.services.explore.ontologies import list_ontologies
from termexplorer.store.releases.corpus import release_names
from termexplorer.workspace import Workspace

_SECONDS, _MEGABYTES, _P95, _WORST, _TREE = 100.0, 700.0, 30.0, 100.0, 50.0
_FOLDER = "import-rf2"
_QUICK = Rf2Size(35_000, 150_000, 300_000)


def run(context: BenchContext) -> list[BenchFigure]:
    """Write the release, import it, type in the search box, and walk down the tree."""
    size = _QUICK if context.quick else Rf2Size()
    cost = _import_made_up(context)
    workspace = Workspace(context.folder / _FOLDER)
    release_id = list_ontologies(workspace)[0].id
    with workspace.store.reading() as connection:
        texts = release_names(connection, release_id).texts
    typed = keystrokes(workspace, release_id, texts, 40 if context.quick else 200)
    opened = walk(workspace, release_id)
    workspace.close()
    of = f"{size.concepts:,} concepts, {size.descriptions:,} descriptions"
    label = f"search box after it, {len(texts):,} names, {len(typed):,} keystrokes"
    return [
        _limit_figure(f"import of RF2, {of}, {size.relationships:,} relationships",
                      cost.seconds, "s",
                _SECONDS),
        BenchFigure("CPU time of that import", cost.cpu, "s", "", None, None, "", None),
        _limit_figure("memory of that import, its process", cost.megabytes, "MB", _MEGABYTES),
        _limit_figure(f"{label}, p95", quantile(typed, 0.95), "ms", _P95),
        _limit_figure(f"{label}, worst", quantile(typed, 1), "ms", _WORST),
        _limit_figure(f"node of the tree opened, worst of {len(opened):,}",
                      quantile(opened, 1), "ms",
                _TREE),
    ]  # fmt: skip


def made_up_workspace(context: BenchContext) -> Path:
    """Return the folder of a workspace with such a release, which is made where it is missing."""
    folder = context.folder / _FOLDER
    if not folder.exists():
        _import_made_up(context)
    return folder


def _import_made_up(context: BenchContext) -> Cost:
    size = _QUICK if context.quick else Rf2Size()
    source = write_release(context.folder / "rf2", size, ["Snapshot"])
    return cost_of_import(context.folder / _FOLDER, str(source))


def _limit_figure(name: str, value: float, unit: str, limit: float) -> BenchFigure:
    goal = f"under {limit:.0f} {unit}"
    return BenchFigure(name, value, unit, "limit", limit, value / limit, goal, value < limit)
