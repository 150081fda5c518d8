"""Where in our code an error was raised, without its text, which may hold a term or a note."""

import re
import traceback
from pathlib import Path
from types import TracebackType

FOLDER = Path(__file__).parents[3]
_PACKAGES = ("termexplorer", "trainer")
_FRAME = re.compile(r'File "([^"]+)", line (\d+)')
_TRACEBACK = "Traceback (most recent call last)"


def locate_bug(kind: type[BaseException], trace: TracebackType | None) -> str:
    """Return the kind of an error and the last place of our code on its way."""
    places = [(frame.filename, frame.lineno or 0) for frame in traceback.extract_tb(trace)]
    return _locate_ours(kind.__name__, places)


def locate_crash(text: str) -> str:
    """Return the same of what a child left: a traceback as text, or a sentence, which is kept."""
    last = text.strip().splitlines()[-1] if text.strip() else ""
    if _TRACEBACK not in text:
        return last
    places = [(name, int(line)) for name, line in _FRAME.findall(text)]
    return _locate_ours(last.partition(":")[0].rpartition(".")[2], places)


def shorten_place(name: str) -> str:
    """Return a file of our code relative to its folder, and only the name of any other."""
    path = Path(name)
    return str(path.relative_to(FOLDER)) if path.is_relative_to(FOLDER) else path.name


def _is_ours(path: Path) -> bool:
    return any(path.is_relative_to(FOLDER / package) for package in _PACKAGES)


def _locate_ours(kind: str, places: list[tuple[str, int]]) -> str:
    ours = [frame for frame in places if _is_ours(Path(frame[0]))]
    if not ours:
        return kind
    name, line = ours[-1]
    return f"{kind} ({shorten_place(name)}:{line})"
