"""Commands about maps that are kept: `map list`, `map rename`."""

from typing import Annotated

import typer

from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, WorkspaceOption
from termexplorer.cli.output import number_cell, print_json, print_line, print_table
from termexplorer.services.map.kept_maps import KeptMap, find_map, list_maps
from termexplorer.services.train.renaming import rename_map

app = typer.Typer(help="List the maps that `project` and the window made, or rename one.")


@app.command("list")
def list_command(workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """List the maps that `project` and the window made."""
    with opened(workspace) as opened_workspace:
        stored_maps = list_maps(opened_workspace)
    if json:
        print_json({"maps": [_map_object(stored_map) for stored_map in stored_maps]})
        return
    rows = [
        (
            stored_map.id,
            stored_map.title,
            number_cell(stored_map.info.key.encoder_id, f"#{stored_map.info.key.encoder_id}"),
            stored_map.info.points,
            stored_map.info.made_at,
        )
        for stored_map in stored_maps
    ]
    print_table(("map", "title", "encoder", "points", "made at"), rows)


@app.command()
def rename(
    map_id: Annotated[str, typer.Argument(metavar="ID", help="As `map list` has it.")],
    title: Annotated[str, typer.Argument(help='What it is to be called; "" for what it is of.')],
    workspace: WorkspaceOption = None,
) -> None:
    """Give a map another title."""
    with opened(workspace) as opened_workspace:
        rename_map(opened_workspace, find_map(opened_workspace, map_id).info, title)
        renamed = find_map(opened_workspace, map_id)
    print_line(f"map {renamed.id} is now {renamed.title}")


def _map_object(stored_map: KeptMap) -> dict[str, object]:
    key = stored_map.info.key
    return {
        "map": stored_map.id,
        "title": stored_map.title,
        "subject": stored_map.subject,
        "encoder": key.encoder_id,
        "ontology": stored_map.info.release_id,
        "method": key.method,
        "seed": key.seed,
        "points": stored_map.info.points,
        "made_at": stored_map.info.made_at,
    }
