"""How long the window does not answer while it imports and trains, or maps and compares."""

from functools import partial
from pathlib import Path

from termexplorer.bench.figure import Context, Figure
from termexplorer.bench.own_window import printed_by
from termexplorer.bench.prepared import fasttext_encoder, icd10cm_workspace, quiet
from termexplorer.bench.times import quantile
from termexplorer.services.vectors import prepare
from termexplorer.workers.supervision import Control

_P999, _WORST = 30.0, 60.0
_SCENES = {"training": "import, fastText and a DAN", "analysis": "live t-SNE and a comparison"}


def run(context: Context) -> list[Figure]:
    """Measure in a window of its own process, with somebody typing and moving about."""
    workspace = icd10cm_workspace(context.folder)
    encoder = fasttext_encoder(workspace)
    prepare(workspace, encoder.id, 1, Control(), quiet)
    workspace.close()
    seconds = 12 if context.quick else 45
    measured = partial(_gaps, workspace.folder, encoder.id, seconds)
    return [figure for scene in _SCENES for figure in _figures(scene, seconds, measured(scene))]


def _gaps(folder: Path, encoder_id: int, seconds: int, scene: str) -> list[float]:
    words = [str(folder), str(encoder_id), str(seconds), scene]
    found: list[float] = printed_by("termexplorer.bench.stall_window", words)["gaps"]
    return found


def _figures(scene: str, seconds: int, gaps: list[float]) -> list[Figure]:
    p999, worst = quantile(gaps, 0.999), quantile(gaps, 1)
    label = f"stall of the window, {_SCENES[scene]}, {len(gaps):,} ticks in {seconds} s"
    return [
        Figure(
            f"{label}, p99.9", p999, "ms", "limit", _P999, p999 / _P999, "under 30 ms",
            p999 < _P999,
        ),
        Figure(
            f"{label}, worst", worst, "ms", "limit", _WORST, worst / _WORST, "under 60 ms",
            worst < _WORST,
        ),
    ]  # fmt: skip
