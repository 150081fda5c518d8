"""A real study, run once by one worker, and once by workers that are killed: the same bytes."""

import json
import random
import subprocess
import sys
import time
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from termexplorer.replicate.studies import AskedStudy, prepare, replicate
from termexplorer.replicate.work.joining import read_state
from termexplorer.replicate.work.pieces import RESULTS_FILE
from termexplorer.workers.process.supervision import JobControl

_OURSELVES = (sys.executable, "-c", "from termexplorer.cli.main import run; run()")
_LEASE = 5.0  # seconds
_FIRST_GAP, _GAP = 6.0, 6.0  # seconds in which a worker gets to its first task, and until it dies
_LONGEST = 1_800.0  # seconds
_DIMENSION = 16
_WORDS = (
    ("heart", "lung", "kidney"),
    ("tumour", "infection", "injury"),
    ("left", "right"),
    ("viral", "chronic"),
    ("mild", "severe", "late", "acute"),
)


@dataclass(frozen=True)
class StudyOutcome:
    """What a study came to whose workers were killed.

    Attributes:
        tasks: of the study.
        kills: of workers.
        same: whether its results are the bytes of one worker alone, but for measured times.
    """

    tasks: int
    kills: int
    same: bool


def kill_study_workers(folder: Path, kills: int, seed: int) -> StudyOutcome:
    """Run a study of levels twice, the second time by workers that are killed.

    Args:
        folder: that is made for both.
        kills: of workers.
        seed: of the instants.
    """
    folder.mkdir(parents=True)
    draw = random.Random(seed)  # noqa: S311 - instants, no secrets
    study = _write_study(folder, seeds=kills)
    alone, shared = folder / "alone", folder / "shared"
    values = {name: getattr(study, name) for name in study.__slots__}
    _run_study(AskedStudy(**{**values, "out": alone}))
    prepared = AskedStudy(**{**values, "out": shared})
    prepare(prepared, JobControl(), lambda _message: None)
    killed = _kill_workers(shared, kills, draw)
    _run_study(prepared)
    counts = read_state(shared).counts
    same = _read_results(alone) == _read_results(shared)
    return StudyOutcome(counts.done, killed, same and not counts.open + counts.taken)


def _run_study(study: AskedStudy) -> None:
    replicate(study, JobControl(), lambda _message: None)


def _kill_workers(folder: Path, kills: int, draw: random.Random) -> int:
    """Work tasks off by two workers, one of which is killed again and again."""
    command = [*_OURSELVES, "work", str(folder), "--lease", str(_LEASE)]
    killed, end = 0, time.monotonic() + _LONGEST

    def start() -> subprocess.Popen[bytes]:
        return subprocess.Popen(  # noqa: S603 - this program
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    workers = [start(), start()]
    try:
        while any(worker.poll() is None for worker in workers):
            if time.monotonic() > end:
                raise TimeoutError("workers do not finish their tasks")
            time.sleep(_FIRST_GAP + draw.random() * _GAP)
            number = draw.randrange(len(workers))
            if killed < kills and workers[number].poll() is None:
                workers[number].kill()
                workers[number].wait()
                killed += 1
                workers[number] = start()
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()
    return killed


def _read_results(folder: Path) -> list[str]:
    """Return the lines of a study's results, without the seconds that were measured."""
    records = [json.loads(x) for x in (folder / RESULTS_FILE).read_text("utf-8").splitlines()]
    for record in records:
        record.get("facts", {}).pop("seconds", None)
    return [json.dumps(record) for record in records]


def _write_study(folder: Path, seeds: int) -> AskedStudy:
    """Write an ontology of four levels with names below, and vectors of their words."""
    stanzas = ["format-version: 1.2\nontology: bench\n", _write_term(0, "disease", None)]
    numbers: dict[tuple[str, ...], int] = {(): 0}
    for depth in range(1, len(_WORDS) + 1):
        for words in product(*_WORDS[:depth]):
            numbers[words] = len(numbers)
            name = " ".join((*words[::-1], "disease"))
            stanzas.append(_write_term(numbers[words], name, numbers[words[:-1]]))
    ontology = folder / "bench.obo"
    ontology.write_text("\n".join(stanzas), "utf-8")
    draw = random.Random(0)  # noqa: S311 - vectors, no secrets
    tokens = sorted({"disease", "the", *(word for level in _WORDS for word in level)})
    lines = [
        " ".join((token, *(f"{draw.gauss(0, 1):.4f}" for _ in range(_DIMENSION))))
        for token in tokens
    ]
    vectors = folder / "bench.vec"
    vectors.write_text("\n".join((f"{len(tokens)} {_DIMENSION}", *lines)) + "\n", "utf-8")
    return AskedStudy(
        paper="HLS",
        out=folder,
        ontologies=(str(ontology),),
        vectors=str(vectors),
        roots=("BENCH:0",),
        seeds=seeds,
        changes={"hidden": 64, "maximum_epochs": 20},
    )


def _write_term(number: int, name: str, parent: int | None) -> str:
    synonym = f'synonym: "the {name}" EXACT []\n'
    is_a = "" if parent is None else f"is_a: BENCH:{parent}\n"
    return f"[Term]\nid: BENCH:{number}\nname: {name}\n{synonym}{is_a}"
