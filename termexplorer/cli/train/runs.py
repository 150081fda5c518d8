"""`run`: list them, show one's card, go on with one, remove one; and what `train` ends with."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, TypeAlias

import typer

from termexplorer.cli.json_words import name_fields, rename_keys
from termexplorer.cli.opening import opened, print_warning
from termexplorer.cli.options import JsonOption, WorkspaceOption
from termexplorer.cli.output import number_cell, print_json, print_line, print_table
from termexplorer.cli.train.series import train_shown
from termexplorer.services.encoders.encoders import list_encoders
from termexplorer.services.explore.ontologies import list_ontologies
from termexplorer.services.figures.metric_kinds import LEAST_SHOWN
from termexplorer.services.studies.judged_runs import BEFORE_AFTER, before_after
from termexplorer.services.train.renaming import rename_run
from termexplorer.services.train.run_cards import card_text, run_card
from termexplorer.services.train.run_conclusions import run_conclusions, run_warnings
from termexplorer.services.train.run_gains import gain_texts
from termexplorer.services.train.runs import (
    FigureInfo,
    RunDetails,
    RunInfo,
    check_deletion,
    find_run,
    list_runs,
    run_details,
)
from termexplorer.services.workspace.safe_removal import back_up_and_delete_runs
from termexplorer.workspace import Workspace

_COLUMNS = (
    *("run", "title", "preset", "ontology", "vectors"),
    *("split", "status", "encoder", "made at", "notes"),
)

app = typer.Typer(help="Runs: list them, show one's card, go on with one, remove one.")

RunArgument: TypeAlias = Annotated[int, typer.Argument(metavar="ID", help="Its id.")]


@app.command("list")
def list_command(workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """List all runs, the newest first."""
    with opened(workspace) as opened_workspace:
        stored_runs = list_runs(opened_workspace)
        ontologies = {ontology.id: ontology.label for ontology in list_ontologies(opened_workspace)}
    if json:
        print_json({"runs": [_run_object(run) for run in stored_runs]})
        return
    rows = [
        (
            *(run.id, run.title, run.preset, ontologies.get(run.release_id, ""), run.input_id),
            *(run.split_id or "", run.status, run.encoder_id or "", run.created_at, run.notes),
        )
        for run in stored_runs
    ]
    print_table(_COLUMNS, rows)


@app.command()
def show(run_id: RunArgument, workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Show a run's card: what it was asked, what it trained on, its figures."""
    with opened(workspace) as opened_workspace:
        if json:
            print_json(as_json(run_details(opened_workspace, run_id)))
        else:
            print_line(card_text(run_card(opened_workspace, run_id)))


@app.command()
def resume(
    run_id: RunArgument, workspace: WorkspaceOption = None, json: JsonOption = False
) -> None:
    """Go on with an interrupted run from its last written epoch."""
    with opened(workspace) as opened_workspace:
        follow(opened_workspace, run_id, json, resume=True)


@app.command()
def remove(
    run_id: RunArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    workspace: WorkspaceOption = None,
) -> None:
    """Remove a run with its encoder, vectors and figures."""
    with opened(workspace) as opened_workspace:
        run = find_run(opened_workspace, run_id)
        check_deletion(opened_workspace, [run])
        print_line(f"With run {run_id}, “{run.title}”, go its encoder, vectors and figures.")
        if not yes:
            typer.confirm("Remove all this?", abort=True, err=True)
        back_up_and_delete_runs(opened_workspace, [run_id], print_warning)
    print_line(f"run {run_id} is removed")


@app.command()
def rename(
    run_id: RunArgument,
    title: Annotated[str, typer.Argument(help="What it is to be called.")],
    workspace: WorkspaceOption = None,
) -> None:
    """Give a run another title; its encoder shares it."""
    with opened(workspace) as opened_workspace:
        rename_run(opened_workspace, run_id, title)
    print_line(f"run {run_id} is now {title}")


def follow(workspace: Workspace, run_id: int, json: bool, *, resume: bool) -> None:
    """Trains a run, or goes on with it, and prints what it came to."""
    train_shown(workspace, run_id, resume=resume)
    details = run_details(workspace, run_id)
    if json:
        print_json(as_json(details))
        return
    print_end(details, {encoder.id: encoder.label for encoder in list_encoders(workspace)})
    rows = before_after(workspace, run_id)
    if rows:
        print_table(BEFORE_AFTER, [row.cells for row in rows])


def print_end(details: RunDetails, labels: Mapping[int, str]) -> None:
    """Print how a run ended, with its figures and what they come to."""
    run = details.run
    print_line(f"run {run.id} {run.status}: encoder {run.encoder_id}")
    if not details.figures:
        print_line("  no name is held out for test, so that there are no figures")
        return
    columns = ("task", "metric", "encoder", "value", "low", "high", "n")
    rows = [
        (f.task, f.metric, number_cell(f.encoder_id, f"#{f.encoder_id}"), *_value_and_ends(f), f.n)
        for f in details.figures
    ]
    print_table(columns, rows)
    for gain in gain_texts(details, labels):
        print_line(gain)
    for task, conclusion in run_conclusions(details, labels):
        print_line(f"{task}: {conclusion}")
    for warning in run_warnings(details):
        typer.echo(f"Warning: {warning}.", err=True)


def _value_and_ends(figure: FigureInfo) -> tuple[float | str, ...]:
    if figure.n < LEAST_SHOWN:
        return ("–",) * 3
    return figure.value, figure.low, figure.high


def as_json(details: RunDetails) -> dict[str, Any]:
    """Return a run with its epochs and figures, for JSON."""
    return _run_object(details.run) | {
        "epochs": [name_fields(epoch, number="epoch") for epoch in details.epochs],
        "figures": _figure_objects(details.figures),
        "evaluations": [
            {"task": evaluation.task, "figures": _figure_objects(evaluation.figures)}
            for evaluation in details.evaluations
        ],
    }


def _run_object(run: RunInfo) -> dict[str, Any]:
    request, card = rename_keys(run.request), rename_keys(run.card)
    if "compared" in card:
        card["compared"] = [
            difference | {"metric": str(difference["metric"]).lower()}
            for difference in card["compared"]
        ]
    return name_fields(run, id="run") | {"request": request, "card": card}


def _figure_objects(figures: Iterable[FigureInfo]) -> list[dict[str, Any]]:
    return [name_fields(figure) | {"metric": figure.metric.lower()} for figure in figures]
