"""The command `doctor`: what somebody who helps needs to know."""

from dataclasses import asdict

import typer

from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, WorkspaceOption
from termexplorer.cli.output import print_json, print_line, progress_bar
from termexplorer.services.workspace.diagnosis import diagnose, report
from termexplorer.workers.process.supervision import JobControl


def doctor_command(workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Report versions, devices and their rates, disk and the workspace's health; names no term."""
    with opened(workspace) as place, progress_bar() as show:
        found = diagnose(place, JobControl(), show)
    if json:
        backup = found.backup and asdict(found.backup) | {"path": str(found.backup.path)}
        print_json(asdict(found) | {"backup": backup})
    else:
        print_line(report(found))
    if found.health.faults:
        raise typer.Exit(1)
