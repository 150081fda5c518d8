"""How long the window does not answer while it imports and trains, or maps and compares."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from termexplorer.bench import import_rf2, judging
from termexplorer.bench.figure import BenchContext, BenchFigure
from termexplorer.bench.releases.prepared import fasttext_encoder, icd10cm_workspace, quiet
from termexplorer.bench.times import quantile
from termexplorer.bench.windows.bare_ticks import Pause, without
from termexplorer.bench.windows.neighbours import NEIGHBOURS, busy_neighbours
from termexplorer.bench.windows.own_window import printed_by
from termexplorer.services.encoders.vectors import prepare
from termexplorer.workers.process.supervision import JobControl

_P999, _WORST = 30.0, 60.0
_KEY, _KEYSTROKE = 50.0, 100.0  # milliseconds
_START = 10  # seconds in which the window opens and settles
_SCENES = {"training": "import, fastText and a DAN", "analysis": "live t-SNE and a comparison"}


def run(context: BenchContext) -> list[BenchFigure]:
    """Measure in a window of its own process, with somebody typing and moving about."""
    workspace = icd10cm_workspace(context.folder)
    encoder = fasttext_encoder(workspace)
    prepare(workspace, encoder.id, 1, JobControl(), quiet)
    workspace.close()
    seconds = 12 if context.quick else 45
    measured = partial(_measure_stalls, workspace.folder, encoder.id, seconds)
    figures = [
        figure for scene in _SCENES for figure in _stall_figures(scene, seconds, *measured(scene))
    ]
    names = import_rf2.made_up_workspace(context)
    with busy_neighbours():
        gaps, _pauses = measured("analysis")
        keys = judging.measure_keys(context, context.folder / "busy-clinic")
        words = [str(names), str(40 if context.quick else 200)]
        typed = printed_by("termexplorer.bench.windows.search_keys", words)["seconds"]
    stalls = [end - start for start, end in gaps]
    return [
        *figures,
        _busy_figure("stall of the window, live t-SNE and a comparison", stalls, _WORST),
        _busy_figure("a key to the next pair", keys, _KEY),
        _busy_figure("a keystroke among the names of a large release", typed, _KEYSTROKE),
    ]


def _busy_figure(title: str, seconds: Sequence[float], limit: float) -> BenchFigure:
    worst = quantile(seconds, 1)
    return BenchFigure(
        f"{title}, worst of {len(seconds):,}, {NEIGHBOURS} busy neighbours", worst, "ms", "limit",
        limit, worst / limit, f"under {limit:.0f} ms", worst < limit,
        {"p99.9, ms": quantile(seconds, 0.999), "p95, ms": quantile(seconds, 0.95)},
    )  # fmt: skip


def _measure_stalls(
    folder: Path, encoder_id: int, seconds: int, scene: str
) -> tuple[list[Pause], list[Pause]]:
    """When the window did not answer, and when the machine let nobody work."""
    words = [str(folder), str(encoder_id), str(seconds), scene]
    with ThreadPoolExecutor() as threads:
        bare = threads.submit(
            printed_by, "termexplorer.bench.windows.bare_ticks", [str(seconds + _START)]
        )
        gaps = printed_by("termexplorer.bench.windows.stall_window", words)["gaps"]
    return gaps, bare.result()["pauses"]


def _stall_figures(
    scene: str, seconds: int, gaps: list[Pause], pauses: list[Pause]
) -> list[BenchFigure]:
    label = f"stall of the window, {_SCENES[scene]}, {len(gaps):,} ticks in {seconds} s"
    whole = [end - start for start, end in gaps]
    gap_pauses = [without(start, end, pauses) for start, end in gaps]
    return [
        BenchFigure(
            f"{label}, {name}", value, "ms", "limit", limit, value / limit, f"under {limit:.0f} ms",
            value < limit, {"with the machine's own pauses, ms": quantile(whole, share)},
        )
        for name, share, limit in (("p99.9", 0.999, _P999), ("worst", 1, _WORST))
        for value in (quantile(gap_pauses, share),)
    ]  # fmt: skip
