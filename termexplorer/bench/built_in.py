"""The built-in encoder: opening, names a second beside peers, memory, and the first neighbours."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from termexplorer.bench.bounds import best_seconds
from termexplorer.bench.figure import BenchContext, BenchFigure, not_measured
from termexplorer.bench.name_vectors import icd10cm_names, loop_over_names, train_model
from termexplorer.bench.releases.prepared import icd10cm_workspace
from termexplorer.services.compare.rankings import (
    Ranker,
    RankingRequest,
    RankingScope,
    Task,
    query_for,
)
from termexplorer.services.encoders.built_in import ensure_built_in
from termexplorer.trainer.built_in import builtin

_NAMES, _EVERY = 50_000, 50  # the transformer reads one name of so many
_LOAD, _RATE, _MEMORY = 0.05, 50_000, 150  # seconds, names a second on one core, MB
_TIMES_TRANSFORMER, _FIRST = 100, 3.0  # times as many names a second; seconds
_ONE_CORE = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
_BESIDE_TRANSFORMER = "built-in encoder: names a second beside a sentence transformer"
# VmHWM, and not the peak that `getrusage` tells: a child inherits that of its parent.
_FRESH = """
import sys, time
from termexplorer import trainer
import numpy
def peak():
    try:
        lines = open("/proc/self/status", encoding="ascii").read().splitlines()
    except OSError:
        return float("nan")
    return next(float(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
names = open(sys.argv[1], encoding="utf-8").read().split("\\n")
before = peak()
start = time.process_time()
encoder = trainer.builtin()
loaded = time.process_time() - start
opened = peak()
start = time.process_time()
encoder.encode(names)
spent = time.process_time() - start
print(loaded, len(names) / spent, opened - before, peak() - before)
"""
_TRANSFORMER = """
import sys, time
from pathlib import Path
from termexplorer.trainer.representations import load_dense
import torch
torch.set_num_threads(1)
names = open(sys.argv[1], encoding="utf-8").read().split("\\n")
encoder = load_dense(Path(sys.argv[2]))
encoder.encode(names[:32])
start = time.process_time()
encoder.encode(names)
print(len(names) / (time.process_time() - start))
"""


@dataclass(frozen=True, slots=True)
class FreshRun:
    """What one new process on one core spent on the built-in encoder.

    Attributes:
        load: seconds of CPU time until it was open, its files verified.
        rate: names encoded in a second of CPU time.
        opened: MB by which the peak of memory rose until then; NaN where no system tells.
        encoded: the same until the vectors of all names were there.
    """

    load: float
    rate: float
    opened: float
    encoded: float


def run(context: BenchContext) -> list[BenchFigure]:
    """Measure fresh processes on one core by their CPU time, and what a user waits for."""
    names = icd10cm_names(_NAMES)
    file = context.folder / "built-in-names.txt"
    file.write_text("\n".join(names), encoding="utf-8")
    runs = [measure_fresh(file) for _ in range(1 if context.quick else 3)]
    load, rate = min(run.load for run in runs), max(run.rate for run in runs)
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
        _compare_with_fasttext(names, rate),
        compare_with_transformer(context, names, rate),
        *_memory_figures(runs),
        BenchFigure(
            "built-in encoder: a typed name", 1000 * typed, "ms", "limit", 1.0, 1000 * typed,
            "under 1 ms", typed < 0.001,
        ),
        _time_first_neighbours(context),
    ]  # fmt: skip


def measure_fresh(names: Path) -> FreshRun:
    """Open the built-in encoder in a new process, and encode the lines of a file."""
    load, rate, *kilobytes = _run_fresh(_FRESH, names)
    opened, encoded = (size / 1024 for size in kilobytes)
    return FreshRun(load, rate, opened, encoded)


def compare_with_transformer(context: BenchContext, names: list[str], rate: float) -> BenchFigure:
    """Compare names a second with those of a sentence transformer on one core, where one is given.

    Args:
        context: with its folder.
        names: of which it reads some.
        rate: names a second of the built-in encoder.
    """
    from termexplorer.trainer.representations import convert

    if context.transformer is None:
        why = "no --transformer is given, the folder of all-MiniLM-L6-v2"
        return not_measured(_BESIDE_TRANSFORMER, why)
    some = names[:: _EVERY * (5 if context.quick else 1)]
    file, folder = context.folder / "transformer-names.txt", context.folder / "transformer"
    file.write_text("\n".join(some), encoding="utf-8")
    if not folder.is_dir():
        convert(context.transformer, folder)
    (slower,) = _run_fresh(_TRANSFORMER, file, folder)
    return BenchFigure(
        _BESIDE_TRANSFORMER, rate, "names/s",
        f"{context.transformer.name}, {len(some):,} of the names, one core", slower,
        rate / slower, f"at least {_TIMES_TRANSFORMER} times as many",
        rate >= _TIMES_TRANSFORMER * slower,
    )  # fmt: skip


def _compare_with_fasttext(names: list[str], rate: float) -> BenchFigure:
    with TemporaryDirectory() as folder:
        model = train_model(names, Path(folder))
    start = time.process_time()
    loop_over_names(model, names)
    slower = len(names) / (time.process_time() - start)
    return BenchFigure(
        "built-in encoder: names a second beside fastText's", rate, "names/s",
        "get_word_vector loop, one core", slower, rate / slower, "more", rate > slower,
    )  # fmt: skip


def _memory_figures(runs: list[FreshRun]) -> list[BenchFigure]:
    opened, encoded = min(run.opened for run in runs), min(run.encoded for run in runs)
    subject = "built-in encoder: peak of memory above the start"
    if math.isnan(opened):
        return [not_measured(subject, "only Linux tells the peak of a process by itself")]
    return [
        BenchFigure(
            f"{subject}, opened", opened, "MB", "limit", _MEMORY, opened / _MEMORY,
            f"under {_MEMORY} MB", opened < _MEMORY,
        ),
        BenchFigure(
            f"{subject}, vectors of {_NAMES:,} names included", encoded, "MB", "limit", _MEMORY,
            encoded / _MEMORY, f"under {_MEMORY} MB", encoded < _MEMORY,
        ),
    ]  # fmt: skip


def _time_first_neighbours(context: BenchContext) -> BenchFigure:
    """Measure from the end of an import, with nothing encoded, to neighbours by a new child."""
    workspace = icd10cm_workspace(context.folder)
    start = time.perf_counter()
    built_in = ensure_built_in(workspace)
    assert built_in is not None  # noqa: S101 - the workspace was made a moment ago
    ranker = Ranker(workspace.folder)
    query = query_for(workspace, 1, "heart attack")
    ranked = ranker.rank(
        RankingRequest(query, Task.NEIGHBOURS, (built_in.id,), RankingScope((1,)), 10)
    )
    seconds, spent = time.perf_counter() - start, os.times()
    ranker.close()
    workspace.close()
    ended, first = os.times(), ranked.columns[0].rows[0].text
    work = ended.children_user + ended.children_system  # of the child, once it has ended
    work -= spent.children_user + spent.children_system
    return BenchFigure(
        "ICD-10-CM imported: first semantic neighbours of “heart attack”, "
        f"“{first}”, {work:.1f} s of CPU time", seconds, "s", "limit", _FIRST,
        seconds / _FIRST, f"under {_FIRST:g} s", seconds < _FIRST,
    )  # fmt: skip


def _run_fresh(code: str, *paths: Path) -> list[float]:
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", code, *map(str, paths)],
        capture_output=True, text=True, check=True, env=_ONE_CORE | {"PATH": ""},
    )  # fmt: skip
    return list(map(float, done.stdout.split()))
