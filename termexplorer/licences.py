"""Notes on the licences of terminologies that do not state one in their files."""

import tomllib
from collections.abc import Iterable, Iterator
from functools import cache

from termexplorer.resources import FOLDER


@cache
def licence_notes() -> dict[str, str]:
    """The prefix of a terminology's CURIEs -> the note on its licence."""
    text = (FOLDER / "licences.toml").read_text("utf-8")
    return {prefix: entry["note"] for prefix, entry in tomllib.loads(text).items()}


def noted_prefixes(cells: Iterable[object]) -> Iterator[str]:
    """The prefixes of those cells that are CURIEs of such a terminology."""
    known = licence_notes()
    for cell in cells:
        if isinstance(cell, str) and (prefix := cell.partition(":")[0]) in known and ":" in cell:
            yield prefix
