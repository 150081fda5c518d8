"""The built-in encoder: how long it takes to open, and how many names it encodes in a second."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from termexplorer.bench.bounds import best_seconds
from termexplorer.bench.figure import BenchContext, BenchFigure
from termexplorer.bench.name_vectors import icd10cm_names
from termexplorer.trainer.built_in import builtin

_NAMES = 50_000
_LOAD, _RATE, _MEMORY = 0.05, 50_000, 150  # seconds, names a second on one core, MB
_FRESH = """
import resource, sys, time
from termexplorer import trainer
import numpy
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.process_time()
encoder = trainer.builtin()
loaded = time.process_time() - start
names = open(sys.argv[1], encoding="utf-8").read().split("\\n")
start = time.process_time()
encoder.encode(names)
spent = time.process_time() - start
print(loaded, len(names) / spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def run(context: BenchContext) -> list[BenchFigure]:
    """Measure a fresh process on one core by its CPU time, and a single typed name."""
    names = context.folder / "built-in-names.txt"
    names.write_text("\n".join(icd10cm_names(_NAMES)), encoding="utf-8")
    rounds = [_measure_fresh(names) for _ in range(1 if context.quick else 3)]
    load = min(seconds for seconds, _, _ in rounds)
    rate = max(per_second for _, per_second, _ in rounds)
    memory = min(kilobytes for _, _, kilobytes in rounds) / 1024
    encoder = builtin()
    typed = best_seconds(lambda: encoder.encode(["viral pneumonia"]), 20)
    return [
        BenchFigure(
            "built-in encoder: opened, its files verified", load, "s CPU", "limit", _LOAD,
            load / _LOAD, f"under {_LOAD * 1000:.0f} ms", load < _LOAD,
        ),
        BenchFigure(
            f"built-in encoder: names of ICD-10-CM a second, {_NAMES:,} names, one core", rate,
            "names/s", "limit", _RATE, rate / _RATE, f"at least {_RATE:,}", rate >= _RATE,
        ),
        BenchFigure(
            "built-in encoder: memory above the start, vectors of all names included", memory,
            "MB", "limit", _MEMORY, memory / _MEMORY, f"under {_MEMORY} MB", memory < _MEMORY,
        ),
        BenchFigure(
            "built-in encoder: a typed name", 1000 * typed, "ms", "limit", 1.0, 1000 * typed,
            "under 1 ms", typed < 0.001,
        ),
    ]  # fmt: skip


def _measure_fresh(names: Path) -> tuple[float, float, float]:
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", _FRESH, str(names)],
        capture_output=True, text=True, check=True,
        env={"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PATH": ""},
    )  # fmt: skip
    seconds, rate, kilobytes = map(float, done.stdout.split())
    return seconds, rate, kilobytes
