"""The command `rank all`: the nearest names of one ontology for every name of another."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from termexplorer.cli.json_words import name_fields
from termexplorer.cli.opening import opened
from termexplorer.cli.options import (
    JsonOption,
    WorkspaceOption,
    options_from_dataclass,
    out_file,
    out_folder,
)
from termexplorer.cli.output import count_text, print_json, print_line, progress_bar
from termexplorer.cli.work.options import (
    DatabaseOption,
    PrepareOption,
    keep_database,
    print_prepared,
)
from termexplorer.errors import UserError
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.texts import duration_text, power_text
from termexplorer.workers.process.supervision import JobControl, supervise
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from termexplorer.replicate.all_pairs.request import AllPairsRequest, RankingPlan

_TABLES = (".tsv", ".csv", ".jsonl")  # which are written row by row
_TABLE = "ranking.tsv"
_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RankAllOptions:
    """What a ranking of all names is asked."""

    ontology: Annotated[
        str, typer.Option(metavar="ID", help="For each of whose names is ranked: id, terminology.")
    ]
    to: Annotated[
        str,
        typer.Option(
            metavar="ID", help="Whose names are ranked; else the same, no name finding itself."
        ),
    ] = ""
    encoder: Annotated[int, typer.Option(metavar="ID", help="By whose vectors.")]
    k: Annotated[int, typer.Option(min=1, max=1_000, help="How many of the nearest names.")] = 10
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Of tasks, parts and table; goes on there.", callback=out_folder
        ),
    ] = None
    table: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=f"The table as .tsv, .csv or .jsonl; else {_TABLE} in --out.",
            callback=out_file(*_TABLES),
        ),
    ] = None
    task_rows: Annotated[
        int | None,
        typer.Option(min=1, help="For how many names one task ranks.", show_default="32768"),
    ] = None
    task_columns: Annotated[
        int | None,
        typer.Option(min=1, help="How many names one task ranks.", show_default="4194304"),
    ] = None
    plan: Annotated[
        bool, typer.Option("--plan", help="Print what it takes, measured here, and rank nothing.")
    ] = False
    workspace: WorkspaceOption = None
    database: DatabaseOption = ""
    prepare: PrepareOption = False
    json: JsonOption = False


@options_from_dataclass
def rank_all_command(asked: RankAllOptions) -> None:
    """The nearest names of one ontology for every name of another, exactly.

    First the plan is printed: operations, device, and the time that they take one worker here.
    Vectors are compared in 8 bits. Further workers join by `termexplorer work DIR`; the same
    command again goes on, and writes the table when all is ranked.
    """
    from termexplorer.replicate.all_pairs.request import plan_ranking
    from termexplorer.replicate.all_pairs.tasks import prepare_ranking, rank_all_names

    if asked.out is None and not asked.plan:
        raise UserError("give --out DIR, where tasks and table go; or --plan, to rank nothing")
    with opened(asked.workspace) as workspace, progress_bar() as show:
        request = _make_request(workspace, asked)
        plan = supervise(plan_ranking, request, JobControl(), show)
    if asked.plan or not asked.json:
        _print_plan(plan, json=asked.json)
    if asked.plan:
        return
    request.out.mkdir(parents=True, exist_ok=True)
    keep_database(request.out, asked.database)
    with progress_bar() as show:
        if asked.prepare:
            supervise(prepare_ranking, request, JobControl(), show)
            ranked = None
        else:
            ranked = supervise(rank_all_names, request, JobControl(), show)
    if ranked is None:
        print_prepared(request.out, json=asked.json)
    elif asked.json:
        print_json({"plan": _plan_object(plan), **name_fields(ranked)})
    else:
        print_line(f"{ranked.file}: {count_text(ranked.rows, 'row', 'rows')}")
        if ranked.unknown:
            print_line(
                f"{count_text(ranked.unknown, 'name is', 'names are')} left out: the encoder "
                "knows no part of them"
            )


def _make_request(workspace: Workspace, asked: RankAllOptions) -> "AllPairsRequest":
    from termexplorer.replicate.all_pairs.request import (
        TASK_COLUMNS,
        TASK_ROWS,
        AllPairsRequest,
    )

    ontology = find_ontology(workspace, asked.ontology)
    out = (asked.out or Path()).expanduser().resolve()
    return AllPairsRequest(
        workspace=workspace.folder.resolve(),
        out=out,
        table=(asked.table or out / _TABLE).expanduser().resolve(),
        ontology_id=ontology.id,
        to_id=find_ontology(workspace, asked.to).id if asked.to else ontology.id,
        encoder_id=asked.encoder,
        k=asked.k,
        task_rows=asked.task_rows or TASK_ROWS,
        task_columns=asked.task_columns or TASK_COLUMNS,
    )


def _print_plan(plan: "RankingPlan", *, json: bool) -> None:
    if json:
        print_json(_plan_object(plan))
        return
    pairs = plan.pairs
    print_line(
        f"{pairs.rows:,} by {pairs.columns:,} names, {pairs.width} dimensions: "
        f"{power_text(pairs.operations)} operations"
    )
    blocks, tasks = (
        count_text(pairs.blocks, "block", "blocks"),
        count_text(plan.tasks, "task", "tasks"),
    )
    print_line(f"{blocks} of cosines in {tasks}, {pairs.memory / _MEGABYTE:,.0f} MB beside vectors")
    print_line(f"on {plan.device}: {duration_text(pairs.seconds)} for one worker, as measured now")
    if plan.unencoded:
        names = count_text(plan.unencoded, "name has no vector", "names have no vectors")
        print_line(f"{names} yet; to encode them comes first, and is not in that time")


def _plan_object(plan: "RankingPlan") -> dict[str, Any]:
    return {
        **name_fields(plan.pairs, device=""),
        "device": plan.device,
        "tasks": plan.tasks,
        "unencoded": plan.unencoded,
    }
