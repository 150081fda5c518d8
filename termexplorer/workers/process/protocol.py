"""What a child process and its supervisor say to each other."""

import os
from dataclasses import dataclass
from enum import Enum


class ChildCommand(Enum):
    """What the supervisor tells the child."""

    PAUSE = "pause"
    RESUME = "resume"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Begun:
    """The child's first message: from now on it may have something to finish or to keep."""


@dataclass(frozen=True, slots=True)
class JobProgress:
    """How far a piece of work is.

    Attributes:
        fraction: from 0 to 1, or None while it cannot be told.
        text: what is being done, for people.
        seconds_left: an estimate, or None.
        at_least: whether it may well take longer than that.
        ending: whether it is past what can be paused, or stopped with what it has.
    """

    fraction: float | None
    text: str
    seconds_left: float | None = None
    ending: bool = False
    at_least: bool = False


@dataclass(frozen=True, slots=True)
class Finished:
    """The child's last message when all went well."""

    result: object


@dataclass(frozen=True, slots=True)
class Failed:
    """The child's last message when it did not; `mendable` ones are for the user to mend."""

    message: str
    traceback: str
    mendable: bool


@dataclass(frozen=True, slots=True)
class Limits:
    """What a child may use before it is ended.

    Attributes:
        memory: bytes of address space, or None.
        seconds: of wall time, or None.
        threads: for numeric libraries, or None for one for each core.
    """

    memory: int | None = None
    seconds: float | None = None
    threads: int | None = None


FILE_LIMITS = Limits(memory=4 << 30, seconds=600, threads=1)
"""What a look into any file may use: address space, most of which is never touched."""
WHOLE_LIMITS = Limits(memory=4 << 30, threads=1)
"""What reading a whole file of mappings, pairs or answers may use, which may take its time."""


def limit_to_machine() -> Limits:
    """Return what an import may use: what the machine has, and no more."""
    try:
        pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return Limits()  # Windows, which has no such cap either
    return Limits(memory=max(pages * size, 4 << 30)) if pages > 0 else Limits()
