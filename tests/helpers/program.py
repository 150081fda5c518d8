"""The program as its console script calls it, but in this process, which has imported it."""

import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from subprocess import CompletedProcess
from unittest.mock import patch

from termexplorer.cli.main import run


def called(*words: object) -> CompletedProcess[str]:
    """What comes of a command line: its exit code, and what it prints without a display."""
    texts = [str(word) for word in words]
    out, err, code = StringIO(), StringIO(), 0
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "QT_QPA_PLATFORM")}
    with (
        patch.dict(os.environ, environment, clear=True),
        patch.object(sys, "argv", ["termexplorer", *texts]),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            run()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
    return CompletedProcess(texts, code, out.getvalue(), err.getvalue())
