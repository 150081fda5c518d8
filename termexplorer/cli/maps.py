"""Commands about maps that are kept, `map list` and `map rename`; and `map FILE` of a code list."""

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from termexplorer.cli.curate.code_list import table_command
from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, WorkspaceOption
from termexplorer.cli.output import number_cell, print_json, print_line, print_table
from termexplorer.services.map.kept_maps import KeptMap, find_map, list_maps
from termexplorer.services.train.renaming import rename_map

_OF_FILE = "table"
_HELP = ("-h", "--help")


class MapGroup(TyperGroup):
    """The commands of `map`, of which the one of a code list is known by its file."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take a first word that is no command for the file of `map table`."""
        words = args if ctx.resilient_parsing else self.complete_words(args)
        return super().parse_args(ctx, words)

    def complete_words(self, words: list[str]) -> list[str]:
        """Return words that begin with a command, which that of a file need not be."""
        asks_only = not words or words[0] in _HELP or words[0] in self.commands
        return words if asks_only else [_OF_FILE, *words]


app = typer.Typer(
    cls=MapGroup,
    help="Map a list of local codes to ontologies (`map FILE --to ID`); or list or rename the maps "
    "that `project` and the window made.",
)
app.command(_OF_FILE)(table_command)


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
