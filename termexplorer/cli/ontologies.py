"""Commands about ontologies: `ontologies`, `ontologies remove`, `search`, `levels`."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from termexplorer.cli.opening import open_for_export, opened, print_left_out, tell_left_out
from termexplorer.cli.options import (
    TABLES,
    JsonOption,
    OntologyOption,
    RootOption,
    WithoutBrokenOption,
    WorkspaceOption,
    out_file,
)
from termexplorer.cli.output import count_text, print_json, print_line, print_table, progress_bar
from termexplorer.errors import UserError
from termexplorer.services.explore.browsing import Hit, search_names, told_missing, told_near
from termexplorer.services.explore.name_files import write_names
from termexplorer.services.explore.ontologies import (
    find_concept,
    find_ontology,
    list_ontologies,
)
from termexplorer.services.levels.lens import ClassRow, LevelChoice, LevelSummary, open_lens
from termexplorer.services.workspace.removal import look_at_removal, remove_ontology
from termexplorer.workers.process.supervision import JobControl

_CLASSES_LEFT_OUT = 5  # that are named of a level
_NO_ONTOLOGY = "No ontology yet: `termexplorer import icd10cm`, or import a file."
ontologies_app = typer.Typer(help="List the ontologies of the workspace, or remove one.")


@ontologies_app.callback(invoke_without_command=True)
def ontologies(
    context: typer.Context, workspace: WorkspaceOption = None, json: JsonOption = False
) -> None:
    """List the ontologies of the workspace, or remove one."""
    if context.invoked_subcommand:
        return
    with opened(workspace) as opened_workspace:
        stored_ontologies = list_ontologies(opened_workspace)
    if json:
        print_json({"ontologies": [asdict(ontology) for ontology in stored_ontologies]})
    elif stored_ontologies:
        columns = ("id", "terminology", "ontology", "concepts", "names", "is-a", "obsolete")
        rows = [
            (o.id, o.terminology, o.label, o.concepts, o.names, o.is_a, o.obsolete)
            for o in stored_ontologies
        ]
        print_table(columns, rows)
    else:
        print_line(_NO_ONTOLOGY)


@ontologies_app.command()
def names(
    ontology: Annotated[str, typer.Argument(metavar="ID", help="Its id, or its terminology.")],
    out: Annotated[
        Path,
        typer.Option(
            metavar="FILE", help="As .csv, .tsv, .xlsx or .jsonl.", callback=out_file(*TABLES)
        ),
    ],
    without_broken: WithoutBrokenOption = False,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Write all names of an ontology as a table."""
    with open_for_export(workspace, without_broken=without_broken) as part:
        count = write_names(part.workspace, out, find_ontology(part.workspace, ontology).id)
    if json:
        print_json({"names": count, "file": str(out)} | tell_left_out(part))
    else:
        print_line(f"{count_text(count, 'name is', 'names are')} in {out}")
        print_left_out(part)


@ontologies_app.command()
def remove(
    ontology: Annotated[int, typer.Argument(metavar="ID", help="Its id.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    workspace: WorkspaceOption = None,
) -> None:
    """Remove an ontology with all that was trained on it or computed of it; verdicts stay."""
    with opened(workspace) as opened_workspace:
        removal = look_at_removal(opened_workspace, ontology)
        print_line(f"With {removal.ontology.label}, ontology {ontology}, go:")
        for line in removal.goes:
            print_line(f"  {line}")
        print_line(removal.stays)
        if removal.why_not:
            raise UserError(removal.why_not)
        if not yes:
            typer.confirm("Remove all this?", abort=True, err=True)
        with progress_bar() as show:
            remove_ontology(opened_workspace, ontology, JobControl(), show)
    print_line(f"ontology {ontology} is removed")


def search(
    text: Annotated[str, typer.Argument(help="Names, codes or ids, in part.")],
    ontology: OntologyOption = "",
    limit: Annotated[int, typer.Option(min=1, help="The most concepts to show.")] = 20,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Search names, codes, ids, IRIs and cross-references; or else what is nearest."""
    with opened(workspace) as opened_workspace:
        chosen = find_ontology(opened_workspace, ontology).id if ontology else None
        result = search_names(opened_workspace, text, chosen, limit + 1)
        empty = not list_ontologies(opened_workspace)
    hits, more = result.hits[:limit], len(result.hits) > limit
    if json:
        rows = [asdict(hit) | {"match": hit.match.name.lower()} for hit in hits]
        remarks = {"more": more, "cut": result.cut, "near": result.near, "missing": result.missing}
        print_json({"hits": rows, **remarks})
        return
    if not hits:
        print_line(_NO_ONTOLOGY if empty else _told_nothing(text))
        return
    if result.near:
        typer.echo(told_near(text, result.near), err=True)
    _print_hits(hits)
    if result.missing:
        typer.echo(told_missing(result.missing), err=True)
    if more:
        typer.echo(f"There are more than {limit:,}: raise --limit, or type more of it.", err=True)
    elif result.cut:
        typer.echo("More results exist; type more to narrow the search.", err=True)


def _print_hits(hits: Sequence[Hit]) -> None:
    rows = [
        (hit.code, hit.text, hit.label if hit.label != hit.text else "", _state_word(hit.obsolete))
        for hit in hits
    ]
    print_table(("code", "found", "concept", ""), rows)


def _told_nothing(text: str) -> str:
    if not text.strip():
        return "Nothing was typed to search for: give a name, a code or an id."
    return (
        f"Nothing is called “{text}”, and nothing is near: try fewer or other words, or a code. "
        "What is there: `termexplorer ontologies`."
    )


def _state_word(obsolete: bool) -> str:
    return "obsolete" if obsolete else ""


def levels(
    ontology: OntologyOption,
    root: RootOption = "",
    depth: Annotated[
        int, typer.Option(min=1, help="Of the dead-end rule; examples are names below it.")
    ] = 4,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Show the classes and their sizes on every level, before anything is trained."""
    with opened(workspace) as opened_workspace:
        chosen = find_ontology(opened_workspace, ontology)
        curie = find_concept(opened_workspace, chosen, root).curie if root else ""
        choice = LevelChoice(root=curie, depth=depth)
        lens = open_lens(opened_workspace, chosen.id, choice)
        summaries = [lens.summary(choice.on(level)) for level in range(1, lens.levels + 1)]
        left_out = [lens.rows_left_out(summary) for summary in summaries]
    keys = ("level", "classes", "names", "min", "median", "max", "singletons", "ambiguous")
    rows: list[dict[str, Any]] = [
        {key: getattr(summary, key) for key in keys}
        | {"left_out": [asdict(row) for row in classes if row.left_out != "dead end"]}
        | {"dead_ends": [row.code for row in classes if row.left_out == "dead end"]}
        | {"names_left_out": dict(summary.names_left_out)}
        for summary, classes in zip(summaries, left_out, strict=True)
    ]
    if json:
        print_json({"ontology": chosen.id, "levels": rows, "removed": asdict(lens.removed)})
        return
    print_table((*keys, ""), [[*(row[key] for key in keys), _level_remark(row)] for row in rows])
    for summary, classes in zip(summaries, left_out, strict=True):
        _print_left_out(summary, classes)


def _print_left_out(summary: LevelSummary, classes: Sequence[ClassRow]) -> None:
    """Print how many classes and names a level does without, and why."""
    where = f"left out of level {summary.level}"
    if classes:
        named = [f"{row.code} {row.label} ({row.left_out})" for row in classes[:_CLASSES_LEFT_OUT]]
        more = len(classes) - len(named)
        end = f"; and {more:,} more" if more else ""
        count = count_text(len(classes), "class", "classes")
        print_line(f"{where}: {count}: {'; '.join(named)}{end}")
    if why := summary.names_left_out:
        count = count_text(sum(names for _, names in why), "name", "names")
        words = {"dead end": "of dead ends"}
        parts = ", ".join(f"{names:,} {words.get(reason, reason)}" for reason, names in why)
        print_line(f"{where}: {count}: {parts}")


def _level_remark(level: dict[str, Any]) -> str:
    return "" if level["names"] else "no names"
