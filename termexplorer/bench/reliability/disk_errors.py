"""An error of the disk at each call that SQLite makes while somebody judges."""

from __future__ import annotations

import shutil
from contextlib import closing, suppress
from pathlib import Path

from termexplorer.bench.durability import judge_more
from termexplorer.bench.faults.failing_files import FailingFiles
from termexplorer.bench.reliability.fault import Attempt, BreakingFault
from termexplorer.errors import UserError
from termexplorer.services.verdicts.log import check_log
from termexplorer.services.workspace.check import check_workspace
from termexplorer.workers.process.supervision import JobControl
from termexplorer.workspace import Workspace

_WANTED = 3


def fail_each_call(attempt: Attempt) -> list[str]:
    """Judge with an error at the first call, then at the second, and so on, and around again."""
    with FailingFiles() as counted:
        judge_with_errors(attempt.sample.copy_to(attempt.folder), "count")
    shutil.rmtree(attempt.folder / "workspace")
    fell = []
    for number in range(attempt.rounds):
        workspace = attempt.sample.copy_to(attempt.folder)
        call = number % counted.calls + 1
        full = number // counted.calls % 2 == 1
        try:
            with FailingFiles(call, full=full):
                notes = judge_with_errors(workspace, f"{number}")
            fault = find_lost(workspace, [*attempt.sample.notes, *notes])
        except Exception as error:  # whatever it is, it is no answer to a bad disk
            fault = type(error).__name__
        if fault:
            fell.append(f"error at call {call} of {counted.calls}: {fault}")
        shutil.rmtree(workspace)
    return fell


def judge_with_errors(workspace: Path, prefix: str) -> list[str]:
    """Judge until an error is told, and return the notes of what was acknowledged."""
    notes: list[str] = []
    with suppress(UserError):
        notes.extend(judge_more(workspace, prefix, _WANTED))
    return notes


def find_lost(folder: Path, notes: list[str]) -> str:
    """Return what is wrong with a workspace that has to have the verdicts of these notes."""
    with closing(Workspace(folder)) as workspace:
        faults = check_workspace(workspace, JobControl(), quick=True).faults
        if faults:
            return f"{faults[0].where} {faults[0].what}"
        check_log(workspace)
        with workspace.store.looking() as connection:
            stored_notes = {note for (note,) in connection.execute("SELECT note FROM verdict")}
    lost = set(notes) - stored_notes
    return f"{len(lost)} acknowledged verdicts are lost" if lost else ""


DISK_ERRORS = (
    BreakingFault(
        "error of the disk at each call while judging", 0.3, fail_each_call, at_once=True
    ),
)
