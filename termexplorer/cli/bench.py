"""The command `bench`: every figure beside a limit or peer measured in the same run."""

import json as jsons
import os
import platform
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from termexplorer.bench import NAMES, bench
from termexplorer.bench.figure import BenchContext, BenchFigure
from termexplorer.cli.json_words import name_fields
from termexplorer.cli.options import JsonOption, out_file, out_folder
from termexplorer.cli.output import print_json, print_line, print_table
from termexplorer.errors import UserError

USUAL_ROUNDS, QUICK_ROUNDS = 1000, 10
_RELIABILITY, _GROWTH = "reliability", "growth"


def bench_command(
    name: Annotated[
        str,
        typer.Argument(
            help=f"One of {', '.join(NAMES)}, {_RELIABILITY}; else all but this and `growth`."
        ),
    ] = "",
    quick: Annotated[
        bool, typer.Option(help="Fewer repetitions; of `reliability` what takes a minute.")
    ] = False,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A folder of open data to measure on.")
    ] = None,
    transformer: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="all-MiniLM-L6-v2, which `built_in` is compared with."),
    ] = None,
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="Where the JSON goes.", callback=out_file(".json"))
    ] = Path("termexplorer-bench.json"),
    keep: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Where `growth` keeps what it measured, to go on with it.",
            callback=out_folder,
        ),
    ] = None,
    rounds: Annotated[
        int, typer.Option(min=1, help="Kills and power cuts of `reliability`.")
    ] = USUAL_ROUNDS,
    seed: Annotated[int, typer.Option(min=0, help="Of the instants of `reliability`.")] = 0,
    json: JsonOption = False,
) -> None:
    """Measure speed and memory, or `reliability`; nothing of your workspace is touched."""
    if getattr(sys, "frozen", False):
        raise UserError("a built program cannot measure itself; install termexplorer with pip")
    if name == _RELIABILITY:
        _try_faults(QUICK_ROUNDS if quick else rounds, seed, out, json, quick=quick)
        return
    if name and name not in NAMES:
        raise typer.BadParameter(f"there are {', '.join(NAMES)}", param_hint="NAME")
    figures: list[BenchFigure] = []
    with _open_folder(keep) as folder:
        folders = [path.resolve() if path else None for path in (data, transformer)]
        context = BenchContext(quick, folders[0], folder, folders[1])
        for bench_name in [name] if name else (n for n in NAMES if n != _GROWTH):
            figures += _measure_figures(bench_name, context, json)
    report = {"machine": _describe_machine()} | figures_object(figures)
    out.write_text(jsons.dumps(report, indent=1), "utf-8")
    if json:
        print_json(report)
    else:
        columns = ("figure", "value", "beside", "its value", "ratio", "goal", "met")
        print_table(columns, [_figure_row(figure) for figure in figures])
        print_line(f"written to {out}")


@contextmanager
def _open_folder(keep: Path | None) -> Iterator[Path]:
    """Yield a folder for what benches make: one that is kept, or one that goes."""
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        yield keep.resolve()
        return
    with tempfile.TemporaryDirectory(prefix="termexplorer-bench-") as folder:
        yield Path(folder)


def _try_faults(rounds: int, seed: int, out: Path, json: bool, *, quick: bool) -> None:
    from termexplorer.bench.reliability import CATALOGUE, QUICK, run_catalogue

    def tell(name: str) -> None:
        if not json:
            print_line(f"{name} …")

    results = run_catalogue(rounds, seed, tell, QUICK if quick else CATALOGUE)
    report = {
        "machine": _describe_machine(),
        "seed": seed,
        "faults": [name_fields(result, ok="met") for result in results],
    }
    out.write_text(jsons.dumps(report, indent=1), "utf-8")
    if json:
        print_json(report)
    else:
        rows = [
            (
                result.fault,
                f"{result.tried:,}",
                f"{result.held:,}",
                f"{result.bound:,}",
                *result.fell[:1],
            )
            for result in results
        ]
        print_table(("fault", "tried", "held", "bound", ""), [(*row, "")[:5] for row in rows])
        print_line(f"written to {out}")
    if not all(result.ok for result in results):
        raise typer.Exit(1)


def figures_object(figures: Sequence[BenchFigure]) -> dict[str, Any]:
    """Return what was measured for JSON, and what the report has besides."""
    words = {"name": "figure", "peer_name": "compared_with", "peer_value": "compared_value"}
    listed = [name_fields(figure, **words, ok="met", details="") for figure in figures]
    details = {key: value for figure in figures for key, value in figure.details.items()}
    return {"figures": listed, **details}


def _measure_figures(name: str, context: BenchContext, json: bool) -> list[BenchFigure]:
    if not json:
        print_line(f"measuring {name} …")
    return bench(name)(context)


def _figure_row(figure: BenchFigure) -> tuple[str, ...]:
    met = {True: "yes", False: "NO", None: "–"}[figure.ok]
    return (
        figure.name,
        _format_number(figure.value, figure.unit),
        figure.peer_name,
        _format_number(figure.peer_value, figure.unit),
        _format_number(figure.ratio, ""),
        figure.goal,
        met,
    )


def _format_number(value: float | None, unit: str) -> str:
    return "" if value is None else f"{value:.3g} {unit}".strip()


def _describe_machine() -> dict[str, Any]:
    return {
        "system": platform.platform(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
    }
