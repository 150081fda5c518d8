"""Commands about maps that are kept: `maps`, `maps rename`."""

from typing import Annotated

import typer

from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, WorkspaceOption
from termexplorer.cli.output import print_json, print_line, print_table
from termexplorer.services.map.kept_maps import KeptMap, find_map, list_maps
from termexplorer.services.train.renaming import rename_map

app = typer.Typer(help="List the maps that `project` and the window made, or rename one.")


@app.callback(invoke_without_command=True)
def maps(
    context: typer.Context, workspace: WorkspaceOption = None, json: JsonOption = False
) -> None:
    """List the maps that `project` and the window made, or rename one."""
    if context.invoked_subcommand:
        return
    with opened(workspace) as place:
        found = list_maps(place)
    if json:
        print_json({"maps": [_map_object(each) for each in found]})
        return
    rows = [
        (each.id, each.title, f"#{each.info.key.encoder_id}", each.info.points, each.info.made_at)
        for each in found
    ]
    print_table(("id", "title", "encoder", "names", "made at"), rows)


@app.command()
def rename(
    map_id: Annotated[str, typer.Argument(metavar="ID", help="As `maps` lists it.")],
    title: Annotated[str, typer.Argument(help='What it is to be called; "" for what it is of.')],
    workspace: WorkspaceOption = None,
) -> None:
    """Give a map another title."""
    with opened(workspace) as place:
        rename_map(place, find_map(place, map_id).info, title)
        renamed = find_map(place, map_id)
    print_line(f"map {renamed.id} is now {renamed.title}")


def _map_object(kept: KeptMap) -> dict[str, object]:
    key = kept.info.key
    return {
        "id": kept.id,
        "title": kept.title,
        "of": kept.subject,
        "encoder": key.encoder_id,
        "ontology": kept.info.release_id,
        "method": key.method,
        "seed": key.seed,
        "points": kept.info.points,
        "made_at": kept.info.made_at,
    }
