"""Steps that tests of study packs share with others."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from termexplorer.store.judging.verdicts import json_hash

Change = Callable[[dict[str, Any]], None]


def rewritten(path: Path, change: Change, seal: bool = True) -> Path:
    """A file whose content was changed, by somebody who knows how its hash is made."""
    whole = json.loads(path.read_text("utf-8"))
    change(whole["content"])
    if seal:
        whole["hash"] = json_hash(whole["content"])
    path.write_text(json.dumps(whole), "utf-8")
    return path
