"""Light workers on one table: killed and started anew by the hundred, on a file or a server."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import random
import time
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from termexplorer.bench.team.cluster import OWNER, Cluster
from termexplorer.replicate.work.joining import keep_tasks_on
from termexplorer.replicate.work.worker import StudyWorker, open_tasks
from termexplorer.services.team.passwords import VARIABLE
from termexplorer.store.tasks.task_table import StoredStudy, TaskKey, TaskTable
from termexplorer.store.team.server import TeamError
from termexplorer.trainer.training.epochs import Unattended

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_LEASE = 1.0  # seconds
_PIECES = 5  # of a task
_PAUSE = 0.01  # seconds that a piece takes, at most
_GAP = 0.04  # seconds between two kills, at most
_KILLS_PER_RESTART = 20
_LONGEST = 900.0  # seconds without another piece
_DATABASE = "work"


@dataclass(frozen=True)
class LightSize:
    """How much is tried.

    Attributes:
        workers: that run at once.
        tasks: of a round; rounds follow each other until all kills are done.
        kills: of workers, and restarts of the server where there is one.
    """

    workers: int
    tasks: int
    kills: int


@dataclass(frozen=True)
class WorkOutcome:
    """What became of the pieces of tasks whose workers were killed.

    Attributes:
        database: that held them.
        pieces: that were to be finished.
        kills: of workers.
        restarts: of the server.
        lost: pieces that are missing, or were acknowledged and are not there.
        doubled: pieces that two workers were finished to have finished.
        wrong: pieces with other values than those of one worker alone.
    """

    database: str
    pieces: int
    kills: int
    restarts: int
    lost: int
    doubled: int
    wrong: int


class _LightProcess:
    """A worker that is forked, and tells each piece that it finished."""

    def __init__(self, folder: Path, seed: int) -> None:
        context = multiprocessing.get_context("fork")  # which is there at once
        self._pipe, theirs = context.Pipe(duplex=False)
        self._process = context.Process(target=_run_light, args=(folder, seed, theirs), daemon=True)
        self._process.start()
        theirs.close()
        self.finished: list[TaskKey] = []

    def is_alive(self) -> bool:
        return self._process.is_alive()

    def kill(self) -> list[TaskKey]:
        """Kill it at whatever it is; return what it was finished to have finished."""
        self._process.kill()
        self._process.join()
        self.read()
        self._pipe.close()
        return self.finished

    def read(self) -> None:
        """Take in what it tells, so that it waits for nobody."""
        with suppress(EOFError, OSError):
            while self._pipe.poll():
                self.finished.append(self._pipe.recv())


class _PieceWatch:
    """Watches the number of finished pieces grow."""

    def __init__(self) -> None:
        self._count, self._grown = 0, time.monotonic()

    def has_grown(self, count: int) -> bool:
        """Return whether there are more pieces than at the call before.

        Raises:
            TimeoutError: there have been no more for very long.
        """
        if count > self._count:
            self._count, self._grown = count, time.monotonic()
            return True
        if time.monotonic() - self._grown > _LONGEST:
            raise TimeoutError("workers do not finish their tasks")
        return False


def _run_light(folder: Path, seed: int, pipe: Connection[TaskKey, object]) -> None:
    draw = random.Random(seed)  # noqa: S311 - instants, no secrets
    with suppress(InterruptedError, TeamError), closing(open_tasks(folder, _LEASE)) as table:
        worker = StudyWorker(table, f"{seed}-{os.getpid()}", Unattended())

        def run_task(task: TaskKey) -> None:
            for number in range(_PIECES):
                key = (*task, number)
                if not table.has_piece(key):
                    time.sleep(draw.random() * _PAUSE)
                    worker.put(key, {"value": _compute_value(key)})
                    pipe.send(key)

        worker.work_off(run_task)


def _compute_value(key: TaskKey) -> str:
    return hashlib.sha256(repr(key).encode()).hexdigest()


def kill_light_workers(
    folder: Path, size: LightSize, seed: int, server: Cluster | None
) -> WorkOutcome:
    """Have workers share tasks while they are killed, and check every piece in the end.

    Args:
        folder: that is made for the study.
        size: how much.
        seed: of the instants.
        server: that holds the tasks, and is restarted meanwhile; None: a file of the folder.
    """
    folder.mkdir(parents=True)
    draw = random.Random(seed)  # noqa: S311 - instants, no secrets
    if server is not None:
        os.environ[VARIABLE] = server.password
        server.run_sql(f"CREATE DATABASE {_DATABASE}")
        keep_tasks_on(folder, server.address(OWNER, _DATABASE))
    acknowledged: Counter[TaskKey] = Counter()
    kills = restarts = rounds = 0
    with closing(open_tasks(folder, _LEASE)) as table:
        table.put_study(StoredStudy("bench", {}, {}))
        while kills < size.kills:
            rounds += 1
            table.put_tasks([(n, t) for n in range(rounds) for t in range(size.tasks)])
            wanted = size.kills - kills
            fallen, again = _run_round(folder, table, size, draw, wanted, server, acknowledged)
            kills, restarts = kills + fallen, restarts + again
        records = table.read_pieces()
    expected = [(n, t, p) for n in range(rounds) for t in range(size.tasks) for p in range(_PIECES)]
    return WorkOutcome(
        "SQLite" if server is None else "PostgreSQL",
        len(expected),
        kills,
        restarts,
        lost=len({*expected, *acknowledged} - records.keys()),
        doubled=sum(count > 1 for count in acknowledged.values()),
        wrong=sum(record != {"value": _compute_value(key)} for key, record in records.items()),
    )


def _run_round(
    folder: Path,
    table: TaskTable,
    size: LightSize,
    draw: random.Random,
    wanted: int,
    server: Cluster | None,
    acknowledged: Counter[TaskKey],
) -> tuple[int, int]:
    """Work all open tasks off; return how often workers were killed, and the server restarted."""

    def start() -> _LightProcess:
        return _LightProcess(folder, draw.randrange(1 << 30))

    kills = restarts = 0
    workers = [start() for _ in range(size.workers)]
    progress = _PieceWatch()
    while (counts := table.count_tasks()).open or counts.taken:
        time.sleep(draw.random() * _GAP)
        for number, worker in enumerate(workers):
            worker.read()
            if not worker.is_alive():  # it came while the server was down, or found no task
                acknowledged.update(worker.kill())
                workers[number] = start()
        finished = acknowledged.total() + sum(len(worker.finished) for worker in workers)
        # on a busy machine kills alone would leave no worker time for a task
        if not progress.has_grown(finished) or kills >= wanted:
            continue
        number = draw.randrange(size.workers)
        acknowledged.update(workers[number].kill())
        kills += 1
        workers[number] = start()
        if server is not None and kills % _KILLS_PER_RESTART == 0:
            server.restart_at_once()
            restarts += 1
    for worker in workers:
        acknowledged.update(worker.kill())
    return kills, restarts
