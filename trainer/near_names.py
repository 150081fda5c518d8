"""Names in a folder that are like one that is not there."""

import os
from pathlib import Path

_MOST_ENTRIES = 10_000  # of a folder that are looked through
_MOST_NAMED = 3


def find_near_names(path: Path) -> list[str]:
    """Return the names in a folder that are most like that of a file which is not in it."""
    from difflib import get_close_matches

    try:
        with os.scandir(path.parent) as entries:
            names = [entry.name for entry, _ in zip(entries, range(_MOST_ENTRIES), strict=False)]
    except OSError:
        return []
    by_folded = {name.casefold(): name for name in sorted(names, reverse=True)}
    close_names = get_close_matches(path.name.casefold(), by_folded, n=_MOST_NAMED)
    return [by_folded[name] for name in close_names]
