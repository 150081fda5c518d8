"""Steps that tests of study packs share with others."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from termexplorer.store.judging.verdicts import json_hash

_ED25519 = "cryptography.hazmat.primitives.asymmetric.ed25519"

Change = Callable[[dict[str, Any]], None]


def rewritten(path: Path, change: Change, seal: bool = True) -> Path:
    """A file whose content was changed, by somebody who knows how its hash is made.

    They leave the signature out, which they cannot make.
    """
    whole = json.loads(path.read_text("utf-8"))
    change(whole["content"])
    if seal:
        whole["hash"] = json_hash(whole["content"])
        whole.pop("signature", None)
    path.write_text(json.dumps(whole), "utf-8")
    return path


def leave_keys_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have this be an installation without the package that signs."""
    for name in ("cryptography.exceptions", _ED25519):
        monkeypatch.setitem(sys.modules, name, None)


def linked(content: dict[str, Any]) -> None:
    """Makes the chain of rows anew, as somebody might who knows how."""
    link = content["pack"]
    for row in content["rows"]:
        row.pop("link")
        link = json_hash([link, row])
        row["link"] = link
