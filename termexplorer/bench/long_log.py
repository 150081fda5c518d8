"""A log of a million verdicts: imported while somebody judges, exported, checked, merged into."""

from __future__ import annotations

import csv
import multiprocessing
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event

from termexplorer.bench.figure import BenchContext, BenchFigure
from termexplorer.bench.times import quantile
from termexplorer.services.curate.sssom_import import import_sssom
from termexplorer.services.pairs.sampling import PairPool
from termexplorer.services.studies.answers import merge_answers, write_answers
from termexplorer.services.studies.judging import Judging, Seen
from termexplorer.services.studies.presets import find_scale, scales
from termexplorer.services.studies.rows import details_of
from termexplorer.services.studies.studies import StudyPlan, new_study
from termexplorer.services.studies.verdict_files import HEADER, write_verdicts
from termexplorer.services.studies.verdict_import import import_verdicts
from termexplorer.services.verdicts.log import Answer, Judge, check_log, now
from termexplorer.store.judging.verdicts import append_rows
from termexplorer.workspace import Workspace

_ROWS, _QUICK = 1_000_000, 20_000
_MAPPINGS = 5  # one of so many rows is a mapping of an SSSOM file too
_ANSWERS = 20  # for so many rows one of answers to a study that are merged
_JUDGES, _SUBJECTS = 20, 400_000
_WAIT, _MEMORY = 100.0, 300.0  # milliseconds, MB
_READING = 0.03  # seconds between two verdicts of the annotator
_ALONE = 5.0  # seconds
_PAIRS = 40
_MEMORY_LINE = re.compile(r"^(VmHWM|VmRSS):\s+(\d+) kB", re.MULTILINE)


@dataclass(frozen=True)
class LogStep:
    """What a step came to.

    Attributes:
        seconds: that it took.
        memory: MB above what its process had at the start.
        waits: seconds of each verdict that an annotator gave meanwhile.
    """

    seconds: float
    memory: float
    waits: tuple[float, ...] = ()


def run(context: BenchContext) -> list[BenchFigure]:
    """Measure each step in a process of its own, some beside an annotator who judges."""
    count = _QUICK if context.quick else _ROWS
    folder = context.folder / f"long-log-{time.time_ns()}"
    live = folder / "workspace"
    _make_study(live)
    table, mappings = folder / "verdicts.tsv", folder / "mappings.sssom.tsv"
    write_verdicts_table(table, count)
    _write_mappings(mappings, count // _MAPPINGS)
    answers = _write_answers(folder / "clinic", folder / "anna.answers", count // _ANSWERS)
    steps = {
        "doing nothing": (_wait_alone, folder),
        f"importing {count:,} verdicts": (_import_table, table),
        f"importing them again, into a log of {count:,}": (_import_table, table),
        f"importing {count // _MAPPINGS:,} mappings of SSSOM": (_import_mappings, mappings),
        f"merging {count // _ANSWERS:,} answers to a study": (_merge_file, answers),
        "merging them again": (_merge_file, answers),
        "exporting all that counts": (_export_table, folder / "out.tsv"),
        "checking the log": (_check_log, folder),
    }
    return [
        figure
        for title, (step, path) in steps.items()
        for figure in _step_figures(title, _measure_step(live, step, path))
    ]


def _step_figures(title: str, step: LogStep) -> Iterator[BenchFigure]:
    yield BenchFigure(
        f"{title}: time", step.seconds, "s", "", None, None, "is told", step.seconds > 0
    )
    yield BenchFigure(
        f"{title}: memory above the start", step.memory, "MB", "limit", _MEMORY,
        step.memory / _MEMORY, f"under {_MEMORY:.0f} MB", step.memory < _MEMORY,
    )  # fmt: skip
    if step.waits:
        worst = 1000 * max(step.waits)
        yield BenchFigure(
            f"{title}: worst wait of {len(step.waits):,} verdicts given meanwhile", worst, "ms",
            "limit", _WAIT, worst / _WAIT, f"under {_WAIT:.0f} ms", worst < _WAIT,
            {"p99, ms": quantile(step.waits, 0.99), "median, ms": quantile(step.waits, 0.5)},
        )  # fmt: skip


def _measure_step(folder: Path, step: Callable[[Workspace, Path], object], path: Path) -> LogStep:
    context = multiprocessing.get_context("spawn")
    with context.Manager() as manager, ProcessPoolExecutor(2, context) as pool:
        ready, done = manager.Event(), manager.Event()
        annotator = pool.submit(_judge_until, folder, ready, done)
        ready.wait()
        try:
            seconds, memory = pool.submit(_run_step, folder, step, path).result()
        finally:
            done.set()
        waits = annotator.result()
    return LogStep(seconds, memory, tuple(waits))


def _run_step(
    folder: Path, step: Callable[[Workspace, Path], object], path: Path
) -> tuple[float, float]:
    with closing(Workspace(folder)) as workspace:
        with workspace.store.reading():
            before = _read_memory("VmRSS")
        began = time.perf_counter()
        step(workspace, path)
        seconds = time.perf_counter() - began
    return seconds, (_read_memory("VmHWM") - before) / 1024


def _read_memory(name: str) -> int:
    """Return how many KB the process has, or had at most; 0 where the system does not tell."""
    try:
        status = Path("/proc/self/status").read_text("utf-8")
    except OSError:
        return 0
    return int(dict(_MEMORY_LINE.findall(status))[name])


def _judge_until(folder: Path, ready: Event, done: Event) -> list[float]:
    """Judge pairs of the study one by one; return the seconds that each verdict took."""
    waits: list[float] = []
    with closing(Workspace(folder)) as workspace:
        judging = Judging(workspace, 1, "Ben")
        answers = [answer.answer for answer in judging.study.head.answers]
        ready.set()
        while not done.is_set():
            turn = judging.turns[len(waits) % len(judging.turns)]
            began = time.perf_counter()
            judging.judge(turn, answers[0], Seen(now(), 0, 0))
            waits.append(time.perf_counter() - began)
            time.sleep(_READING)
    return waits


def _wait_alone(_workspace: Workspace, _path: Path) -> None:
    time.sleep(_ALONE)  # what the machine itself, and who else is at work on it, makes one wait


def _import_table(workspace: Workspace, path: Path) -> None:
    imported = import_verdicts(workspace, path)
    if imported.unfit:
        raise RuntimeError(f"line {imported.unfit[0].line}: {imported.unfit[0].reason}")


def _import_mappings(workspace: Workspace, path: Path) -> None:
    import_sssom(workspace, path)


def _merge_file(workspace: Workspace, path: Path) -> None:
    merge_answers(workspace, [path])


def _export_table(workspace: Workspace, path: Path) -> None:
    write_verdicts(workspace, path)


def _check_log(workspace: Workspace, _path: Path) -> None:
    check_log(workspace)


def _write_answers(folder: Path, path: Path, count: int) -> Path:
    """Answer the study over and over in another workspace, and return the file that comes back."""
    _make_study(folder)
    with closing(Workspace(folder)) as workspace:
        judging = Judging(workspace, 1, "Anna")
        head, judge = judging.study.head, Judge("Anna")
        start = datetime(2026, 1, 1, tzinfo=UTC)
        rows = []
        for number in range(count):
            turn = judging.turns[number % len(judging.turns)]
            at = (start + timedelta(seconds=number)).isoformat(timespec="milliseconds")
            details = details_of(turn, active_ms=0, wall_ms=0, looked_up=False)
            answer = Answer(head.answers[number % 2].answer, "", at, at, details=details)
            rows.append((judge, turn.about(head), answer, None))
        with workspace.store.writing() as connection:
            append_rows(connection, rows)
        write_answers(workspace, 1, "Anna", path)
    return path


def _make_study(folder: Path) -> None:
    terms = [f"term {index}" for index in range(_PAIRS)]
    pool = PairPool("made up", terms, [f"other {term}" for term in terms], [1, 0] * (_PAIRS // 2))
    scale = find_scale(next(iter(scales())))
    plan = StudyPlan("Log", ["Anna", "Ben"], scale, each=_PAIRS, practice=0, repeat=0.0)
    with closing(Workspace(folder)) as workspace:
        new_study(workspace, plan, [pool])


@contextmanager
def _open_tsv(path: Path) -> Iterator[Callable[[tuple[object, ...]], object]]:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8", newline="") as file:
        yield csv.writer(file, delimiter="\t", lineterminator="\n").writerow


def write_verdicts_table(path: Path, count: int) -> None:
    """Write a table of curators' verdicts that are made up."""
    with _open_tsv(path) as write:
        write(HEADER)
        for row in range(count):
            subject = row * 7919 % _SUBJECTS
            at = f"2026-{1 + row % 9:02}-{1 + row // 9 % 28:02}T{row % 24:02}:{row % 60:02}"
            at += f":{row // 60 % 60:02}.{row % 1000:03}+00:00"
            write(
                (row, f"Curator {row % _JUDGES}", "", "skos:exactMatch", f"A:{subject}", "",
                 f"B:{subject}", 1, ("correct", "wrong", "unsure")[row % 3], "seen in the notes",
                 at, at, "", "{}")
            )  # fmt: skip


def _write_mappings(path: Path, count: int) -> None:
    path.write_text("#mapping_set_id: https://example.org/set\n", "utf-8")
    columns = ("subject_id", "subject_label", "predicate_id", "object_id", "object_label")
    with _open_tsv(path) as write:
        write((*columns, "mapping_justification", "author_label", "mapping_date", "confidence"))
        for row in range(count):
            write(
                (f"C:{row}", f"name {row}", "skos:exactMatch", f"D:{row}", f"other name {row}",
                 "semapv:ManualMappingCuration", f"Curator {row % _JUDGES}", "2026-03-01", "0.9")
            )  # fmt: skip
