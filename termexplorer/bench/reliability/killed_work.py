"""Training that is killed at any instant."""

from __future__ import annotations

from pathlib import Path

from termexplorer.bench.reliability.fault import Attempt, BreakingFault
from termexplorer.bench.reliability.flips import check_copy, copy_rich
from termexplorer.bench.reliability.program import call_program
from termexplorer.bench.reliability.sample import read_notes

_TRAIN = (
    "train", "few-shot", "--ontology", "toy", "--level", "1", "--vectors", "5",
    "--preset", "quick", "--set", "maximum_epochs=20", "--set", "hidden=8",
)  # fmt: skip
_TRAINING = 12.0  # seconds within which it is killed


def _kill_training(attempt: Attempt) -> list[str]:
    workspace = copy_rich(attempt)
    notes = read_notes(workspace)
    call_program("--workspace", workspace, *_TRAIN, killed_after=attempt.draw.uniform(1, _TRAINING))
    ended = call_program("--workspace", workspace, "run", "list")
    if fault := ended.find_fault(0):
        return [f"runs after it: {fault}"]
    return _find_damage(workspace, notes)


def _find_damage(workspace: Path, notes: list[str]) -> list[str]:
    fault = check_copy(workspace)
    if fault.where:
        return [f"the check says {fault.where[0]}"]
    lost = set(notes) - set(read_notes(workspace))
    return [f"{len(lost)} verdicts are lost"] if lost else []


KILLED_WORK = (BreakingFault("killed while training", 0.05, _kill_training),)
