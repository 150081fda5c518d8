"""Measuring the board cell by cell; a cell that is finished is not measured again."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from termexplorer.errors import UserError
from termexplorer.files import atomic_write
from termexplorer.replicate.board.encoders import (
    ENCODERS,
    BoardRequest,
    OpenedEncoder,
)
from termexplorer.replicate.board.sources import BoardSizes, BoardSources
from termexplorer.replicate.board.table import (
    BOARD_FILE,
    BoardCell,
    BoardResults,
    BoardRow,
    BoardTitle,
)
from termexplorer.replicate.board.tasks import TASKS, Measure
from termexplorer.replicate.study.folder import held, usable
from termexplorer.replicate.work.pieces import (
    FinishedPieces,
    Key,
    StoredPieces,
    begin_study,
    select_pieces,
    write_pieces,
)
from termexplorer.replicate.work.worker import (
    HEAD,
    StudyWorker,
    WorkerRequest,
    open_tasks,
)
from termexplorer.store.tasks.task_table import FAILED, LEFT_OUT, StoredStudy, TaskTable
from termexplorer.texts import tr
from termexplorer.trainer.training.epochs import Unattended
from termexplorer.workers.process.child import Channel, trainer_errors

Report = Callable[[float, str], None]

BOARD = "board"

_OPENING = "opening"  # in the place of a task: what opening or training an encoder took


@dataclass(frozen=True, slots=True)
class BoardOutcome:
    """What a board came to.

    Attributes:
        results: of all encoders and tasks that were asked for.
        left_out: why an encoder is not there, by its title.
    """

    results: BoardResults
    left_out: Mapping[str, str]


@dataclass(slots=True)
class _BoardRun:
    request: BoardRequest
    encoders: Sequence[str]
    tasks: Sequence[str]
    results: StoredPieces
    worker: StudyWorker
    report: Report
    measures: dict[str, Measure] = field(default_factory=dict)

    def measure_encoder(self, task_key: Key) -> None:
        """Open an encoder and measure what is not there yet."""
        key = str(task_key[0])
        missing = [task for task in self.tasks if (key, task) not in self.results]
        if not missing:
            return
        title = ENCODERS[key].title
        fraction = self.encoders.index(key) / len(self.encoders)
        self.report(fraction, title)
        opened = self._open_encoder(key)
        for task in missing:
            self.worker.tick()
            self.report(fraction, f"{title}: {TASKS[task].title}")
            if task not in self.measures:
                self.measures[task] = TASKS[task].prepare(self.request.sources)
            start, cpu_start = perf_counter(), process_time()
            figure = self.measures[task](opened.similarities)
            spent = _measure_time(start, cpu_start)
            values = {"value": figure.value, "low": figure.low, "high": figure.high}
            self.worker.put((key, task), {**values, "n": figure.n, **spent})

    def _open_encoder(self, key: str) -> OpenedEncoder:
        start, cpu_start = perf_counter(), process_time()
        opened = ENCODERS[key].open(self.request)
        if (key, _OPENING) not in self.results:
            spent = _measure_time(start, cpu_start)
            self.worker.put((key, _OPENING), {"note": opened.note, **spent})
        return opened


def measure_board(
    request: BoardRequest,
    encoders: Sequence[str] = (),
    tasks: Sequence[str] = (),
    report: Report = lambda fraction, text: None,
) -> BoardOutcome:
    """Measure encoders on tasks, and write what they came to as `board.json` into the folder.

    Args:
        request: what the encoders are made of; what is finished in its folder stands.
        encoders: of `ENCODERS`; all by default.
        tasks: of `TASKS`; all by default.
        report: is told the share of encoders that is done, and the step.

    Raises:
        UserError: an encoder or a task is not known, data are missing, or the folder holds
            another board.
    """
    encoders = _check_keys(encoders, tuple(ENCODERS))
    tasks = _check_keys(tasks, tuple(TASKS))
    with held(request.folder), usable(request.folder), trainer_errors():
        with _begun_board(request, encoders, tasks) as table:
            worker = StudyWorker(table, HEAD, Unattended())
            run = _BoardRun(request, encoders, tasks, StoredPieces(table), worker, report)
            worker.work_off(run.measure_encoder)
            for reason in table.list_reasons(FAILED).values():  # of another worker
                raise UserError(reason)
            reasons = table.list_reasons(LEFT_OUT)
            keys = [(key, task) for key in encoders for task in (_OPENING, *tasks)]
            results = _gather_results(select_pieces(table, keys), encoders, tasks)
            write_pieces(table, request.folder, keys)
        with atomic_write(request.folder / BOARD_FILE) as fresh:
            fresh.write_text(json.dumps(asdict(results), indent=1) + "\n", encoding="utf-8")
    titles = {ENCODERS[str(key[0])].title: reason for key, reason in reasons.items()}
    return BoardOutcome(results, titles)


def prepare_board(
    request: BoardRequest, encoders: Sequence[str] = (), tasks: Sequence[str] = ()
) -> None:
    """Write down the tasks of a board, and measure nothing; see `measure_board`.

    Raises:
        UserError: an encoder or a task is not known, or the folder holds another board.
    """
    encoders = _check_keys(encoders, tuple(ENCODERS))
    tasks = _check_keys(tasks, tuple(TASKS))
    with (
        held(request.folder),
        usable(request.folder),
        _begun_board(request, encoders, tasks),
    ):
        pass


def take_board_tasks(values: Mapping[str, Any], wanted: WorkerRequest, channel: Channel) -> None:
    """Measure encoders of a board until none is left.

    Args:
        values: the request, as it is in the table.
        wanted: the worker.
        channel: to report by and be stopped by.

    Raises:
        UserError: data are missing.
        InterruptedError: it was stopped; what was finished is kept.
    """
    transformer = values["transformer"]
    request = BoardRequest(
        BoardSources(Path(values["data"]), BoardSizes(**values["sizes"])),
        wanted.folder,
        None if transformer is None else Path(transformer),
        values["quick"],
    )
    encoders, tasks = values["encoders"], values["tasks"]
    with trainer_errors(), closing(open_tasks(wanted.folder, wanted.lease)) as table:
        worker = StudyWorker(table, wanted.worker, channel)
        pieces = StoredPieces(table)
        run = _BoardRun(request, encoders, tasks, pieces, worker, channel.progress)
        worker.work_off(run.measure_encoder)


@contextmanager
def _begun_board(
    request: BoardRequest, encoders: Sequence[str], tasks: Sequence[str]
) -> Iterator[TaskTable]:
    """The table of a board's tasks: an encoder each, whose cells are its pieces."""
    sizes = asdict(request.sources.sizes)
    asked = {"board": 1, "sizes": sizes, "quick": request.quick}
    transformer = request.transformer
    values = {
        "data": str(request.sources.folder.resolve()),
        "sizes": sizes,
        "transformer": None if transformer is None else str(transformer.resolve()),
        "quick": request.quick,
        "encoders": list(encoders),
        "tasks": list(tasks),
    }
    with closing(open_tasks(request.folder)) as table:
        begin_study(table, request.folder, StoredStudy(BOARD, asked, values))
        table.put_tasks([(key,) for key in encoders])
        finished = table.read_pieces()
        for key in encoders:
            if any((key, task) not in finished for task in tasks):
                table.reopen_task((key,))
        yield table


def _check_keys(asked: Sequence[str], known: Sequence[str]) -> Sequence[str]:
    for key in asked:
        if key not in known:
            raise UserError(
                tr(
                    "the board has no {key!r}; choose of {known}",
                    key=key,
                    known=", ".join(known),
                )
            )
    return [key for key in known if key in asked] if asked else known


def _measure_time(start: float, cpu_start: float) -> dict[str, float]:
    return {
        "seconds": round(perf_counter() - start, 2),
        "cpu_seconds": round(process_time() - cpu_start, 2),
    }


def _gather_results(
    pieces: FinishedPieces, encoders: Sequence[str], tasks: Sequence[str]
) -> BoardResults:
    rows = []
    for key in encoders:
        if (key, _OPENING) not in pieces:
            continue
        opening = pieces[key, _OPENING]
        cells = {
            task: BoardCell(
                **{name: value for name, value in pieces[key, task].items() if name != "key"}
            )
            for task in tasks
            if (key, task) in pieces
        }
        entry = ENCODERS[key]
        rows.append(
            BoardRow(
                entry.title, entry.kind, entry.over_built_in, opening["note"],
                opening["seconds"], opening["cpu_seconds"], cells,
            )
        )  # fmt: skip
    titles = {
        task: BoardTitle(TASKS[task].title, TASKS[task].metric, TASKS[task].learned)
        for task in tasks
    }
    return BoardResults(titles, tuple(rows))
