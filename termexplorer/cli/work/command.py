"""The command `work`: further workers for a study, here or on a cluster."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from termexplorer.cli.json_words import name_fields
from termexplorer.cli.options import JsonOption, options_from_dataclass
from termexplorer.cli.output import print_json, print_line, progress_bar
from termexplorer.errors import UserError
from termexplorer.replicate.work.cluster import submit_workers
from termexplorer.replicate.work.joining import join_study_times, read_state
from termexplorer.replicate.work.worker import LEASE


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkOptions:
    """What workers are asked."""

    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR", help="Of a study: the --out of `replicate`, `board` or `rank all`."
        ),
    ]
    workers: Annotated[int, typer.Option(min=1, help="How many work at once.")] = 1
    cluster: Annotated[
        str,
        typer.Option(
            metavar="slurm|local",
            help="Have Slurm run them as one array of jobs (the extra `cluster`); local tries the "
            "same here.",
        ),
    ] = ""
    slurm: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="An option of sbatch, such as partition=gpu or time=120; may be given again.",
        ),
    ] = None
    lease: Annotated[
        float,
        typer.Option(
            metavar="SECONDS", min=1, help="A worker that is silent for so long loses its task."
        ),
    ] = LEASE
    show: Annotated[
        bool, typer.Option("--show", help="Tell how many tasks are left, and work on none.")
    ] = False
    json: JsonOption = False


@options_from_dataclass
def work_command(asked: WorkOptions) -> None:
    """Take tasks of a study until none is left; any number of workers may, on any machines."""
    folder = asked.folder.resolve()
    jobs: tuple[str, ...] = ()
    if asked.cluster and not asked.show:
        options = dict(_parse_option(option) for option in asked.slurm or ())
        jobs = submit_workers(folder, asked.workers, asked.cluster, options, asked.lease)
    elif not asked.show:
        with progress_bar() as show:
            join_study_times(folder, asked.workers, show, asked.lease)
    state = read_state(folder)
    if asked.json:
        print_json({"folder": str(folder), "jobs": list(jobs), **name_fields(state)})
    else:
        if jobs:
            print_line(f"submitted: {', '.join(jobs)}")
        counts = name_fields(state.counts)
        shown = [f"{count:,} {name.replace('_', ' ')}" for name, count in counts.items()]
        print_line(f"tasks: {', '.join(shown)}")
    if state.reasons:
        raise UserError(state.reasons[0])


def _parse_option(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign:
        raise typer.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="--slurm")
    return name, value
