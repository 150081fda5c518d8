"""All commands put together."""

import os

import typer

from termexplorer.cli import (
    bench,
    demo,
    doctor,
    evaluations,
    importing,
    judge,
    maps,
    ontologies,
    projection,
    ranking,
    replicate,
    verdicts,
    workspace,
)
from termexplorer.cli.compare import compare
from termexplorer.cli.curate import diff, suggest
from termexplorer.cli.evaluate import evaluation
from termexplorer.cli.options import WorkspaceOption
from termexplorer.cli.pairs import commands as pairs
from termexplorer.cli.study import commands as study
from termexplorer.cli.train import recommended, runs, training, vectors
from termexplorer.places import WORKSPACE_VARIABLE, workspace_folder

app = typer.Typer(
    help="Which names does an encoder believe belong together, at which level of a hierarchy?",
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command("import")(importing.import_)
ontologies.register(app)
app.command()(demo.demo)
app.command("bench")(bench.bench_command)
app.add_typer(vectors.app, name="vectors")
training.app.command("recommended", rich_help_panel="Several runs")(recommended.recommended_command)
app.add_typer(training.app, name="train")
app.add_typer(runs.app, name="runs")
app.add_typer(ranking.app, name="rank")
app.command("compare")(compare.compare_command)
app.command("diff")(diff.diff_command)
app.command("evaluate")(evaluation.evaluate_command)
app.add_typer(evaluations.app, name="evaluations")
app.add_typer(suggest.app, name="suggest")
app.add_typer(pairs.app, name="pairs")
app.add_typer(study.app, name="study")
app.add_typer(verdicts.app, name="verdicts")
app.command("doctor")(doctor.doctor_command)
app.add_typer(workspace.app, name="workspace")
app.command("judge")(judge.judge_command)
app.command("project")(projection.project_command)
app.add_typer(maps.app, name="maps")
app.command("replicate")(replicate.replicate_command)


@app.callback()
def window(context: typer.Context, workspace: WorkspaceOption = None) -> None:
    """Open the window, or do one job."""
    if workspace is not None:
        os.environ[WORKSPACE_VARIABLE] = str(workspace)  # said before the command: its default
    if context.invoked_subcommand is None:
        from termexplorer.app import run_window

        raise typer.Exit(run_window(workspace_folder(workspace), demo=False))
