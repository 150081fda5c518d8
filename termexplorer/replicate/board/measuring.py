"""Measuring the board cell by cell; a cell that is finished is not measured again."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from time import perf_counter, process_time

from termexplorer.errors import UserError
from termexplorer.files import atomic_write
from termexplorer.replicate.board.encoders import (
    ENCODERS,
    BoardRequest,
    MissingEncoderError,
    OpenedEncoder,
)
from termexplorer.replicate.board.table import (
    BOARD_FILE,
    BoardCell,
    BoardResults,
    BoardRow,
    BoardTitle,
)
from termexplorer.replicate.board.tasks import TASKS, Measure
from termexplorer.replicate.results import Results
from termexplorer.replicate.study.folder import usable
from termexplorer.texts import tr
from termexplorer.workers.process.child import trainer_errors

Report = Callable[[float, str], None]

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
    tasks: Sequence[str]
    results: Results
    report: Report
    measures: dict[str, Measure] = field(default_factory=dict)

    def measure_encoder(self, key: str, fraction: float) -> None:
        """Open an encoder and measure what is not there yet."""
        missing = [task for task in self.tasks if (key, task) not in self.results]
        if not missing:
            return
        title = ENCODERS[key].title
        self.report(fraction, title)
        opened = self._open_encoder(key)
        for task in missing:
            self.report(fraction, f"{title}: {TASKS[task].title}")
            if task not in self.measures:
                self.measures[task] = TASKS[task].prepare(self.request.sources)
            start, cpu_start = perf_counter(), process_time()
            figure = self.measures[task](opened.similarities)
            spent = _measure_time(start, cpu_start)
            values = {"value": figure.value, "low": figure.low, "high": figure.high}
            self.results.put((key, task), {**values, "n": figure.n, **spent})

    def _open_encoder(self, key: str) -> OpenedEncoder:
        start, cpu_start = perf_counter(), process_time()
        opened = ENCODERS[key].open(self.request)
        if (key, _OPENING) not in self.results:
            spent = _measure_time(start, cpu_start)
            self.results.put((key, _OPENING), {"note": opened.note, **spent})
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
    asked = {"board": 1, "sizes": asdict(request.sources.sizes), "quick": request.quick}
    left_out: dict[str, str] = {}
    with usable(request.folder), trainer_errors():
        request.folder.mkdir(parents=True, exist_ok=True)
        run = _BoardRun(request, tasks, Results(request.folder, asked), report)
        for number, key in enumerate(encoders):
            try:
                run.measure_encoder(key, number / len(encoders))
            except MissingEncoderError as error:
                left_out[ENCODERS[key].title] = str(error)
        results = _gather_results(run, encoders)
        with atomic_write(request.folder / BOARD_FILE) as fresh:
            fresh.write_text(json.dumps(asdict(results), indent=1) + "\n", encoding="utf-8")
    return BoardOutcome(results, left_out)


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


def _gather_results(run: _BoardRun, encoders: Sequence[str]) -> BoardResults:
    rows = []
    for key in encoders:
        if (key, _OPENING) not in run.results:
            continue
        opening = run.results[key, _OPENING]
        cells = {
            task: BoardCell(
                **{name: value for name, value in run.results[key, task].items() if name != "key"}
            )
            for task in run.tasks
            if (key, task) in run.results
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
        for task in run.tasks
    }
    return BoardResults(titles, tuple(rows))
