"""Verdicts that were acknowledged outlive a killed program and a power cut, none of them twice."""

from __future__ import annotations

import multiprocessing
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from dataclasses import asdict, dataclass
from itertools import count, islice
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

from termexplorer.bench.faults.synced_files import SyncedFiles
from termexplorer.bench.figure import BenchContext, BenchFigure, not_measured
from termexplorer.errors import UserError
from termexplorer.services.pairs.sampling import PairPool
from termexplorer.services.studies.judging import Judging, Seen
from termexplorer.services.studies.presets import find_scale, scales
from termexplorer.services.studies.studies import StudyPlan, find_study, new_study
from termexplorer.services.verdicts.log import check_log, now
from termexplorer.store.judging import verdicts
from termexplorer.store.judging.verdicts import Judge
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    Notes = Connection[str, None]
    Begin = Callable[[], AbstractContextManager[object]]

_ROUNDS, _QUICK = 200, 10
_ANNOTATOR = "Anna"
_PAIRS = 40
_LONGEST = 0.25  # seconds that an annotator judges before it happens


@dataclass(frozen=True)
class Survived:
    """What became of verdicts over some rounds.

    Attributes:
        rounds: how often the program was killed, or the power cut.
        acknowledged: verdicts after which the annotator would have been shown the next pair.
        lost: those of them that are not in the log.
        doubled: those that are there more than once.
    """

    rounds: int
    acknowledged: int
    lost: int
    doubled: int


def run(context: BenchContext) -> list[BenchFigure]:
    """Judge pairs in a process that is killed at any instant, as often as the round says."""
    if sys.platform != "linux":
        return [not_measured("durability", "measured on Linux alone")]
    rounds = _QUICK if context.quick else _ROUNDS
    kills = killed(context.folder / "kills", rounds, seed=0)
    cuts = power_cut(context.folder / "cuts", rounds, seed=0)
    return [
        _durability_figure("kills", "killed while judging", kills),
        _durability_figure("power_cuts", "power cut while judging: what was synced is kept", cuts),
    ]


def _durability_figure(key: str, title: str, survived: Survived) -> BenchFigure:
    name = f"verdicts lost or doubled of {survived.acknowledged:,}; {survived.rounds} × {title}"
    wrong = survived.lost + survived.doubled
    ok = wrong == 0 and survived.acknowledged > survived.rounds
    return BenchFigure(name, wrong, "", "", None, None, "none", ok, {key: asdict(survived)})


def killed(folder: Path, rounds: int, seed: int) -> Survived:
    """Kill the program; it goes on in the same files."""
    live = make_study_workspace(folder / "live")
    return _run_rounds(live, lambda: live, nullcontext, rounds, seed)


def power_cut(folder: Path, rounds: int, seed: int, *, honest: bool = True) -> Survived:
    """Cut the power; what was synced is found after it, and nothing else.

    Args:
        folder: to work in.
        rounds: how often.
        seed: of the instants.
        honest: False for a disk that does not keep what it says to have synced: it loses verdicts.
    """
    live, synced = folder / "live", folder / "synced"
    make_study_workspace(synced)

    def after() -> Path:
        shutil.rmtree(live, ignore_errors=True)
        shutil.copytree(synced, live)
        return live

    return _run_rounds(after(), after, lambda: SyncedFiles(synced, honest=honest), rounds, seed)


def _run_rounds(
    folder: Path,
    after: Callable[[], Path],
    begin: Begin,
    rounds: int,
    seed: int,
) -> Survived:
    draw = random.Random(seed)  # noqa: S311 - instants, no secrets
    acknowledged: list[str] = []
    for number in range(rounds):
        acknowledged += _judged_until_killed(folder, begin, number, draw.random() * _LONGEST)
        folder = after()
    return _count_survived(folder, _ANNOTATOR, acknowledged, rounds)


def _count_survived(
    folder: Path, annotator: str, acknowledged: Sequence[str], rounds: int
) -> Survived:
    """Return what became of the verdicts of an annotator that were acknowledged."""
    with closing(Workspace(folder)) as workspace:
        check_log(workspace)
        with workspace.store.reading() as connection:
            study = find_study(workspace, 1).head.key
            rows = verdicts.history(connection, study, Judge(annotator))
    notes = [row.answer.note for row in rows]
    lost = sum(note not in set(notes) for note in acknowledged)
    return Survived(rounds, len(acknowledged), lost, len(notes) - len(set(notes)))


def _judged_until_killed(
    folder: Path, begin: Begin, number: int, seconds: float, annotator: str = _ANNOTATOR
) -> list[str]:
    """Return the notes of the verdicts that were acknowledged in a round."""
    context = multiprocessing.get_context("fork")  # a round begins at once
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(
        target=_judge_until_killed, args=(folder, begin, number, theirs, annotator)
    )
    process.start()
    theirs.close()
    notes = [ours.recv()]
    time.sleep(seconds)
    process.kill()
    process.join()
    if process.exitcode != -signal.SIGKILL:
        raise RuntimeError(f"the annotator's process ended by itself ({process.exitcode})")
    with suppress(EOFError), closing(ours):
        while True:
            notes.append(ours.recv())
    return notes


def _judge_until_killed(
    folder: Path, begin: Begin, number: int, connection: Notes, annotator: str
) -> None:
    """Judge one pair after the other, again and again, and tell of each verdict once it is kept."""
    with begin():
        for note in _judge_on(Workspace(folder), annotator, str(number)):
            connection.send(note)


def _judge_on(workspace: Workspace, annotator: str, prefix: str) -> Iterator[str]:
    """Judge without an end, and yield the note of each verdict once it is kept."""
    judging = Judging(workspace, 1, annotator)
    answers = [answer.answer for answer in judging.study.head.answers]
    for position in count():
        turn = judging.turns[position % len(judging.turns)]
        note = f"{prefix}.{position}"
        judging.judge(turn, answers[position % len(answers)], Seen(now(), 0, 0), note)
        yield note


def judge_some(folder: Path, verdicts_wanted: int) -> list[str]:
    """Judge pairs of the study of `make_study_workspace`, and return the notes of the verdicts."""
    with closing(Workspace(folder)) as workspace:
        return list(islice(_judge_on(workspace, _ANNOTATOR, "note"), verdicts_wanted))


def judge_more(folder: Path, prefix: str, verdicts_wanted: int) -> Iterator[str]:
    """Judge pairs, and yield the note of each verdict once it is acknowledged."""
    with closing(Workspace(folder)) as workspace:
        yield from islice(_judge_on(workspace, _ANNOTATOR, prefix), verdicts_wanted)


def judge_into_nothing(folder: Path, take_away: Callable[[], None]) -> list[str]:
    """Judge after the store was taken away, and return the notes that were acknowledged."""
    with closing(Workspace(folder)) as workspace:
        judged = _judge_on(workspace, _ANNOTATOR, "gone")
        next(judged)
        take_away()
        try:
            return [next(judged)]
        except UserError:
            return []


def judge_by_several(folder: Path, writers: int, seconds: float) -> Survived:
    """Have annotators judge at the same time, each in a process that is killed in the end.

    The workspace has their study already, where it is there.
    """
    names = name_writers(writers)
    if not folder.exists():
        make_study_workspace(folder, names)
    with ThreadPoolExecutor(writers) as pool:
        jobs = [
            pool.submit(_judged_until_killed, folder, nullcontext, number, seconds, name)
            for number, name in enumerate(names)
        ]
        acknowledged_notes = [job.result() for job in jobs]
    survived = [
        _count_survived(folder, name, acknowledged, 1)
        for name, acknowledged in zip(names, acknowledged_notes, strict=True)
    ]
    totals = (
        sum(getattr(outcome, field) for outcome in survived)
        for field in ("acknowledged", "lost", "doubled")
    )
    return Survived(1, *totals)


def name_writers(writers: int) -> list[str]:
    """Return the names of so many annotators."""
    return [f"{_ANNOTATOR}{number}" for number in range(writers)]


def make_study_workspace(folder: Path, annotators: Sequence[str] = (_ANNOTATOR,)) -> Path:
    """Return a workspace with a study of pairs that are made up."""
    terms = [f"term {index}" for index in range(_PAIRS)]
    pool = PairPool("made up", terms, [f"other {term}" for term in terms], [1, 0] * (_PAIRS // 2))
    scale = find_scale(next(iter(scales())))
    plan = StudyPlan("Durability", list(annotators), scale, each=_PAIRS, practice=0, repeat=0.0)
    with closing(Workspace(folder)) as workspace:
        new_study(workspace, plan, [pool])
    return folder
