"""A fault, how often it was tried, and how often what is promised held."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from random import Random

from termexplorer.bench.reliability.sample import Sample

_EXAMPLES = 3


@dataclass(frozen=True)
class Attempt:
    """What a fault is tried on.

    Attributes:
        sample: files and a sound workspace, which are to be copied.
        folder: empty, for this attempt alone.
        draw: of everything random.
        rounds: how many tries are wanted of a fault that takes many at once.
    """

    sample: Sample
    folder: Path
    draw: Random
    rounds: int


@dataclass(frozen=True)
class BreakingFault:
    """A way to break the program.

    Attributes:
        name: for the table.
        share: of the rounds that it is tried in; it is tried once at least.
        attempt: tries it, and returns what fell; nothing where what is promised held.
        at_once: whether one attempt has all tries in it.
        least: the share of tries in which it has to hold.
    """

    name: str
    share: float
    attempt: Callable[[Attempt], list[str]]
    at_once: bool = False
    least: float = 1.0


@dataclass(frozen=True)
class TriedFault:
    """A row of the table.

    Attributes:
        fault: its name.
        tried: how often.
        held: how often what is promised held.
        bound: how often it has to.
        fell: the first things that fell.
    """

    fault: str
    tried: int
    held: int
    bound: int
    fell: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether it held as often as it has to."""
        return self.held >= self.bound


def try_fault(
    fault: BreakingFault, sample: Sample, folder: Path, rounds: int, draw: Random
) -> TriedFault:
    """Try a fault as often as its share of the rounds says."""
    count = max(1, round(rounds * fault.share))
    fell: list[str] = []
    for _ in range(1 if fault.at_once else count):
        folder.mkdir(parents=True)
        try:
            failures = fault.attempt(Attempt(sample, folder, draw, count))
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        fell += failures if fault.at_once else failures[:1]
    held, bound = max(count - len(fell), 0), ceil(count * fault.least)
    return TriedFault(fault.name, count, held, bound, tuple(fell[:_EXAMPLES]))
