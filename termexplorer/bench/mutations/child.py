"""The child that damages files and reads them, one after the other, under a limit of memory."""

from __future__ import annotations

import contextlib
import io
import os
import random
import shutil
import sys
from pathlib import Path

from termexplorer.bench.mutations.groups import GROUPS
from termexplorer.bench.mutations.sound_file import FileReading, SoundFile
from termexplorer.errors import UserError
from termexplorer.workers.process.bug_place import locate_bug

_MEMORY = 1 << 30  # bytes more than after a sound file was read
_LONGEST = 2000  # characters of an error


def run_tries(group: str, folder: Path, seed: int, first: int, count: int) -> None:
    """Try mutations by their numbers, and print a line of each: what fell, or nothing.

    Args:
        group: of `GROUPS`.
        folder: empty, for all that is written.
        seed: of everything random, with the number.
        first: number to begin with.
        count: how many there are in all.
    """
    output = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # libraries print
    sound_folder = folder / "made"
    sound_folder.mkdir(parents=True)
    sound = [(file, read_sound(file, folder)) for file in GROUPS[group](sound_folder)]
    _limit_memory()
    print("ready", file=output, flush=True)
    for number in range(first, count):
        draw = random.Random(f"{seed} {group} {number}")  # noqa: S311 - damage, no secrets
        file, expected = draw.choice(sound)
        fault = try_mutation(file, expected, folder / "tried", draw)
        print(f"{file.name}: {fault}" if fault else "", file=output, flush=True)
    output.close()
    os._exit(0)


def read_sound(file: SoundFile, folder: Path) -> FileReading:
    """Read a file that is not damaged.

    Raises:
        RuntimeError: it is refused.
    """
    path = file.write_contents(file.contents, _empty_folder(folder / "tried"))
    try:
        return file.read(path)
    except UserError as error:
        raise RuntimeError(f"{file.name} is sound, but: {error}") from error


def try_mutation(file: SoundFile, expected: FileReading, folder: Path, draw: random.Random) -> str:
    """Damage a file and read it; return what is wrong with how that ended, "" if nothing."""
    contents = file.damage_contents(draw)
    path = file.write_contents(contents, _empty_folder(folder))
    if file.mend:
        file.mend(path)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            reading = file.read(path)
    except UserError as error:
        return _find_unclear(str(error))
    except MemoryError:
        return "takes over 1 GB of memory"
    except BaseException as error:  # each is a bug, and is told
        return f"{locate_bug(type(error), error.__traceback__)} {str(error)[:200]!r}"
    return file.find_loss(contents, reading, expected)


def _find_unclear(text: str) -> str:
    lines = text.strip().splitlines()
    if len(lines) != 1 or len(text) > _LONGEST or any(sign in text for sign in "\0\x1b"):
        return f"no clear line of an error: {text[:300]!r}"
    return ""


def _empty_folder(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def _limit_memory() -> None:
    import resource

    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    most = pages * resource.getpagesize() + _MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


if __name__ == "__main__":
    run_tries(sys.argv[1], Path(sys.argv[2]), *map(int, sys.argv[3:6]))
