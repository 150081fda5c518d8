"""Commands that are killed at any instant, or for which the disk has no room."""

from __future__ import annotations

from pathlib import Path

from termexplorer.bench.reliability.fault import Attempt, BreakingFault
from termexplorer.bench.reliability.program import call_program
from termexplorer.bench.reliability.sample import Sample, read_notes

_ROOM = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({0}, {0}))"
_LEAST, _MOST = 4096, 4 << 20  # bytes that a file may have


def find_damage(workspace: Path, sample: Sample) -> list[str]:
    """Return what is wrong with a workspace: it has to be whole, with every verdict."""
    if not (workspace / "workspace.sqlite").exists():
        return [f"{workspace.name} has no store"]
    fault = call_program("--workspace", workspace, "workspace", "check").find_fault(0)
    if fault:
        return [f"the check says {fault}"]
    lost = set(sample.notes) - set(read_notes(workspace))
    return [f"{len(lost)} verdicts are lost"] if lost else []


def _kill_import(attempt: Attempt) -> list[str]:
    workspace = attempt.sample.copy_to(attempt.folder)
    call_program(
        "--workspace", workspace, "import", attempt.sample.release,
        killed_after=_draw_instant(attempt, "import"),
    )  # fmt: skip
    again = call_program("--workspace", workspace, "import", attempt.sample.release)
    fault = again.find_fault(0, 1)  # 1: the one that was killed had ended
    return [f"import after it: {fault}"] if fault else find_damage(workspace, attempt.sample)


def _kill_restore(attempt: Attempt) -> list[str]:
    workspace = attempt.sample.copy_to(attempt.folder)
    call_program(
        "--workspace", workspace, "workspace", "restore", attempt.sample.backup,
        killed_after=_draw_instant(attempt, "workspace"),
    )  # fmt: skip
    return find_damage(workspace, attempt.sample)


def _kill_move(attempt: Attempt) -> list[str]:
    workspace = attempt.sample.copy_to(attempt.folder)
    target = attempt.folder / "moved"
    call_program(
        "--workspace", workspace, "workspace", "move", target,
        killed_after=_draw_instant(attempt, "workspace"),
    )  # fmt: skip
    location = target if (target / "workspace.sqlite").exists() else workspace
    return find_damage(location, attempt.sample)


def _draw_instant(attempt: Attempt, command: str) -> float:
    return max(attempt.draw.random() * attempt.sample.seconds[command], 0.01)


def _fill_disk(attempt: Attempt) -> list[str]:
    workspace = attempt.sample.copy_to(attempt.folder)
    room = attempt.draw.randrange(_LEAST, _MOST)
    words = attempt.draw.choice((("import", attempt.sample.release), ("workspace", "backup")))
    ended = call_program("--workspace", workspace, *words, before=_ROOM.format(room))
    fault = ended.find_fault(0, 1)
    where = f"{words[0]} with {room:,} bytes a file"
    return [f"{where}: {fault}"] if fault else find_damage(workspace, attempt.sample)


INTERRUPTIONS = (
    BreakingFault("killed while importing", 0.05, _kill_import),
    BreakingFault("killed while restoring", 0.05, _kill_restore),
    BreakingFault("killed while moving", 0.05, _kill_move),
    BreakingFault("no room for a file", 0.05, _fill_disk),
)
