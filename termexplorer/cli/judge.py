"""The command `judge`."""

from pathlib import Path
from typing import Annotated

import typer

from termexplorer.cli.display import check_display
from termexplorer.cli.options import WorkspaceOption

app = typer.Typer(pretty_exceptions_enable=False, add_completion=False)


@app.callback()
def alone() -> None:
    """Judging, and no other command."""


@app.command("judge")
def judge_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The study pack you were sent.")],
    workspace: WorkspaceOption = None,
) -> None:
    """Judge the pairs of a study pack, in a window with nothing else in it."""
    check_display("judge on a desktop")
    from termexplorer.judging_app import run_judging

    raise typer.Exit(run_judging(file, workspace))
