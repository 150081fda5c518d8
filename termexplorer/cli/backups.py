"""Copies of the store: `backup list`, `backup remove`."""

from typing import Annotated

import typer

from termexplorer.cli.json_words import name_fields
from termexplorer.cli.options import JsonOption, WorkspaceOption
from termexplorer.cli.output import print_json, print_line, print_table
from termexplorer.places import workspace_folder
from termexplorer.services.workspace.backups import (
    Backup,
    backups,
    remove_backup,
)
from termexplorer.services.workspace.store_file import check_is_workspace

app = typer.Typer(help="Copies of the store: list them, or remove one.")


@app.command("list")
def list_command(
    remove: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BACKUP", help="As `backup remove` does; may be repeated.", hidden=True
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """List the copies of the store, each verified."""
    check_is_workspace(workspace_folder(workspace))
    for name in remove or ():  # as the old words had it
        size = remove_backup(workspace_folder(workspace), name)
        if not json:
            print_line(f"{name} is removed, which gives {size:,} bytes back")
    stored_backups = backups(workspace_folder(workspace))
    if json:
        print_json({"backups": [name_fields(copy, path="backup") for copy in stored_backups]})
    elif stored_backups:
        rows = [
            (b.path.name, b.made_at, b.size, _rows_text(b), b.fault or "none")
            for b in stored_backups
        ]
        print_table(("backup", "made at", "size", "verdicts", "fault"), rows)
    else:
        print_line("No backup yet: `termexplorer workspace backup` makes one.")


def _rows_text(copy: Backup) -> int | str:
    return "cannot be read" if copy.verdicts is None else copy.verdicts


@app.command("remove")
def remove_command(
    name: Annotated[str, typer.Argument(metavar="BACKUP", help="As `backup list` has it.")],
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Remove a copy of the store, to make room, on a full disk too."""
    check_is_workspace(workspace_folder(workspace))
    size = remove_backup(workspace_folder(workspace), name)
    if json:
        print_json({"backup": name, "size": size})
    else:
        print_line(f"{name} is removed, which gives {size:,} bytes back")
