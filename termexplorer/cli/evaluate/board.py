"""The command `board`: many encoders measured on many open tasks, and the page that says which."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from termexplorer.cli.options import JsonOption, options_from_dataclass, out_file, out_folder
from termexplorer.cli.output import figure_cell, print_json, print_line, print_table, progress_bar
from termexplorer.cli.work.options import (
    DatabaseOption,
    PrepareOption,
    keep_database,
    print_prepared,
)
from termexplorer.texts import figure_text
from termexplorer.workers.process.protocol import JobProgress

if TYPE_CHECKING:
    from termexplorer.replicate.board.measuring import BoardOutcome
    from termexplorer.replicate.board.table import BoardCell, BoardResults


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardOptions:
    """What a board is asked."""

    data: Annotated[
        Path, typer.Option(metavar="DIR", help="Open data: ontologies/, benchmarks/ and so on.")
    ]
    out: Annotated[
        Path,
        typer.Option(
            metavar="DIR",
            help="Of what is measured and trained; goes on there.",
            callback=out_folder,
        ),
    ]
    transformer: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="all-MiniLM-L6-v2; else it and model2vec of it are left out."
        ),
    ] = None
    encoders: Annotated[
        str, typer.Option(metavar="NAMES", help="Such as tfidf,built-in; all by default.")
    ] = ""
    tasks: Annotated[
        str, typer.Option(metavar="NAMES", help="Such as mayosrs,bc5cdr; all by default.")
    ] = ""
    quick: Annotated[
        bool, typer.Option("--quick", help="Small samples and networks, in minutes: a trial.")
    ] = False
    page: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A page whose tables, between its markers, are written anew.",
            callback=out_file(".md"),
        ),
    ] = None
    database: DatabaseOption = ""
    prepare: PrepareOption = False
    json: JsonOption = False


@options_from_dataclass
def board_command(asked: BoardOptions) -> None:
    """Measure 20 encoders on 12 open tasks, with intervals, to see which one to take.

    `wordllama` and `model2vec` are measured where they are installed.
    """
    from termexplorer.replicate.board.encoders import BoardRequest
    from termexplorer.replicate.board.measuring import measure_board, prepare_board
    from termexplorer.replicate.board.sources import QUICK, BoardSizes, BoardSources
    from termexplorer.replicate.board.table import BOARD_FILE, write_page

    sources = BoardSources(asked.data, QUICK if asked.quick else BoardSizes())
    request = BoardRequest(sources, asked.out, asked.transformer, asked.quick)
    encoders, tasks = _split_names(asked.encoders), _split_names(asked.tasks)
    keep_database(asked.out, asked.database)
    if asked.prepare:
        prepare_board(request, encoders, tasks)
        print_prepared(asked.out, json=asked.json)
        return
    with progress_bar() as show:
        outcome = measure_board(
            request,
            encoders,
            tasks,
            lambda fraction, text: show(JobProgress(fraction, text)),
        )
    if asked.page is not None:
        write_page(asked.page, outcome.results)
    _print_outcome(outcome, str(asked.out / BOARD_FILE), json=asked.json)


def _print_outcome(outcome: "BoardOutcome", file: str, *, json: bool) -> None:
    figures = _list_figures(outcome.results)
    if json:
        missing = [
            {"encoder_title": title, "reason": reason} for title, reason in outcome.left_out.items()
        ]
        print_json({"file": file, "figures": figures, "left_out": missing})
        return
    columns = ("encoder title", "task", "metric", "value", "n")
    cells = [
        (row.title, task.title, task.metric, _show_figure(row.cells[key]), row.cells[key].n)
        for row in outcome.results.rows
        for key, task in outcome.results.tasks.items()
        if key in row.cells
    ]
    print_table(columns, cells)
    for title, reason in outcome.left_out.items():
        print_line(f"{title} is left out: {reason}")
    print_line(file)


def _list_figures(results: "BoardResults") -> list[dict[str, Any]]:
    return [
        {
            "encoder_title": row.title,
            "task": results.tasks[key].title,
            "metric": results.tasks[key].metric.lower(),
            "value": cell.value,
            "low": cell.low,
            "high": cell.high,
            "n": cell.n,
            "seconds": cell.seconds,
        }
        for row in results.rows
        for key, cell in row.cells.items()
    ]


def _split_names(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]


def _show_figure(cell: "BoardCell") -> object:
    value, low, high = (figure_text(number, ".3f") for number in (cell.value, cell.low, cell.high))
    return figure_cell(cell.value, cell.low, cell.high, f"{value} ({low} to {high})")
