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
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="The study pack you were sent.")
    ] = None,
    study: Annotated[
        int | None,
        typer.Option(metavar="ID", help="Instead: a study of the workspace, as from a team."),
    ] = None,
    annotator: Annotated[
        str, typer.Option("--as", metavar="NAME", help="Who judges the study.")
    ] = "",
    workspace: WorkspaceOption = None,
) -> None:
    """Judge the pairs of a study pack, in a window with nothing else in it."""
    if (file is None) == (study is None):
        raise typer.BadParameter("name a study pack, or a study by --study ID and --as NAME")
    if (study is None) == bool(annotator):
        raise typer.BadParameter("--study ID and --as NAME go together")
    check_display("judge on a desktop")
    from termexplorer.judging_app import StudySeat, run_judging

    seat = StudySeat(study or 0, annotator)
    raise typer.Exit(run_judging(seat if file is None else file, workspace))


def run_judge_alone() -> object:
    """Run the command as the whole program, without what other commands import."""
    group = cast("TyperGroup", get_command(app))
    complete_command(group.commands["judge"], "judge")
    return group()
