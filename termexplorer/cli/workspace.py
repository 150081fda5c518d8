"""Commands that take care of a workspace: `workspace check|backup|restore|compact|move`."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from termexplorer.cli.json_words import name_fields
from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, WorkspaceOption, out_file
from termexplorer.cli.output import count_text, print_json, print_line, print_table, progress_bar
from termexplorer.places import workspace_folder
from termexplorer.services.workspace.backups import (
    make_backup,
    restore_backup,
)
from termexplorer.services.workspace.check import Health, check_workspace
from termexplorer.services.workspace.mending import Mending, describe_source, mend_workspace
from termexplorer.services.workspace.room import compact_workspace, move_workspace
from termexplorer.services.workspace.row_check import Fault
from termexplorer.workers.process.supervision import JobControl

app = typer.Typer(help="Take care of a workspace: check it, back it up, make it smaller, move it.")


@app.command()
def check(
    quick: Annotated[
        bool, typer.Option("--quick", help="All but search indexes, which take a third of it.")
    ] = False,
    mend: Annotated[
        bool, typer.Option("--mend", help="Put damaged rows right; a copy is kept first.")
    ] = False,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Read everything once: each row, array and index, and the log; exit 1 on a fault."""
    folder = workspace_folder(workspace)
    if mend:
        _mend_folder(folder, json)
        return
    with opened(workspace) as opened_workspace, progress_bar() as show:
        health = check_workspace(opened_workspace, JobControl(), show, quick=quick)
    if json:
        print_json(health_object(health))
    elif health.faults:
        _print_faults(health.faults)
        print_line("`termexplorer workspace check --mend` puts right what can be")
    else:
        print_line(
            "all is well: the store, "
            f"{count_text(health.files, 'file of arrays', 'files of arrays')}"
            ", "
            f"{count_text(health.verdicts or 0, 'row', 'rows')} of the log of verdicts"
        )
    if health.faults:
        raise typer.Exit(1)


def _mend_folder(folder: Path, json: bool) -> None:
    with progress_bar() as show:
        done = mend_workspace(folder, JobControl(), show)
    if json:
        print_json(name_fields(done) | _fault_objects(found=done.found, left=done.left))
    elif done.kept is None:
        print_line("all is well: there is nothing to put right")
    else:
        _print_mending(done)
    if done.left:
        raise typer.Exit(1)


def _print_mending(done: Mending) -> None:
    print_line(f"what was there before is kept as {done.kept}")
    _print_faults(done.found)
    if done.rows:
        rows = [(row.table, row.key, describe_source(row)) for row in done.rows]
        print_table(("table", "row", "remedy"), rows)
    if not done.left:
        print_line("a check finds nothing any more")
        return
    print_line("this is left:")
    _print_faults(done.left)
    if done.backup:
        print_line(
            f"`termexplorer workspace restore {done.backup.name}` puts back the newest sound backup"
        )
    else:
        print_line("there is no sound backup; export what you can")


def _print_faults(faults: Iterable[Fault]) -> None:
    rows = [(fault.kind, fault.where, fault.what, fault.mend) for fault in faults]
    print_table(("kind", "where", "reason", "remedy"), rows)


def health_object(health: Health) -> dict[str, object]:
    """Return what a check found, for JSON."""
    return name_fields(health) | _fault_objects(faults=health.faults)


def _fault_objects(**faults: Iterable[Fault]) -> dict[str, list[dict[str, object]]]:
    """Return faults for JSON, under the keys that are given."""
    return {
        key: [name_fields(fault, what="reason", mend="remedy") for fault in found_faults]
        for key, found_faults in faults.items()
    }


@app.command()
def backup(
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Else in the workspace's folder backups.", callback=out_file()
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Copy the store, also while a window works on it."""
    with opened(workspace) as opened_workspace:
        path = make_backup(opened_workspace, out)
    if json:
        print_json({"backup": str(path), "size": path.stat().st_size})
    else:
        print_line(f"{path} ({path.stat().st_size:,} bytes)")


@app.command()
def restore(
    name: Annotated[
        str, typer.Argument(metavar="BACKUP", help="As `backup list` has it, or a file elsewhere.")
    ],
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Also a copy some rows of which are damaged.")
    ] = False,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Put a copy in the place of the store; what was there is kept as a copy itself."""
    done = restore_backup(workspace_folder(workspace), name, anyway=anyway)
    if json:
        print_json(name_fields(done))
        return
    print_line(f"{done.backup.name} is in place; what was there before is {done.kept.name}")
    if done.fewer_verdicts != 0:
        count = (
            f"{count_text(done.fewer_verdicts, 'verdict', 'verdicts')}"
            if done.fewer_verdicts
            else "verdicts"
        )
        print_line(f"  {count} may stand there alone: put it back to export them")
    print_line("  `termexplorer workspace check` says whether its files are all there")


@app.command()
def compact(workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Remove files that can be made anew or no row tells of, and give free room back."""
    done = compact_workspace(workspace_folder(workspace))
    if json:
        print_json(name_fields(done))
        return
    if done.unsaved:
        print_line(done.unsaved)
    print_line(f"{done.before:,} bytes before, {done.after:,} now")
    for path in done.removed:
        print_line(f"  removed {path}, which no row told of")


@app.command()
def move(
    target: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where to; not there yet.")],
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Move a workspace to another folder or disk."""
    folder = workspace_folder(workspace)
    move_workspace(folder, target)
    if json:
        print_json({"workspace": str(target.resolve())})
    else:
        print_line(f"{target.resolve()} is the workspace now: open it with --workspace")
