"""The real program in a child process, which is limited, killed, or left alone."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_RUN = "import sys; from termexplorer.cli.main import run; sys.exit(run())"
_LONGEST = 120.0  # seconds, after which it is said to hang
HUNG = -1000


@dataclass(frozen=True)
class Ended:
    """What came of a command.

    Attributes:
        code: its exit code; below 0 a signal, `HUNG` where it did not end.
        text: what it printed, errors last.
    """

    code: int
    text: str

    def find_fault(self, *expected: int) -> str:
        """Return what is wrong with how it ended, "" if nothing: no bug, crash or other code."""
        bug = "Traceback" in self.text or "this is a bug" in self.text.lower()
        if self.code in expected and not bug:
            return ""
        return f"exit code {self.code}: {' '.join(self.text.split())[-300:]}"


def call_program(
    *words: str | Path,
    before: str = "",
    environment: Mapping[str, str] | None = None,
    killed_after: float | None = None,
    output: int = subprocess.PIPE,
) -> Ended:
    """Run a command.

    Args:
        words: of its command line.
        before: Python that its process runs first, to limit itself.
        environment: its variables; those of this process without it.
        killed_after: seconds until it is killed, None for never.
        output: where its standard output goes.
    """
    variables = (
        {**os.environ, "TERMEXPLORER_LANGUAGE": "en"} if environment is None else environment
    )
    process = subprocess.Popen(  # noqa: S603 - this very program
        [sys.executable, "-c", f"{before}\n{_RUN}", *map(str, words)],
        stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE, env=dict(variables),
    )  # fmt: skip
    try:
        printed, errors = process.communicate(timeout=killed_after or _LONGEST)
    except subprocess.TimeoutExpired:
        process.kill()
        printed, errors = process.communicate()
        if killed_after is None:
            return Ended(HUNG, "it did not end")
    text = ((printed or b"") + b"\n" + errors).decode("utf-8", "replace")
    return Ended(process.returncode, text)
