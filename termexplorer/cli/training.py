"""Commands about runs: `train few-shot`, `train dan`, `runs`, `runs show`, `runs resume`."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, OntologyOption, RootOption, WorkspaceOption
from termexplorer.cli.output import print_json, print_line, print_table, progress_bar
from termexplorer.services.ontologies import find_concept, find_ontology
from termexplorer.services.run_requests import LevelChoice, RunRequest, SplitRule, add_run
from termexplorer.services.runs import RunDetails, list_runs, run_details
from termexplorer.services.training import train_run
from termexplorer.workers.supervision import Control
from termexplorer.workspace import Workspace

app = typer.Typer(help="Train an encoder on the classes of a level.")
runs_app = typer.Typer(help="Runs: list them, show one's card, go on with one.")

Level: TypeAlias = Annotated[int, typer.Option(min=1, help="Level of the classes, 1 the highest.")]
Depth: TypeAlias = Annotated[
    int, typer.Option(min=1, help="Of the dead-end rule; examples are names below it.")
]
Vectors: TypeAlias = Annotated[int, typer.Option(metavar="ID", help="The encoder beneath.")]
Preset: TypeAlias = Annotated[str, typer.Option(help="quick (right for two cores) or paper.")]
Seed: TypeAlias = Annotated[int, typer.Option(help="Of everything random.")]
Device: TypeAlias = Annotated[str, typer.Option(help="auto, cpu, cuda or cuda:N.")]
Classes: TypeAlias = Annotated[int, typer.Option(min=0, help="Keep the n largest; 0: all.")]
Shots: TypeAlias = Annotated[int, typer.Option(min=2, help="Names of each class.")]


@app.command("few-shot")
def few_shot(
    ontology: OntologyOption,
    level: Level,
    vectors: Vectors,
    root: RootOption = "",
    depth: Depth = 4,
    preset: Preset = "quick",
    seed: Seed = 0,
    device: Device = "auto",
    classes: Classes = 21,
    shots: Shots = 15,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Few-shot learning from a few names of a few classes [FSL]."""
    changes = {"level": level, "depth": depth, "largest": classes}
    rule = SplitRule("few-shot", shots=shots, seed=seed)
    _train(workspace, ontology, root, changes, rule, vectors, preset, device, json)


@app.command()
def dan(
    ontology: OntologyOption,
    level: Level,
    vectors: Vectors,
    root: RootOption = "",
    depth: Depth = 4,
    preset: Preset = "quick",
    seed: Seed = 0,
    device: Device = "auto",
    classes: Classes = 0,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """A deep averaging network on all names below a depth [HLS]."""
    changes = {"level": level, "depth": depth, "largest": classes}
    rule = SplitRule("dan", seed=seed)
    _train(workspace, ontology, root, changes, rule, vectors, preset, device, json)


def _train(
    workspace: Path | None,
    ontology: str,
    root: str,
    changes: dict[str, Any],
    rule: SplitRule,
    vectors: int,
    preset: str,
    device: str,
    json: bool,
) -> None:
    with opened(workspace) as place:
        chosen = find_ontology(place, ontology)
        changes["root"] = find_concept(place, chosen, root).curie if root else ""
        request = RunRequest(
            recipe=rule.recipe,
            preset=preset,
            ontology_id=chosen.id,
            vectors_id=vectors,
            choice=LevelChoice.for_recipe(rule.recipe, **changes),
            rule=rule,
            hyperparameters={},
            seed=rule.seed,
            device=device,
        )
        _follow(place, add_run(place, request), json, resume=False)


def _follow(place: Workspace, run_id: int, json: bool, *, resume: bool) -> None:
    with progress_bar() as show:
        train_run(place, run_id, Control(), show, resume=resume)
    details = run_details(place, run_id)
    if json:
        print_json({"id": details.run.encoder_id} | _card(details))
    else:
        print_line(f"run {run_id} {details.run.status}: encoder {details.run.encoder_id}")
        _print_figures(details)


@runs_app.callback(invoke_without_command=True)
def runs(
    context: typer.Context, workspace: WorkspaceOption = None, json: JsonOption = False
) -> None:
    """List all runs, the newest first."""
    if context.invoked_subcommand:
        return
    with opened(workspace) as place:
        found = list_runs(place)
    if json:
        print_json({"runs": [asdict(run) for run in found]})
        return
    columns = ("run", "title", "preset", "status", "encoder", "created", "notes")
    rows = [
        (r.id, r.title, r.preset, r.status, r.encoder_id or "", r.created_at, r.notes)
        for r in found
    ]
    print_table(columns, rows)


@runs_app.command()
def show(run_id: int, workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Show a run's card: what it was asked, what it trained on, its figures."""
    with opened(workspace) as place:
        details = run_details(place, run_id)
    card = _card(details)
    if json:
        print_json(card)
        return
    for key, value in card.items():
        if key not in ("epochs", "figures"):
            print_line(f"{key}: {value}")
    _print_figures(details)


@runs_app.command()
def resume(run_id: int, workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Go on with an interrupted run from its last written epoch."""
    with opened(workspace) as place:
        _follow(place, run_id, json, resume=True)


def _card(details: RunDetails) -> dict[str, Any]:
    run = asdict(details.run)
    run["run"] = run.pop("id")
    return run | {
        "epochs": [asdict(epoch) for epoch in details.epochs],
        "figures": [asdict(figure) for figure in details.figures],
    }


def _print_figures(details: RunDetails) -> None:
    columns = ("task", "metric", "encoder", "value", "low", "high", "n")
    rows = [
        (f.task, f.metric, f"#{f.encoder_id}", f.value, f.low, f.high, f.n) for f in details.figures
    ]
    print_table(columns, rows)
