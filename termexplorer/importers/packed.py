"""What no archive that is read may hold."""

import re

MOST_PACKED = 200  # unpacked bytes for each packed one; text of releases has 5 to 20, JSON to 50

_OUTSIDE = re.compile(r"(?:^|[/\\])\.\.(?:[/\\]|$)|^[/\\]|^[A-Za-z]:")


def leads_out(name: str) -> bool:
    """Whether the name of a member leads out of the folder that it would be unpacked to."""
    return _OUTSIDE.search(name) is not None
