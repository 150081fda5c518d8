"""Modules with a window that are run in a process of their own and print what they measured."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any


def printed_by(module: str, words: Sequence[str]) -> dict[str, Any]:
    """Runs a module, without a screen where there is none; returns its last line, read as JSON."""
    environment = dict(os.environ)
    if sys.platform == "linux" and not environment.get("DISPLAY"):
        environment["QT_QPA_PLATFORM"] = "offscreen"
    output = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-m", module, *words],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    ).stdout
    printed: dict[str, Any] = json.loads(output.splitlines()[-1])
    return printed
