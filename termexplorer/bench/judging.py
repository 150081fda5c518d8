"""From a key to the next pair, in a study as long as the paper's, with the verdict on the disk."""

import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from termexplorer.bench.figure import BenchContext, BenchFigure
from termexplorer.bench.times import quantile
from termexplorer.bench.windows.own_window import printed_by
from termexplorer.services.pairs.sampling import PairPool
from termexplorer.services.studies.packs import write_pack
from termexplorer.services.studies.presets import find_scale, scales
from termexplorer.services.studies.studies import StudyPlan, new_study
from termexplorer.workspace import Workspace

_SETS, _EACH = 20, 30  # the doctors' study of [MTS]: 1,200 pairs
_LIMIT = 50.0  # milliseconds
_ANNOTATOR = "Anna"


def run(context: BenchContext) -> list[BenchFigure]:
    """Judge all pairs by keyboard in a window of its own process, with somebody reading."""
    seconds = measure_keys(context, context.folder / "clinic")
    count = len(seconds)
    commit = quantile(_time_commits(context.folder / "plain.sqlite", count), 0.5)
    return [
        _latency_figure(
            f"a key to the next pair, of {count:,}, {name}", quantile(seconds, share), commit
        )
        for name, share in (("median", 0.5), ("p95", 0.95), ("worst", 1.0))
    ]


def measure_keys(context: BenchContext, clinic: Path) -> list[float]:
    """Return the seconds of each key, judging all pairs in a window over a folder of its own."""
    count = 100 if context.quick else 2 * _SETS * _EACH
    words = [str(_make_pack(context.folder / "study")), str(clinic), str(count)]
    seconds: list[float] = printed_by("termexplorer.bench.windows.judging_keys", words)["seconds"]
    return seconds


def _latency_figure(name: str, milliseconds: float, commit: float) -> BenchFigure:
    return BenchFigure(
        name, milliseconds, "ms", "a synced commit of SQLite alone, median", commit,
        milliseconds / _LIMIT, f"under {_LIMIT:.0f} ms", milliseconds < _LIMIT,
    )  # fmt: skip


def _make_pack(folder: Path) -> Path:
    pools = [_make_pool(number) for number in range(_SETS)]
    scale = find_scale(next(iter(scales())))
    plan = StudyPlan("Bench", [_ANNOTATOR], scale, each=_EACH, practice=6, repeat=0.0)
    with closing(Workspace(folder)) as workspace:
        study = new_study(workspace, plan, pools)
        write_pack(workspace, study.id, _ANNOTATOR, folder / "anna.termstudy")
    return folder / "anna.termstudy"


def _make_pool(number: int) -> PairPool:
    left = [f"fracture of bone {number} {index}, initial encounter" for index in range(80)]
    right = [f"broken bone {number} {index}, first visit" for index in range(80)]
    return PairPool(f"set {number}", left, right, [1, 0] * 40)


def _time_commits(path: Path, count: int) -> Sequence[float]:
    """Return the seconds of commits of a row each."""
    durations = []
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE verdict (answer TEXT)")
        for _ in range(count):
            started = time.perf_counter()
            connection.execute("INSERT INTO verdict VALUES ('same')")
            durations.append(time.perf_counter() - started)
    return durations
