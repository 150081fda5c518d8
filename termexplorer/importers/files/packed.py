"""What no archive that is read may hold."""

import re

from termexplorer.trainer.text.gzip_files import MOST_PACKED as MOST_PACKED

_OUTSIDE = re.compile(r"(?:^|[/\\])\.\.(?:[/\\]|$)|^[/\\]|^[A-Za-z]:")


def leads_out(name: str) -> bool:
    """Whether the name of a member leads out of the folder that it would be unpacked to."""
    return _OUTSIDE.search(name) is not None
