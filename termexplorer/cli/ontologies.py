"""The commands `ontology list|show|export|remove`."""

from pathlib import Path
from typing import Annotated

import typer

from termexplorer.cli.exporting import open_for_export, print_left_out, tell_left_out
from termexplorer.cli.imported import imported_object, print_imported
from termexplorer.cli.json_words import name_fields
from termexplorer.cli.opening import opened
from termexplorer.cli.options import (
    NO_ONTOLOGY,
    TABLES,
    TABLES_TOLD,
    JsonOption,
    WithoutBrokenOption,
    WorkspaceOption,
    out_file,
)
from termexplorer.cli.output import count_text, print_json, print_line, print_table, progress_bar
from termexplorer.errors import UserError
from termexplorer.services.explore.name_files import write_names
from termexplorer.services.explore.ontologies import (
    find_ontology,
    import_report,
    list_ontologies,
)
from termexplorer.services.workspace.removal import look_at_removal, remove_ontology
from termexplorer.workers.process.supervision import JobControl

app = typer.Typer(help="List ontologies, show or remove one, or export its names.")


@app.command("list")
def list_command(workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """List the ontologies of the workspace."""
    with opened(workspace) as opened_workspace:
        stored_ontologies = list_ontologies(opened_workspace)
    if json:
        print_json(
            {"ontologies": [name_fields(ontology, id="ontology") for ontology in stored_ontologies]}
        )
    elif stored_ontologies:
        columns = ("ontology", "terminology", "title", "concepts", "names", "is-a", "obsolete")
        rows = [
            (o.id, o.terminology, o.label, o.concepts, o.names, o.is_a, o.obsolete)
            for o in stored_ontologies
        ]
        print_table(columns, rows)
    else:
        print_line(NO_ONTOLOGY)


@app.command()
def show(
    ontology: Annotated[str, typer.Argument(metavar="ID", help="Its id, or its terminology.")],
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Show an ontology, and what its import passed over."""
    with opened(workspace) as opened_workspace:
        release = find_ontology(opened_workspace, ontology)
        remarks = import_report(opened_workspace, release.id)
    if json:
        print_json(imported_object(release, remarks))
    else:
        print_imported(f"is ontology {release.id}:", release, remarks)


@app.command("export")
def export_names(
    ontology: Annotated[str, typer.Argument(metavar="ID", help="Its id, or its terminology.")],
    out: Annotated[
        Path,
        typer.Option(metavar="FILE", help=f"As {TABLES_TOLD}.", callback=out_file(*TABLES)),
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


@app.command()
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
