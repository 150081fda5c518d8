"""Whether what is promised of verdicts, files and errors holds, shown by trying to break it."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from pathlib import Path

from termexplorer.bench.reliability.disk_errors import DISK_ERRORS
from termexplorer.bench.reliability.environments import ENVIRONMENTS
from termexplorer.bench.reliability.fault import BreakingFault, TriedFault, try_fault
from termexplorer.bench.reliability.flips import FLIPS
from termexplorer.bench.reliability.held_locks import HELD_LOCKS
from termexplorer.bench.reliability.hostile_files import HOSTILE_FILES
from termexplorer.bench.reliability.hostile_texts import HOSTILE_TEXTS
from termexplorer.bench.reliability.interruptions import INTERRUPTIONS
from termexplorer.bench.reliability.judging import JUDGING
from termexplorer.bench.reliability.killed_work import KILLED_WORK
from termexplorer.bench.reliability.migrations import MIGRATIONS
from termexplorer.bench.reliability.power_cuts import POWER_CUTS
from termexplorer.bench.reliability.sample import Sample, make_sample
from termexplorer.bench.reliability.top_bits import TOP_BITS

__all__ = ["CATALOGUE", "QUICK", "TriedFault", "run_catalogue"]

CATALOGUE: tuple[BreakingFault, ...] = (
    *JUDGING,
    *FLIPS,
    *TOP_BITS,
    *DISK_ERRORS,
    *INTERRUPTIONS,
    *KILLED_WORK,
    *MIGRATIONS,
    *POWER_CUTS,
    *HELD_LOCKS,
    *ENVIRONMENTS,
    *HOSTILE_TEXTS,
    *HOSTILE_FILES,
)

QUICK = (*JUDGING[:3], *DISK_ERRORS, *MIGRATIONS, *POWER_CUTS[:2], *ENVIRONMENTS, *HOSTILE_TEXTS)


def run_catalogue(
    rounds: int,
    seed: int,
    tell: Callable[[str], None] = lambda _name: None,
    catalogue: tuple[BreakingFault, ...] = CATALOGUE,
) -> list[TriedFault]:
    """Try each fault of a catalogue, and return what came of it.

    Args:
        rounds: how often the cheapest ones are tried; the others a share of it.
        seed: of the instants, bytes and places.
        tell: called with each fault's name before it is tried.
        catalogue: what is tried.
    """
    results = []
    with tempfile.TemporaryDirectory(prefix="termexplorer-reliability-") as folder:
        sample: Sample = make_sample(Path(folder) / "sample")
        for fault in catalogue:
            tell(fault.name)
            draw = random.Random(f"{seed} {fault.name}")  # noqa: S311 - instants, no secrets
            results.append(try_fault(fault, sample, Path(folder) / "tried", rounds, draw))
    return results
