"""The command `doctor`: what somebody who helps needs to know."""

import typer

from termexplorer.cli.json_words import name_fields
from termexplorer.cli.opening import opened
from termexplorer.cli.options import JsonOption, WorkspaceOption
from termexplorer.cli.output import print_json, print_line, progress_bar
from termexplorer.cli.workspace import health_object
from termexplorer.services.workspace.diagnosis import Diagnosis, diagnose, report
from termexplorer.workers.process.supervision import JobControl


def doctor_command(workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """Report versions, devices and their rates, disk and the workspace's health; names no term."""
    with opened(workspace) as opened_workspace, progress_bar() as show:
        diagnosis = diagnose(opened_workspace, JobControl(), show)
    if json:
        print_json(_diagnosis_object(diagnosis))
    else:
        print_line(report(diagnosis))
    if diagnosis.health.faults:
        raise typer.Exit(1)


def _diagnosis_object(diagnosis: Diagnosis) -> dict[str, object]:
    newest = diagnosis.backup and name_fields(diagnosis.backup, path="backup")
    devices = [name_fields(device, key="device", name="title") for device in diagnosis.devices]
    health = health_object(diagnosis.health)
    return name_fields(diagnosis, backup="") | {
        "newest_backup": newest, "devices": devices, "health": health,
    }  # fmt: skip
