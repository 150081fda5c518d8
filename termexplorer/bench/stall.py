"""How long the window does not answer while it imports, trains fastText, and trains a DAN."""

import json
import os
import subprocess
import sys

from termexplorer.bench.figure import Context, Figure
from termexplorer.bench.prepared import fasttext_encoder, icd10cm_workspace
from termexplorer.bench.times import quantile

_P999, _WORST = 30.0, 60.0


def run(context: Context) -> list[Figure]:
    """Measure in a window of its own process, with somebody typing and scrolling."""
    workspace = icd10cm_workspace(context.folder)
    encoder = fasttext_encoder(workspace)
    workspace.close()
    seconds = 12 if context.quick else 45
    words = ["-m", "termexplorer.bench.stall_window", str(workspace.folder), str(encoder.id)]
    environment = dict(os.environ)
    if sys.platform == "linux" and not environment.get("DISPLAY"):
        environment["QT_QPA_PLATFORM"] = "offscreen"
    output = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, *words, str(seconds)],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    ).stdout
    gaps = json.loads(output.splitlines()[-1])["gaps"]
    p999, worst = quantile(gaps, 0.999), quantile(gaps, 1)
    label = f"stall of the window under load, {len(gaps):,} ticks in {seconds} s"
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
