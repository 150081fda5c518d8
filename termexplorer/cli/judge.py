"""The command `judge`."""

from pathlib import Path
from typing import Annotated, cast

import typer
from typer.core import TyperGroup
from typer.main import get_command

from termexplorer.cli.command_help import complete_command
from termexplorer.cli.display import check_display
from termexplorer.cli.options import WorkspaceOption

app = typer.Typer(
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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


def run_judge_alone() -> object:
    """Run the command as the whole program, without what other commands import."""
    group = cast("TyperGroup", get_command(app))
    complete_command(group.commands["judge"], "judge")
    return group()
