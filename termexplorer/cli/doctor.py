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
    with opened(workspace) as opened_workspace, progress_bar() as show:
        diagnosis = diagnose(opened_workspace, JobControl(), show)
    if json:
        backup = diagnosis.backup and asdict(diagnosis.backup) | {
            "path": str(diagnosis.backup.path)
        }
        print_json(asdict(diagnosis) | {"backup": backup})
    else:
        print_line(report(diagnosis))
    if diagnosis.health.faults:
        raise typer.Exit(1)
