"""Damaged files of every kind: each is read, or refused in one line; nothing is lost unsaid."""

from __future__ import annotations

from functools import partial
from itertools import islice
from pathlib import Path

from termexplorer.bench.mutations.groups import GROUPS
from termexplorer.bench.mutations.sound_file import SoundFile
from termexplorer.bench.mutations.trial import try_mutations
from termexplorer.bench.reliability.fault import Attempt, BreakingFault
from termexplorer.bench.reliability.interruptions import find_damage
from termexplorer.bench.reliability.program import call_program

_A_ROUND = 10.0  # mutations of each group
_MEMORY = "import resource; resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))"
_IMPORTED = tuple(islice(GROUPS, 7))  # those of terminologies come first


def _damage_files(group: str, attempt: Attempt) -> list[str]:
    seed = attempt.draw.randrange(2**31)
    faults = try_mutations(group, attempt.rounds, seed)
    return [f"seed {seed}, {number}: {fault}" for number, fault in faults]


def _import_damaged(attempt: Attempt) -> list[str]:
    workspace = attempt.sample.copy_to(attempt.folder)
    path = _write_damaged(attempt)
    ended = call_program("--workspace", workspace, "import", path, before=_MEMORY)
    fault = ended.find_fault(0, 1)
    if ended.code == 1 and not ended.text.strip():
        fault = "exit code 1 without a word"
    return [f"{path.name}: {fault}"] if fault else find_damage(workspace, attempt.sample)


def _write_damaged(attempt: Attempt) -> Path:
    source_folder, tried = attempt.folder / "made", attempt.folder / "tried"
    source_folder.mkdir()
    tried.mkdir()
    file: SoundFile = attempt.draw.choice(GROUPS[attempt.draw.choice(_IMPORTED)](source_folder))
    return file.write_contents(file.damage_contents(attempt.draw), tried)


HOSTILE_FILES = (
    *(
        BreakingFault(f"damaged: {group}", _A_ROUND, partial(_damage_files, group), at_once=True)
        for group in GROUPS
    ),
    BreakingFault("damaged, given to the command import", 0.05, _import_damaged),
)
